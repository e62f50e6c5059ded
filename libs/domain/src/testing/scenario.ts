/**
 * Drives one run as its owner does, with a clock that the test sets. Every command also proves what always holds: see
 * `checks.ts`.
 */
import type { Json, Program } from '@graphrun/dsl';
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
  type Resolution,
  type Run,
  type RunCommand,
  type RunEvent,
  type RunId,
  type SessionId,
  type SignalEventId,
  type TimerName,
  type WorkflowId,
} from '../index.js';
import { checkEvents, checkFolds, checkWakeSource, load } from './checks.js';

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

export interface SignalOptions {
  readonly key?: string;
  /** By default `sig-<n>`, another with each signal. */
  readonly event?: string;
  /** UTC ms; by default now. */
  readonly arrivedAt?: number;
}

export class Scenario {
  now = START_MS;
  entropy = 0;
  /** After how many commands the whole history is folded again; more than 1 only where a test is about size. */
  foldEvery = 1;
  readonly history: RunEvent[] = [];
  /** Bodies of the last command's events. */
  recorded: EventBody[] = [];
  private current: Run | null = null;
  /** The state that was checked last. */
  private checkpoint: string | null = null;
  private commands = 0;
  private signals = 0;
  private operations = 0;
  /** All definitions that the run has had, by digest. */
  private readonly programs: Map<string, Program>;

  constructor(readonly program: Program) {
    this.programs = new Map([[program.digest, program]]);
  }

  get run(): Run {
    if (this.current === null) throw new Error('the scenario has not started its run');
    return this.current;
  }

  leaf(id: ActivationId | string = A1): Leaf {
    const leaf = this.run.leaves.get(id as ActivationId);
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
    checkEvents(execution);
    if (execution.run !== null) this.check(execution.run);
    return execution;
  }

  private check(run: Run): void {
    checkWakeSource(run);
    this.commands += 1;
    if (this.commands % this.foldEvery !== 0) return;
    this.checkpoint = checkFolds(this.programs, run, this.history, this.checkpoint);
  }

  /** The owner is gone, and the next one loads the run. */
  restart(from: 'checkpoint' | 'history'): void {
    this.current =
      from === 'history'
        ? reconstruct(this.programs, this.history)
        : load(this.programs, encodeCheckpoint(this.run), this.history);
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

  claim(activation: ActivationId | string = A1, options: CommandOptions = {}): Decision {
    const id = activation as ActivationId;
    const generation = options.generation ?? this.generation(id);
    return this.execute({ kind: 'claim', activation: id, generation, session: options.session ?? WORKER }).decision;
  }

  report(outcome: ReportOutcome, activation: ActivationId | string = A1, options: CommandOptions = {}): Decision {
    const id = activation as ActivationId;
    return this.execute(
      {
        kind: 'report',
        activation: id,
        generation: options.generation ?? this.generation(id),
        session: options.session ?? WORKER,
        lax: options.lax ?? false,
        outcome,
      },
      { arrivedAt: options.arrivedAt ?? this.now },
    ).decision;
  }

  expire(
    reason: 'timeout' | 'lease' | 'worker_lost',
    activation: ActivationId | string = A1,
    generation?: number,
  ): Decision {
    const id = activation as ActivationId;
    return this.execute({ kind: 'expire', activation: id, generation: generation ?? this.generation(id), reason })
      .decision;
  }

  timer(name: string, dueAt: number): Decision {
    return this.execute({ kind: 'timer', name: name as TimerName, dueAt }).decision;
  }

  signal(signal: string, payload: Json, options: SignalOptions = {}): Decision {
    this.signals += 1;
    const event = (options.event ?? `sig-${this.signals}`) as SignalEventId;
    const commandId = `signal-${this.signals}` as CommandId;
    return this.execute(
      { kind: 'signal', commandId, event, signal, key: options.key ?? 'k', payload },
      { arrivedAt: options.arrivedAt ?? this.now },
    ).decision;
  }

  cancel(reason = 'no longer wanted'): Decision {
    return this.execute({ kind: 'cancel', commandId: 'cancel-1' as CommandId, reason }).decision;
  }

  pause(expectedSeq: number | null = null): Decision {
    return this.operate({ kind: 'pause', ...operator('hold on', expectedSeq) });
  }

  resume(expectedSeq: number | null = null): Decision {
    return this.operate({ kind: 'resume', ...operator('go on', expectedSeq) });
  }

  resolve(activation: ActivationId | string, resolution: Resolution, expectedSeq: number | null = null): Decision {
    const id = activation as ActivationId;
    return this.operate({ kind: 'resolve', activation: id, resolution, ...operator('I looked', expectedSeq) });
  }

  abandon(expectedSeq: number | null = null): Decision {
    return this.operate({ kind: 'abandon', ...operator('nobody can undo it', expectedSeq) });
  }

  terminate(expectedSeq: number | null = null): Decision {
    return this.operate({ kind: 'terminate', ...operator('enough', expectedSeq) });
  }

  /** With the run's own definition, or with another version of it. */
  reopen(
    program: Program | null = null,
    {
      expectedSeq = null,
      livingRun = null,
    }: { readonly expectedSeq?: number | null; readonly livingRun?: RunId | null } = {},
  ): Decision {
    if (program !== null) this.programs.set(program.digest, program);
    this.operations += 1;
    const { reason } = operator('it is repaired', null);
    const commandId = `reopen-${this.operations}` as CommandId;
    return this.operate({ kind: 'reopen', commandId, reason, expectedSeq, program, livingRun });
  }

  private operate(command: RunCommand): Decision {
    return this.execute(command, { by: 'operator' }).decision;
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
}

function operator(reason: string, expectedSeq: number | null) {
  return { commandId: `operator-${reason}` as CommandId, reason, expectedSeq };
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
