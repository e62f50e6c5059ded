/** What every history must keep, whatever has been killed while it was written. */
import { compensationOf } from '@graphrun/domain';
import type { ActivationId, EventView } from '@graphrun/domain';
import { groupBy } from './group-by.js';
import type { RecordedRun } from './recorded-run.js';
import { brokenSagas } from './saga-rules.js';

/** Events that end a run, and the status that it has from then on. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['run_succeeded', 'succeeded'],
  ['run_failed', 'failed'],
  ['run_cancelled', 'cancelled'],
  ['run_continued', 'continued'],
  ['run_terminated', 'terminated'],
]);

/** Statuses after which nothing more happens. */
export const ENDED: ReadonlySet<string> = new Set(ENDS.values());

/** One sentence for each rule that is broken. */
export function brokenHistory(run: RecordedRun): readonly string[] {
  return [
    ...sequence(run),
    ...successes(run),
    ...grants(run),
    ...ending(run),
    ...brokenSagas(run),
    ...wakeSource(run),
  ].map((sentence) => `run ${run.run}: ${sentence}`);
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

/** The activation that this event gives its one result: a step, or `a7c`, which undoes `a7`. Null for other events. */
export function resultOf(event: EventView): string | null {
  if (event.kind === 'activity_succeeded') return activationOf(event);
  return event.kind === 'compensation_completed' ? compensationOf(activationOf(event) as ActivationId) : null;
}

function successes({ events }: RecordedRun): readonly string[] {
  const accepted = groupBy(
    events.flatMap((event) => resultOf(event) ?? []),
    (activation) => activation,
  );
  return [...accepted]
    .filter(([, results]) => results.length > 1)
    .map(([activation, results]) => `activation ${activation} has ${results.length} accepted results`);
}

/** Generations of an activation rise, and only a granted one succeeds. */
function grants(run: RecordedRun): readonly string[] {
  const latest = new Map<string, number>();
  const broken: string[] = [];
  for (const event of run.events) {
    const generation = Number(event['generation']);
    if (event.kind === 'attempt_granted') {
      const activation = activationOf(event);
      if (generation <= (latest.get(activation) ?? 0))
        broken.push(`${activation} was granted generation ${generation} again`);
      latest.set(activation, generation);
      continue;
    }
    const activation = resultOf(event);
    if (activation !== null && latest.get(activation) !== generation)
      broken.push(`${activation} succeeded in generation ${generation}, granted last was ${latest.get(activation)}`);
  }
  return broken;
}

/** A run ends once, and again only after it was opened again. What comes after an end is evidence. */
function ending({ events, status }: RecordedRun): readonly string[] {
  const broken: string[] = [];
  let end: EventView | null = null;
  for (const event of events) {
    if (event.kind === 'run_reopened') end = null;
    else if (end !== null && ENDS.has(event.kind)) broken.push('it ended more than once');
    else if (end !== null && event.kind !== 'late_result_observed') broken.push(`${event.kind} follows its end`);
    if (ENDS.has(event.kind)) end = event;
  }
  const ended = end === null ? undefined : ENDS.get(end.kind);
  const agrees = ended === undefined ? !ENDED.has(status) : ended === status;
  return agrees ? broken : [...broken, `its row says ${status}, its history ${end?.kind ?? 'has no end'}`];
}

/** A run that has not ended and waits for nothing would be forgotten by the next owner (spec 09). */
function wakeSource({ status, wakes }: RecordedRun): readonly string[] {
  if (wakes === null || wakes !== ENDED.has(status)) return [];
  return [wakes ? 'it has ended and still waits for something' : `it is ${status} and waits for nothing`];
}
