/**
 * Decides one command for one run (spec 02 "Shape"): a processor records what the command itself means, then the run
 * advances by itself as far as it may.
 */
import { advance } from './advance.js';
import type { CommandContext, Decision, RunCommand, StartCommand } from './commands.js';
import { rejected } from './processors/answers.js';
import { causeOf, PROCESSORS, type AddressedKind, type Processor } from './processors/registry.js';
import { start } from './processors/start.js';
import { Recorder, type RecordedEvent } from './recorder.js';
import type { Run } from './state.js';

export interface Execution {
  /** The run after the command; null when there is none because its start was refused. */
  readonly run: Run | null;
  readonly decision: Decision;
  /** To be committed together, or not at all. */
  readonly events: readonly RecordedEvent[];
}

const NO_EVENTS: readonly RecordedEvent[] = [];

/**
 * Changes `run` in place. A caller whose commit fails, or that sees this function throw, must drop the run and load it
 * again: it may hold events that were never stored.
 */
export function execute(run: Run | null, command: RunCommand, context: CommandContext): Execution {
  if (command.kind === 'start') return admit(run, command, context);
  if (run === null) {
    return { run, decision: rejected('NotFound', 'there is no such run; check its id'), events: NO_EVENTS };
  }
  // Only an event that names another definition looks for one.
  const program = command.kind === 'reopen' && command.program !== null ? command.program : run.program;
  const recorder = new Recorder(run, program, causeOf(command), context);
  // The registry pairs each kind with the processor of its own command; TypeScript cannot follow a union through a lookup.
  const process = PROCESSORS[command.kind] as Processor<AddressedKind>;
  const decision = process(recorder, command);
  if (decision.kind === 'accepted' && decision.repeated !== true) advance(recorder);
  return { run: recorder.run, decision, events: recorder.events };
}

function admit(run: Run | null, command: StartCommand, context: CommandContext): Execution {
  if (run !== null) {
    const decision = rejected('AlreadyExists', `workflow id ${run.workflowId} has a run already: ${run.id}`);
    return { run, decision, events: NO_EVENTS };
  }
  const recorder = new Recorder(null, command.program, causeOf(command), context);
  const decision = start(recorder, command);
  if (decision.kind !== 'accepted') return { run: null, decision, events: NO_EVENTS };
  advance(recorder);
  return { run: recorder.run, decision, events: recorder.events };
}
