/** What every history must keep, whatever has been killed while it was written. */
import type { EventView } from '@graphrun/domain';
import { groupBy } from './group-by.js';
import type { RecordedRun } from './recorded-run.js';

/** Statuses after which nothing more happens. */
export const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled']);

/** One sentence for each rule that is broken. */
export function brokenHistory(run: RecordedRun): readonly string[] {
  return [...sequence(run), ...successes(run), ...grants(run), ...ending(run), ...wakeSource(run)].map(
    (sentence) => `run ${run.run}: ${sentence}`,
  );
}

export function ofKind(run: RecordedRun, kind: EventView['kind']): readonly EventView[] {
  return run.events.filter((event) => event.kind === kind);
}

/** The activation an event speaks of; empty where it speaks of none. */
export function activationOf(event: EventView): string {
  const { activation } = event;
  return typeof activation === 'string' ? activation : '';
}

function sequence({ events }: RecordedRun): readonly string[] {
  const sequences = events.map(({ seq }) => seq);
  if (sequences.length === 0) return ['it has no events'];
  return sequences.every((seq, index) => seq === index + 1) ? [] : [`its sequences are ${sequences.join(', ')}`];
}

function successes(run: RecordedRun): readonly string[] {
  const accepted = groupBy(ofKind(run, 'activity_succeeded'), activationOf);
  return [...accepted]
    .filter(([, events]) => events.length > 1)
    .map(([activation, events]) => `activation ${activation} has ${events.length} accepted results`);
}

/** Generations of an activation rise, and only a granted one succeeds. */
function grants(run: RecordedRun): readonly string[] {
  const latest = new Map<string, number>();
  const broken: string[] = [];
  for (const event of run.events) {
    const activation = activationOf(event);
    const generation = Number(event['generation']);
    if (event.kind === 'attempt_granted') {
      if (generation <= (latest.get(activation) ?? 0))
        broken.push(`${activation} was granted generation ${generation} again`);
      latest.set(activation, generation);
    } else if (event.kind === 'activity_succeeded' && latest.get(activation) !== generation) {
      broken.push(`${activation} succeeded in generation ${generation}, granted last was ${latest.get(activation)}`);
    }
  }
  return broken;
}

function ending(run: RecordedRun): readonly string[] {
  const ends = run.events.filter(
    ({ kind }) => kind === 'run_succeeded' || kind === 'run_failed' || kind === 'run_cancelled',
  );
  if (ends.length > 1) return [`it ended ${ends.length} times`];
  const [end] = ends;
  if (ENDED.has(run.status) !== (end !== undefined))
    return [`its row says ${run.status}, its history ${end?.kind ?? 'has no end'}`];
  if (end === undefined) return [];
  const after = run.events.filter(({ seq, kind }) => seq > end.seq && kind !== 'late_result_observed');
  return after.map(({ kind }) => `${kind} follows its end`);
}

/** A run that has not ended and waits for nothing would be forgotten by the next owner (spec 09). */
function wakeSource({ status, wakes }: RecordedRun): readonly string[] {
  if (wakes === null || wakes !== ENDED.has(status)) return [];
  return [wakes ? 'it has ended and still waits for something' : `it is ${status} and waits for nothing`];
}
