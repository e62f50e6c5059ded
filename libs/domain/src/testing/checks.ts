/** What holds after every command of every run, whatever a test is about. */
import { canonicalize, type Json } from '@graphrun/dsl';
import {
  agenda,
  checkpointReferences,
  decodeCheckpoint,
  encodeCheckpoint,
  evolve,
  explain,
  reconstruct,
  type Execution,
  type ProgramSource,
  type Run,
  type RunEvent,
} from '../index.js';

/** A decision that is not accepted leaves no events but evidence, and an event is stored as its JSON. */
export function checkEvents({ decision, events }: Execution): void {
  const evidence = events.every(({ event }) => event.body.kind === 'late_result_observed');
  if (decision.kind !== 'accepted' && !evidence) {
    throw new Error(`a ${decision.kind} decision recorded ${events.map(({ event }) => event.body.kind).join(', ')}`);
  }
  for (const { event, text } of events) {
    if (text !== JSON.stringify(event)) throw new Error(`the text of event ${event.seq} is not its JSON`);
  }
}

/** A run that has not ended has somebody who will wake it, and a reason that a person can read. */
export function checkWakeSource(run: Run): void {
  const { ready, claims, timers, progressDue, waiting, blocked, paused, terminal } = agenda(run);
  // Deadlines of the run and of the inbox are no reason to stand still.
  const due = timers.some(({ name }) => name !== 'run' && name !== 'inbox');
  const awake = ready.length > 0 || claims.length > 0 || due || progressDue || waiting > 0 || blocked || paused;
  if (!awake && !terminal) throw new Error(`nothing will ever wake the run:\n${encodeCheckpoint(run)}`);
  // That a container waits for its bodies is no reason without one of theirs.
  if (explain(run, { now: run.updatedAt, workersFor: () => null }).every(({ code }) => code === 'children'))
    throw new Error(`the run has no reason for its state:\n${encodeCheckpoint(run)}`);
}

/** Live state = folded history = checkpoint + tail, byte for byte and canonical. `before` is an earlier checkpoint. */
export function checkFolds(
  program: ProgramSource,
  run: Run,
  history: readonly RunEvent[],
  before: string | null,
): string {
  const state = encodeCheckpoint(run);
  if (canonicalize(JSON.parse(state) as Json) !== state) throw new Error(`the checkpoint is not canonical: ${state}`);
  const folded = encodeCheckpoint(reconstruct(program, history));
  if (folded !== state) throw new Error(`folding the events gives another state:\n${folded}\n${state}`);
  const reread = load(program, state, history);
  if (encodeCheckpoint(reread) !== state) throw new Error(`a checkpoint read back is another state: ${state}`);
  if (before !== null) {
    let continued = load(program, before, history);
    for (const event of history.slice(continued.seq)) continued = evolve(continued, event, program);
    const text = encodeCheckpoint(continued);
    if (text !== state) throw new Error(`a checkpoint and its tail give another state:\n${text}\n${state}`);
  }
  return state;
}

/** A run as it is loaded: from its checkpoint, and of its history only what the checkpoint refers to. */
export function load(program: ProgramSource, checkpoint: string, history: readonly RunEvent[]): Run {
  const references = new Set(checkpointReferences(checkpoint));
  return decodeCheckpoint(program, checkpoint, (seq) => {
    const event = history[seq - 1];
    if (event === undefined || !references.has(seq)) throw new Error(`a checkpoint asks for event ${seq}`);
    return event;
  });
}
