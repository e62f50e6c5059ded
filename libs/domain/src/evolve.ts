/**
 * The one way a run's state comes about: live, from a checkpoint and in replay (spec 02 "Shape").
 */
import { byteLength } from '@graphrun/dsl';
import { ADMISSIONS } from './appliers/admission.js';
import { APPLIERS, type Applier } from './appliers/registry.js';
import { HistoryError, UnknownEventError } from './errors.js';
import type { EventKind, RunEvent } from './events.js';
import type { ProgramSource } from './program-source.js';
import type { Run } from './state.js';
import { isTerminal } from './status.js';

/**
 * Applies one event and returns the run, which is changed in place. The first event must be `run_admitted`. Where events name
 * more than one definition (`run_reopened`), all of them must be in `programs`.
 *
 * @throws UnknownEventError when this binary has no applier for the event's kind and version.
 * @throws HistoryError when the event does not follow from what came before it.
 */
export function evolve(run: Run | null, event: RunEvent, programs: ProgramSource): Run {
  return applyEvent(run, event, programs, byteLength(JSON.stringify(event)));
}

/** As `evolve`, for callers who know the size of the event's text already. */
export function applyEvent(run: Run | null, event: RunEvent, programs: ProgramSource, bytes: number): Run {
  const next = run === null ? admit(event, programs) : change(run, event, programs);
  next.seq = event.seq;
  next.updatedAt = event.at;
  next.historyBytes += bytes;
  return next;
}

/**
 * Folds a history, up to and including sequence `upTo`.
 *
 * @throws HistoryError also when there is no event at all.
 */
export function reconstruct(programs: ProgramSource, events: Iterable<RunEvent>, upTo = Number.POSITIVE_INFINITY): Run {
  let run: Run | null = null;
  for (const event of events) {
    if (event.seq > upTo) break;
    run = evolve(run, event, programs);
  }
  if (run === null) throw new HistoryError('a history without its first event cannot be reconstructed');
  return run;
}

function admit(event: RunEvent, programs: ProgramSource): Run {
  const { body } = event;
  if (body.kind !== 'run_admitted' || event.seq !== 1) {
    throw new HistoryError(`a history begins with run_admitted at 1, not with ${body.kind} at ${event.seq}`);
  }
  const admission = ADMISSIONS[event.v];
  if (admission === undefined) throw new UnknownEventError(body.kind, event.v);
  return admission(body, event, programs);
}

function change(run: Run, event: RunEvent, programs: ProgramSource): Run {
  const { body } = event;
  if (event.seq !== run.seq + 1) {
    throw new HistoryError(`run ${run.id}: event ${run.seq + 1} is missing, ${event.seq} came instead`);
  }
  if (body.kind === 'run_admitted') throw new HistoryError(`run ${run.id} is admitted again by event ${event.seq}`);
  if (isTerminal(run.status) && body.kind !== 'run_reopened') {
    throw new HistoryError(`run ${run.id} has ${run.status.kind}, yet event ${event.seq} follows (${body.kind})`);
  }
  // The registry pairs each kind with the applier of its own body; TypeScript cannot follow a union through a lookup.
  // Events come from storage: a kind may be one that this binary does not know.
  const versions = APPLIERS[body.kind] as { readonly [version: number]: Applier<EventKind> } | undefined;
  const applier = versions?.[event.v];
  if (applier === undefined) throw new UnknownEventError(body.kind, event.v);
  applier(run, body, event, programs);
  return run;
}
