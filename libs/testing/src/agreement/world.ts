/**
 * What surrounds a run: workers, operators, clients and clocks. Whoever could do something now is somebody who might be
 * next. What they say is the script's; when they say it, and what goes wrong on the way, is chosen at random and must not
 * change what the run does.
 */
import {
  activityNodeOf,
  askedBy,
  assignmentOf,
  forwardOf,
  isTerminal,
  pathOf,
  roleOf,
  type ActivationId,
  type ClaimedLeaf,
  type Leaf,
  type ReadyLeaf,
  type ReportOutcome,
  type Resolution,
  type Run,
  type RunEvent,
  type SignalEventId,
  type Wait,
  type WaitId,
} from '@graphrun/domain';
import type { Json, Program } from '@graphrun/dsl';
import { answerId, DECLINED, lateId, leavesUnknown, type Ending, type Loss, type Script } from '../oracle/index.js';
import type { Engine } from './engine.js';
import { Owner } from './owner.js';
import { Picks } from './picks.js';

export interface Trial {
  readonly engine: Engine;
  readonly program: Program;
  readonly input: Json;
  readonly script: Script;
  /** Who is next, and what goes wrong. */
  readonly choices: readonly number[];
  /** What stops the run from outside; null if nothing does. */
  readonly stop: Stop | null;
}

export interface Stop {
  /** Moves until then. */
  readonly after: number;
  /** A client cancels the run, or it is over its time. What comes second must not matter. */
  readonly by: 'cancel' | 'timeout' | 'cancel, then timeout' | 'timeout, then cancel';
}

/** A run was told to stop. */
export interface Asked {
  /** Sequence of the last event before. */
  readonly afterSeq: number;
  /** What it has to end with if it has not begun to stop by itself. */
  readonly code: 'run.cancelled' | 'run.timeout';
}

/** What was seen of a run that has ended, or that nobody will ever wake. */
export interface Course {
  readonly engine: Engine;
  readonly program: Program;
  readonly run: Run;
  readonly history: readonly RunEvent[];
  /** What workers were told with each grant, by `activation@generation`. */
  readonly told: ReadonlyMap<string, Told>;
  readonly asked: Asked | null;
}

export interface Told {
  /** `name/vN`. */
  readonly handler: string;
  readonly input: Json;
}

const MOST_MOVES = 20_000;
const DAY_MS = 86_400_000;
/** An attempt that is handed back costs nothing, but must not be handed back for ever. */
const MOST_RETURNS = 3;
/** No schema of the generated catalogs takes this for an output. */
const BAD_OUTPUT: Json = { 'no such member': [] };

export function follow(trial: Trial): Course {
  const world = new World(trial);
  world.play();
  return world.course();
}

type Move = () => void;

class World {
  private readonly owner: Owner;
  private readonly picks: Picks;
  private readonly told = new Map<string, Told>();
  private readonly paths = new Map<ActivationId, string>();
  /** Attempts about which an operator has said that they had no effect, by `activation@attempt`. */
  private readonly disowned = new Set<string>();
  private signalsSent = 0;
  private asked: Asked | null = null;

  constructor(private readonly trial: Trial) {
    this.picks = new Picks(trial.choices);
    this.owner = new Owner(trial.engine, trial.program, () => this.picks.below(65_536));
  }

  play(): void {
    const { owner, picks, trial } = this;
    owner.start(trial.input);
    for (let made = 0; !isTerminal(owner.run.status); made += 1) {
      if (made === MOST_MOVES) throw new Error(`the run does not end:\n${trial.engine.encodeCheckpoint(owner.run)}`);
      if (made === trial.stop?.after) this.stop(trial.stop.by);
      else if (!picks.isUsedUp && picks.below(6) === 5) this.disturb();
      else {
        const moves = this.moves();
        const move = moves[picks.below(Math.max(1, moves.length))];
        if (move === undefined) break;
        move();
      }
    }
  }

  course(): Course {
    const { run, history, program } = this.owner;
    const { engine } = this.trial;
    const [live, folded] = [run, engine.reconstruct(program, history)].map(engine.encodeCheckpoint);
    if (live !== folded) throw new Error(`the history gives another state:\n${folded}\n${live}`);
    return { engine, program, run, history, told: this.told, asked: this.asked };
  }

  private stop(by: Stop['by']): void {
    const { owner } = this;
    const cancels = by.startsWith('cancel');
    this.asked = { afterSeq: owner.history.length, code: cancels ? 'run.cancelled' : 'run.timeout' };
    const intents = cancels
      ? [() => owner.cancel(), () => owner.timeOut()]
      : [() => owner.timeOut(), () => owner.cancel()];
    const [first, second] = intents;
    first?.();
    if (by.includes('then') && !isTerminal(owner.run.status)) second?.();
  }

  // ----------------------------------------------------------------------------------------------------------- moves

  /** Everything that could be next. */
  private moves(): readonly Move[] {
    const { run } = this.owner;
    const { ready, claims, progressDue } = this.owner.agenda();
    const moves: Move[] = [];
    const [signal] = this.trial.script.buffered.slice(this.signalsSent);
    if (run.paused !== null) moves.push(() => this.owner.hold('resume'));
    if (progressDue) moves.push(() => this.owner.send({ kind: 'progress' }));
    if (signal !== undefined) moves.push(() => this.signal(signal));
    for (const offer of ready) moves.push(() => this.begin(offer));
    for (const claim of claims) moves.push(() => this.end(claim));
    moves.push(...this.answers(), ...this.interventions());
    // Buffered signals are there before any time passes.
    if (signal === undefined) moves.push(...this.timers());
    return moves;
  }

  private begin({ leaf, generation }: ReadyLeaf): void {
    const { run } = this.owner;
    const { role, handler } = assignmentOf(run, leaf);
    if (role === 'forward') this.paths.set(leaf.id, pathOf(run, run.scopes.get(leaf.scope) ?? null, leaf.node));
    this.told.set(`${leaf.id}@${generation}`, {
      handler: `${handler.name}/v${handler.version}`,
      input: leaf.input.value,
    });
    const isPure = role === 'forward' && run.program.contract(handler).effects === 'pure';
    const outcome = isPure && this.picks.below(2) === 1 ? this.outcomeOf(leaf, leaf.attempts + 1) : null;
    const decision =
      outcome === null
        ? this.owner.claim(leaf.id, generation)
        : this.owner.report(leaf.id, generation, outcome, { lax: true });
    if (decision.kind !== 'accepted') throw new Error(`an offer of ${leaf.id} was not for anybody`);
  }

  /** The attempt comes to its end. */
  private end({ leaf, claim }: ClaimedLeaf): void {
    const { owner } = this;
    const { generation, deadline } = claim;
    const outcome = this.outcomeOf(leaf, leaf.attempts);
    if (outcome !== null) {
      if (this.picks.below(8) === 7 && this.comesLate(leaf)) return this.reportLate({ leaf, claim }, outcome);
      // What was reported in time counts, whenever it is applied.
      owner.report(leaf.id, generation, outcome, { arrivedAt: Math.min(owner.now, deadline) });
      return;
    }
    const isTimeout = this.endingOf(leaf, leaf.attempts).kind === 'timeout';
    if (isTimeout) owner.now = Math.max(owner.now, deadline);
    const reason = isTimeout ? 'timeout' : this.picks.of(['worker_lost', 'lease'] as const);
    owner.send({ kind: 'expire', activation: leaf.id, generation, reason });
  }

  /** A report may come after its time only while nothing else has been decided: not where the loss alone is the end. */
  private comesLate(leaf: Leaf): boolean {
    const { run } = this.owner;
    const role = roleOf(leaf.id);
    const { effect } = assignmentOf(run, leaf);
    if (role === 'reconciliation' || leavesUnknown(run.program.contract(effect), this.endingOf(leaf, leaf.attempts))) {
      return false;
    }
    if (role === 'compensation') return true;
    const { activity, retry } = activityNodeOf(run, leaf);
    const isLeft = leaf.attempts - leaf.returned < retry.maxAttempts + leaf.extended;
    return isLeft || run.program.contract(activity).effects === 'external';
  }

  /** After the deadline, with or without the engine having noticed that it has passed. It settles what nothing else has. */
  private reportLate({ leaf, claim: { generation, deadline } }: ClaimedLeaf, outcome: ReportOutcome): void {
    const { owner } = this;
    if (this.picks.below(2) === 0) {
      owner.send({ kind: 'expire', activation: leaf.id, generation, reason: 'worker_lost' });
    } else {
      owner.now = Math.max(owner.now, deadline + 1);
    }
    owner.report(leaf.id, generation, outcome, {});
  }

  private endingOf(leaf: Leaf, attempts: number): Ending {
    const role = roleOf(leaf.id);
    if (role === 'reconciliation') return { kind: 'success' };
    return this.trial.script.ending({ path: this.pathOf(leaf.id), role, attempt: attempts - leaf.returned });
  }

  private pathOf(activation: ActivationId): string {
    const path = this.paths.get(forwardOf(activation));
    if (path === undefined) throw new Error(`${activation} was never begun`);
    return path;
  }

  /** What is reported of an attempt; null when nothing is. */
  private outcomeOf(leaf: Leaf, attempts: number): ReportOutcome | null {
    if (roleOf(leaf.id) === 'reconciliation') return this.found(leaf);
    const ending = this.endingOf(leaf, attempts);
    switch (ending.kind) {
      case 'success':
        return { kind: 'success', output: this.output(leaf) };
      case 'error':
        return { kind: 'error', failure: { code: ending.code, message: ending.message } };
      case 'unhandled':
        return { kind: 'unhandled', failure: { code: 'activity.unhandled', message: 'TypeError: the handler broke' } };
      case 'bad_output':
        return { kind: 'success', output: BAD_OUTPUT };
      case 'too_large':
        return refused('worker.result_too_large', 'the result has 300 KiB');
      case 'undecoded':
        return refused('worker.decode', 'the codec does not know this input');
      default:
        return null;
    }
  }

  private output(leaf: Leaf): Json {
    const { effect } = assignmentOf(this.owner.run, leaf);
    return this.trial.script.perform(effect, leaf.input.value);
  }

  /** What a reconciler finds out about the attempt it is asked about. */
  private found(probe: Leaf): ReportOutcome {
    const leaf = this.owner.run.leaves.get(askedBy(probe.id));
    if (leaf === undefined) throw new Error(`${probe.id} asks about nothing`);
    const { person } = this.lossOf(leaf);
    if (person !== 'looks' || this.picks.below(4) === 3) return { kind: 'probed', answer: 'unknown' };
    if (this.lossOf(leaf).applied) return { kind: 'probed', answer: 'applied', output: this.output(leaf) };
    return { kind: 'probed', answer: 'not_applied' };
  }

  /** The truth about a leaf whose last attempt has left it unknown, or what a person may say of any other. */
  private lossOf(leaf: Leaf): Pick<Loss, 'applied' | 'person'> {
    const ending = this.endingOf(leaf, leaf.attempts);
    const { effect } = assignmentOf(this.owner.run, leaf);
    const contract = this.owner.program.contract(effect);
    return leavesUnknown(contract, ending) ? ending : { applied: true, person: 'looks' };
  }

  // ------------------------------------------------------------------------------------------------ signals and time

  private signal({ id, signal, key, payload }: Script['buffered'][number]): void {
    this.signalsSent += 1;
    this.accept({ event: id as SignalEventId, signal, key, payload }, this.owner.now);
  }

  private accept(
    signal: { readonly event: SignalEventId; readonly signal: string; readonly key: string; readonly payload: Json },
    arrivedAt: number,
  ): void {
    const { owner } = this;
    const decision = owner.execute({ kind: 'signal', commandId: owner.commandId(), ...signal }, { arrivedAt });
    // A run that stops takes none.
    if (decision.kind !== 'accepted' && owner.run.status.kind === 'active') {
      throw new Error(`the signal ${signal.event} was refused: ${JSON.stringify(decision)}`);
    }
  }

  private answers(): readonly Move[] {
    return this.answerable().map(({ wait, payload }) => () => {
      if (wait.for.kind !== 'signal') return;
      const { signal, key } = wait.for;
      const event = answerId(this.waitPath(wait)) as SignalEventId;
      const { owner } = this;
      const latest = wait.dueAt === null ? owner.now : wait.dueAt - 1;
      // It may have come just in time and be applied much later.
      if (wait.dueAt !== null && this.picks.below(4) === 3) owner.now = Math.max(owner.now, wait.dueAt);
      this.accept({ event, signal, key, payload }, Math.min(owner.now, latest));
    });
  }

  /** Waits that are open and that somebody will answer. */
  private answerable(): readonly { readonly wait: Wait; readonly payload: Json }[] {
    const { run } = this.owner;
    if (this.isStopping()) return [];
    return [...run.pending].flatMap((id) => {
      const wait = run.waits.get(id);
      if (wait?.for.kind !== 'signal' || run.scopes.get(wait.scope)?.status.kind !== 'open') return [];
      const payload = this.trial.script.answer(this.waitPath(wait), wait.for.signal);
      return payload === undefined ? [] : [{ wait, payload }];
    });
  }

  private isStopping(): boolean {
    const { status } = this.owner.run;
    return status.kind === 'stopping' || (status.kind === 'blocked' && status.stop !== null);
  }

  private waitPath({ scope, node }: Wait): string {
    const { run } = this.owner;
    return pathOf(run, run.scopes.get(scope) ?? null, node);
  }

  /** Time passes to something that is due; an answer comes before that, while it still counts. */
  private timers(): readonly Move[] {
    const answerable = this.answerable().map(({ wait }) => wait);
    const oldest = Math.min(...answerable.map(({ openedAt }) => openedAt));
    return this.owner.agenda().timers.flatMap(({ name, dueAt }) => {
      const isOurs = name !== 'run' && name !== 'inbox' && !answerable.some(({ id }) => id === name);
      if (!isOurs || dueAt > oldest + DAY_MS) return [];
      return () => {
        this.owner.now = Math.max(this.owner.now, dueAt);
        if (name.startsWith('w')) this.tooLate(name as WaitId);
        this.owner.send({ kind: 'timer', name, dueAt });
      };
    });
  }

  /** A signal for a wait whose time is over, before its timer has been decided. */
  private tooLate(id: WaitId): void {
    const { run } = this.owner;
    const wait = run.waits.get(id);
    if (wait?.for.kind !== 'signal' || this.isStopping() || run.scopes.get(wait.scope)?.status.kind !== 'open') return;
    const path = this.waitPath(wait);
    const { signal, key } = wait.for;
    const payload = this.trial.script.late(path, { signal, key });
    if (payload === undefined) return;
    this.accept({ event: lateId(path) as SignalEventId, signal, key, payload }, this.owner.now);
  }

  // -------------------------------------------------------------------------------------------------------- operators

  private interventions(): readonly Move[] {
    const { owner } = this;
    const { run } = owner;
    const moves: Move[] = [];
    for (const leaf of run.leaves.values()) {
      if (leaf.status.kind === 'blocked') moves.push(() => this.decide(leaf));
    }
    for (const { forward, status, handler } of run.obligations.values()) {
      if (status.kind !== 'blocked_input' || handler === null) continue;
      const input = this.trial.script.supply(run.program.contract(handler).inputSchema);
      moves.push(() => owner.resolve(forward, { kind: 'input', input }));
    }
    return moves;
  }

  /** An operator does what the script says; a compensation that cannot be had otherwise is done by hand. */
  private decide(leaf: Leaf): void {
    const decision = this.owner.resolve(leaf.id, this.resolution(leaf));
    if (decision.kind !== 'accepted') throw new Error(`an operator was refused: ${JSON.stringify(decision)}`);
  }

  private resolution(leaf: Leaf): Resolution {
    const attempt = `${leaf.id}@${leaf.attempts}`;
    const { applied, person } = this.lossOf(leaf);
    if (person === 'fails') return { kind: 'fail', failure: DECLINED };
    if (person === 'repeats' && this.mayRepeat(leaf)) return { kind: 'retry', attempts: 1 };
    if (applied || this.disowned.has(attempt)) return { kind: 'applied', output: this.output(leaf) };
    this.disowned.add(attempt);
    return { kind: 'not_applied' };
  }

  private mayRepeat({ id, scope }: Leaf): boolean {
    if (roleOf(id) === 'compensation') return true;
    return !this.isStopping() && this.owner.run.scopes.get(scope)?.status.kind === 'open';
  }

  // ----------------------------------------------------------------------------------------------------- disturbances

  private disturb(): void {
    const { owner, picks } = this;
    switch (picks.below(7)) {
      case 0:
        return owner.restart('checkpoint');
      case 1:
        return owner.restart('history');
      case 2:
      case 3:
        return this.repeat();
      case 4:
        return this.late();
      case 5:
        return this.handBack();
      default:
        owner.hold(owner.run.paused === null ? 'pause' : 'resume');
    }
  }

  /** A message comes again. */
  private repeat(): void {
    const { owner, picks } = this;
    const again = owner.sent[picks.below(Math.max(1, owner.sent.length))];
    if (again === undefined) return;
    const before = owner.history.length;
    owner.execute(again.command, { arrivedAt: again.arrivedAt });
    // A timer that is due again and progress are as good as new.
    if (again.command.kind !== 'timer' && again.command.kind !== 'progress') this.expectEvidenceOnly(before);
  }

  /** A worker that reported once reports something else. */
  private late(): void {
    const { owner, picks } = this;
    const reports = owner.sent.flatMap(({ command }) =>
      command.kind === 'report' && (command.outcome.kind === 'error' || this.isDecided(command.outcome))
        ? [command]
        : [],
    );
    const report = reports[picks.below(Math.max(1, reports.length))];
    if (report === undefined) return;
    const before = owner.history.length;
    owner.execute({ ...report, outcome: { kind: 'error', failure: { code: 'broken', message: 'said too late' } } });
    this.expectEvidenceOnly(before);
  }

  private isDecided(outcome: ReportOutcome): boolean {
    return outcome.kind === 'success' && outcome.output !== BAD_OUTPUT;
  }

  private expectEvidenceOnly(before: number): void {
    const recorded = this.owner.history.slice(before).map(({ body }) => body.kind);
    if (recorded.some((kind) => kind !== 'late_result_observed')) {
      throw new Error(`what came twice or too late recorded ${recorded.join(', ')}`);
    }
  }

  /** A worker hands an attempt back without having begun. */
  private handBack(): void {
    const { owner, picks } = this;
    const { claims } = owner.agenda();
    const claim = claims[picks.below(Math.max(1, claims.length))];
    if (claim === undefined || claim.leaf.returned === MOST_RETURNS) return;
    const { leaf } = claim;
    owner.report(leaf.id, claim.claim.generation, { kind: 'returned', reason: 'the worker shuts down' }, {});
  }
}

function refused(code: string, message: string): ReportOutcome {
  return { kind: 'unhandled', failure: { code, message } };
}
