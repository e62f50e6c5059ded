/** Appliers of the run's own course: held and released, stop intents, and its end. */
import { recorded } from '../cell.js';
import type { BodyOf, RunEvent } from '../events.js';
import type { Run, RunStatus } from '../state.js';
import { closeScope } from './close.js';

/** Forward dispatch closes here: no scope enters another node. */
export function runStopIntendedV1(run: Run, body: BodyOf<'run_stop_intended'>): void {
  const stop = { intent: body.intent, failure: body.failure };
  run.status = run.status.kind === 'blocked' ? { kind: 'blocked', stop } : { kind: 'stopping', ...stop };
  for (const scope of run.scopes.values()) {
    if (scope.owner === null) closeScope(run, scope, body.intent === 'failure' ? body.failure : null);
  }
}

export function runStopRepeatedV1(run: Run, body: BodyOf<'run_stop_repeated'>): void {
  run.repeatedStops.add(body.intent);
}

export function runPausedV1(run: Run, body: BodyOf<'run_paused'>, event: RunEvent): void {
  run.paused = { since: event.at, reason: body.reason, by: event.by };
}

export function runResumedV1(run: Run): void {
  run.paused = null;
}

export function runSucceededV1(run: Run, body: BodyOf<'run_succeeded'>, event: RunEvent): void {
  end(run, { kind: 'succeeded', output: recorded(body.output, event.seq, '/output') }, event);
}

export function runFailedV1(run: Run, body: BodyOf<'run_failed'>, event: RunEvent): void {
  end(run, { kind: 'failed', failure: body.failure, compensation: body.compensation ?? null }, event);
}

export function runCancelledV1(run: Run, body: BodyOf<'run_cancelled'>, event: RunEvent): void {
  end(run, { kind: 'cancelled', failure: body.failure, compensation: body.compensation ?? null }, event);
}

export function runContinuedV1(run: Run, body: BodyOf<'run_continued'>, event: RunEvent): void {
  run.inbox.clear();
  end(run, { kind: 'continued', successor: body.successor }, event);
}

export function runTerminatedV1(run: Run, body: BodyOf<'run_terminated'>, event: RunEvent): void {
  end(run, { kind: 'terminated', failure: body.failure, unresolved: body.unresolved }, event);
}

function end(run: Run, status: RunStatus, event: RunEvent): void {
  run.status = status;
  run.paused = null;
  run.endedAt = event.at;
}
