/**
 * Drives one run as its owner does, with a clock that the test sets. Every command also proves what always holds: a
 * decision that is not accepted leaves no events but evidence, and folding the events gives the same state.
 */
import { canonicalize, type Json, type Program } from '@graphrun/dsl';
import {
  encodeCheckpoint,
  execute,
  reconstruct,
  type ActivationId,
  type CommandContext,
  type CommandId,
  type Decision,
  type EventBody,
  type EventKind,
  type Execution,
  type Leaf,
  type ReportOutcome,
  type Run,
  type RunCommand,
  type RunEvent,
  type RunId,
  type SessionId,
  type WorkflowId,
} from '../index.js';

export const START_MS = 1_700_000_000_000;
export const WORKER = 'worker-1' as SessionId;
export const OTHER_WORKER = 'worker-2' as SessionId;
export const A1 = 'a1' as ActivationId;
export const A2 = 'a2' as ActivationId;

export interface CommandOptions {
  readonly session?: SessionId;
  readonly generation?: number;
  readonly lax?: boolean;
  /** UTC ms; by default now. */
  readonly arrivedAt?: number;
}

export class Scenario {
  now = START_MS;
  entropy = 0;
  readonly history: RunEvent[] = [];
  /** Bodies of the last command's events. */
  recorded: EventBody[] = [];
  private current: Run | null = null;

  constructor(readonly program: Program) {}

  get run(): Run {
    if (this.current === null) throw new Error('the scenario has not started its run');
    return this.current;
  }

  leaf(id: ActivationId = A1): Leaf {
    const leaf = this.run.leaves.get(id);
    if (leaf === undefined) throw new Error(`the run has no ${id}`);
    return leaf;
  }

  /** Kinds of the last command's events. */
  get kinds(): EventKind[] {
    return this.recorded.map((body) => body.kind);
  }

  execute(command: RunCommand, context: Partial<CommandContext> = {}): Execution {
    const execution = execute(this.current, command, {
      now: this.now,
      arrivedAt: this.now,
      entropy: this.entropy,
      by: 'tester',
      ...context,
    });
    this.current = execution.run;
    this.recorded = execution.events.map(({ event }) => event.body);
    this.history.push(...execution.events.map(({ event }) => event));
    this.check(execution);
    return execution;
  }

  start(input: Json = { n: 1 }): Decision {
    return this.execute({
      kind: 'start',
      commandId: 'start-1' as CommandId,
      run: '018bcfe5-6800-7000-8000-0000deadbeef' as RunId,
      workflowId: 'deadbeef000000000000000000000000' as WorkflowId,
      ordinal: 1,
      namespace: 'default',
      startKey: null,
      program: this.program,
      input,
    }).decision;
  }

  claim(activation: ActivationId = A1, options: CommandOptions = {}): Decision {
    const generation = options.generation ?? this.generation(activation);
    return this.execute({ kind: 'claim', activation, generation, session: options.session ?? WORKER }).decision;
  }

  report(outcome: ReportOutcome, activation: ActivationId = A1, options: CommandOptions = {}): Decision {
    return this.execute(
      {
        kind: 'report',
        activation,
        generation: options.generation ?? this.generation(activation),
        session: options.session ?? WORKER,
        lax: options.lax ?? false,
        outcome,
      },
      { arrivedAt: options.arrivedAt ?? this.now },
    ).decision;
  }

  expire(reason: 'timeout' | 'lease' | 'worker_lost', activation: ActivationId = A1, generation?: number): Decision {
    return this.execute({ kind: 'expire', activation, generation: generation ?? this.generation(activation), reason })
      .decision;
  }

  timer(activation: ActivationId | null, dueAt: number): Decision {
    return this.execute({ kind: 'timer', activation, dueAt }).decision;
  }

  cancel(reason = 'no longer wanted'): Decision {
    return this.execute({ kind: 'cancel', commandId: 'cancel-1' as CommandId, reason }).decision;
  }

  progress(): Decision {
    return this.execute({ kind: 'progress' }).decision;
  }

  /** Generation of the attempt that is offered, under way, or was the last. */
  private generation(activation: ActivationId): number {
    const leaf = this.current?.leaves.get(activation);
    if (leaf === undefined) return 1;
    return leaf.status.kind === 'ready' ? leaf.status.generation : (leaf.last?.generation ?? 1);
  }

  private check({ decision, events, run }: Execution): void {
    const evidence = events.every(({ event }) => event.body.kind === 'late_result_observed');
    if (decision.kind !== 'accepted' && !evidence) {
      throw new Error(`a ${decision.kind} decision recorded ${this.kinds.join(', ')}`);
    }
    for (const { event, text } of events) {
      if (text !== JSON.stringify(event)) throw new Error(`the text of event ${event.seq} is not its JSON`);
    }
    if (run === null) return;
    const state = encodeCheckpoint(run);
    if (canonicalize(JSON.parse(state) as Json) !== state) throw new Error(`the checkpoint is not canonical: ${state}`);
    const folded = encodeCheckpoint(reconstruct(this.program, this.history));
    if (folded !== state) throw new Error(`folding the events gives another state:\n${folded}\n${state}`);
  }
}

/** A started run of `program`. */
export function started(program: Program, input: Json = { n: 1 }): Scenario {
  const scenario = new Scenario(program);
  scenario.start(input);
  return scenario;
}

/** A started run whose first activity is claimed by `WORKER`. */
export function claimed(program: Program): Scenario {
  const scenario = started(program);
  scenario.claim();
  return scenario;
}

export function success(n: number): ReportOutcome {
  return { kind: 'success', output: { n } };
}

export function error(code: string, message = `${code} it was`): ReportOutcome {
  return { kind: 'error', failure: { code, message } };
}

export function unhandled(message = 'TypeError: x is undefined', code = 'activity.unhandled'): ReportOutcome {
  return { kind: 'unhandled', failure: { code, message } };
}

export function returned(reason = 'draining'): ReportOutcome {
  return { kind: 'returned', reason };
}
