/** Owns one run: executes commands on it, keeps its history, and loads it again when the owner before has died. */
import type {
  ActivationId,
  Agenda,
  CommandContext,
  CommandId,
  Decision,
  ReportOutcome,
  Resolution,
  Run,
  RunCommand,
  RunEvent,
  RunId,
  SessionId,
  WorkflowId,
} from '@graphrun/domain';
import type { Json, Program } from '@graphrun/dsl';
import type { Engine } from './engine.js';

/** Later than any moment that a generated workflow names. */
const START_MS = 1_900_000_000_000;
const WORKER = 'worker-1' as SessionId;

interface Sent {
  readonly command: RunCommand;
  readonly arrivedAt: number;
}

export class Owner {
  now = START_MS;
  readonly history: RunEvent[] = [];
  /** Messages that may come again. */
  readonly sent: Sent[] = [];
  private current: Run | null = null;
  private commands = 0;

  constructor(
    private readonly engine: Engine,
    readonly program: Program,
    /** Draws the entropy of commands. */
    private readonly draw: () => number,
  ) {}

  get run(): Run {
    if (this.current === null) throw new Error('the run has not been started');
    return this.current;
  }

  agenda(): Agenda {
    return this.engine.agenda(this.run);
  }

  start(input: Json): void {
    const decision = this.execute({
      kind: 'start',
      commandId: this.commandId(),
      run: '018bcfe5-6800-7000-8000-0000deadbeef' as RunId,
      workflowId: 'deadbeef000000000000000000000000' as WorkflowId,
      ordinal: 1,
      namespace: 'default',
      startKey: null,
      program: this.program,
      input,
    });
    if (decision.kind === 'rejected') throw new Error(decision.rejection.message);
  }

  claim(activation: ActivationId, generation: number): Decision {
    return this.send({ kind: 'claim', activation, generation, session: WORKER });
  }

  report(activation: ActivationId, generation: number, outcome: ReportOutcome, more: ReportOptions): Decision {
    const { lax = false, arrivedAt } = more;
    return this.send({ kind: 'report', activation, generation, session: WORKER, lax, outcome }, arrivedAt);
  }

  resolve(activation: ActivationId, resolution: Resolution): Decision {
    return this.execute({ kind: 'resolve', activation, resolution, ...this.operator() });
  }

  hold(kind: 'pause' | 'resume'): Decision {
    return this.execute({ kind, ...this.operator() });
  }

  cancel(): Decision {
    return this.execute({ kind: 'cancel', commandId: this.commandId(), reason: 'no longer wanted' });
  }

  commandId(): CommandId {
    this.commands += 1;
    return `command-${this.commands}` as CommandId;
  }

  /** The run is over its time. */
  timeOut(): Decision {
    const { deadline } = this.run;
    if (deadline === null) throw new Error('the run has no deadline');
    this.now = Math.max(this.now, deadline);
    return this.send({ kind: 'timer', name: 'run', dueAt: deadline });
  }

  private operator() {
    return { commandId: this.commandId(), reason: 'a person looked', expectedSeq: null } as const;
  }

  /** Executes what may also come a second time. */
  send(command: RunCommand, arrivedAt = this.now): Decision {
    this.sent.push({ command, arrivedAt });
    return this.execute(command, { arrivedAt });
  }

  execute(command: RunCommand, context: Partial<CommandContext> = {}): Decision {
    this.now += this.draw() % 3;
    const { now } = this;
    const full = { now, arrivedAt: now, entropy: this.draw() * 65_537, by: 'somebody', ...context };
    const { run, decision, events } = this.engine.execute(this.current, command, full);
    this.current = run;
    // What is stored is the text.
    for (const { text } of events) this.history.push(JSON.parse(text) as RunEvent);
    return decision;
  }

  /** The owner is gone, and the next one loads the run. */
  restart(from: 'checkpoint' | 'history'): void {
    this.current = from === 'history' ? this.engine.reconstruct(this.program, this.history) : this.reopened();
  }

  private reopened(): Run {
    const { engine } = this;
    const checkpoint = engine.encodeCheckpoint(this.run);
    const references = new Set(engine.checkpointReferences(checkpoint));
    return engine.decodeCheckpoint(this.program, checkpoint, (seq) => {
      const event = this.history[seq - 1];
      if (event === undefined || !references.has(seq)) throw new Error(`the checkpoint asks for event ${seq}`);
      return event;
    });
  }
}

export interface ReportOptions {
  /** Claims and reports in one. */
  readonly lax?: boolean;
  /** UTC ms. */
  readonly arrivedAt?: number;
}
