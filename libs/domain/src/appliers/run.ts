/** Appliers of the run's own course: stop intents and its end. */
import type { BodyOf, RunEvent } from '../events.js';
import type { Run } from '../state.js';

/** Forward dispatch closes here: no scope enters another node. */
export function runStopIntendedV1(run: Run, body: BodyOf<'run_stop_intended'>): void {
  const stop = { intent: body.intent, failure: body.failure };
  run.status = run.status.kind === 'blocked' ? { kind: 'blocked', stop } : { kind: 'stopping', ...stop };
  for (const scope of run.scopes.values()) {
    if (scope.status.kind !== 'open') continue;
    scope.status = { kind: 'settling', failure: body.intent === 'failure' ? body.failure : null };
    scope.next = null;
  }
}

export function runStopRepeatedV1(run: Run, body: BodyOf<'run_stop_repeated'>): void {
  run.repeatedStops.add(body.intent);
}

export function runSucceededV1(run: Run, body: BodyOf<'run_succeeded'>, event: RunEvent): void {
  run.status = { kind: 'succeeded', output: { value: body.output, seq: event.seq } };
  run.endedAt = event.at;
}

export function runFailedV1(run: Run, body: BodyOf<'run_failed'>, event: RunEvent): void {
  run.status = { kind: 'failed', failure: body.failure };
  run.endedAt = event.at;
}

export function runCancelledV1(run: Run, body: BodyOf<'run_cancelled'>, event: RunEvent): void {
  run.status = { kind: 'cancelled', failure: body.failure };
  run.endedAt = event.at;
}
