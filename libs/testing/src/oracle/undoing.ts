/**
 * What is owed and how it is undone (spec 03 "Sagas"): which obligations there are follows from the predicted courses, in
 * which order they came from what was seen, and from both in which order they must be undone.
 */
import { canonicalize, type Json } from '@graphrun/dsl';
import type { Fact, SeenOutcome, SeenSummary } from './observation.js';
import type { ActivityStep, Course, Owed } from './prediction.js';

/** A saga that is under way. */
interface Saga {
  readonly path: string;
  /** What it owes, in order: paths of activities. */
  readonly owed: string[];
}

export class Undoing {
  private readonly found: string[] = [];
  private readonly activities = new Map<string, ActivityStep>();
  /** In the order in which they were entered. */
  private readonly sagas = new Map<string, Saga>();
  private readonly closed: string[] = [];
  /** Activities without a result. */
  private readonly unsettled = new Set<string>();
  /** A success whose obligation must be the next fact. */
  private mustOwe: ActivityStep | null = null;
  private readonly inFlight = new Set<string>();
  private readonly undone = new Set<string>();
  /** Effects that stay, as `path: reason`. */
  private readonly standing: string[] = [];
  /** Sagas that have undone something. */
  private readonly compensated = new Set<string>();

  constructor(root: Course) {
    this.index(root);
  }

  private index(course: Course): void {
    for (const step of course.steps) {
      if (step.kind === 'activity') this.activities.set(step.path, step);
      if (step.kind === 'container') step.bodies.forEach((body) => this.index(body));
    }
  }

  private note(path: string, what: string): void {
    this.found.push(`${path}: ${what}`);
  }

  add(fact: Fact): void {
    if (this.mustOwe !== null && (fact.kind !== 'owes' || fact.path !== this.mustOwe.path)) {
      this.note(this.mustOwe.path, 'has succeeded and owes nothing');
    }
    switch (fact.kind) {
      case 'entered':
        this.forward(fact.path, 'is entered');
        if (fact.what === 'activity') this.unsettled.add(fact.path);
        if (fact.what === 'saga') this.sagas.set(fact.path, { path: fact.path, owed: [] });
        break;
      case 'begun':
        this.begun(fact);
        break;
      case 'settled':
        this.settled(fact.path, fact.succeeded);
        return;
      case 'owes':
        this.owes(fact);
        break;
      case 'supplied':
        if (this.reversible(fact.path)?.supplied === false) this.note(fact.path, 'should need no input from a person');
        break;
      case 'completed':
        this.completed(fact.path);
        break;
      case 'closed':
        this.closed.push(fact.path);
        break;
      case 'undoing':
        this.undo(fact.path);
        break;
      case 'undone':
        this.finish(fact.path, fact.attempts);
        break;
      case 'over':
        this.over(fact.path);
        break;
      case 'left':
        this.left(fact.path);
        break;
      case 'asked':
        break;
    }
    this.mustOwe = null;
  }

  differences(outcome: SeenOutcome): readonly string[] {
    if (this.mustOwe !== null) this.note(this.mustOwe.path, 'has succeeded and owes nothing');
    if (outcome.kind === 'waiting') return this.found;
    for (const path of this.unsettled) this.note(path, 'should have a result when the run has ended');
    for (const path of this.sagas.keys()) this.note(path, 'should be over when the run has ended');
    if (outcome.kind === 'failed' || outcome.kind === 'cancelled') this.summary(outcome.compensation);
    return this.found;
  }

  // --------------------------------------------------------------------------------------------------------- forward

  /** Something begins, which nothing closed may do. */
  private forward(path: string, what: string): void {
    const around = this.closed.find((closed) => isInside(path, closed));
    if (around !== undefined) this.note(path, `${what} after ${around === '' ? 'the run' : around} was closed`);
  }

  private begun({ path, role, handler, input }: Extract<Fact, { kind: 'begun' }>): void {
    const step = this.activities.get(path);
    if (step === undefined) return this.note(path, 'no worker should begin this');
    if (role === 'forward') {
      this.forward(path, 'is begun');
      return this.same(path, 'a worker', [step.activity, step.input], [handler, input]);
    }
    const owed = this.reversible(path);
    this.same(path, 'the worker that undoes it', [owed?.handler ?? null, owed?.input ?? null], [handler, input]);
  }

  private same(path: string, what: string, predicted: unknown, seen: unknown): void {
    const [wanted, found] = [text(predicted), text(seen)];
    if (wanted !== found) this.note(path, `${what} should get ${wanted}, not ${found}`);
  }

  private settled(path: string, succeeded: boolean): void {
    this.unsettled.delete(path);
    const step = this.activities.get(path);
    const saga = this.sagaAround(path);
    const owes = succeeded && saga !== null && step !== undefined && step.owes !== null;
    if (owes) saga.owed.push(path);
    this.mustOwe = owes ? step : null;
  }

  private owes({ path, owed }: Extract<Fact, { kind: 'owes' }>): void {
    if (this.mustOwe?.path !== path) return this.note(path, 'should owe nothing here');
    const wanted = this.mustOwe.owes;
    if (wanted?.kind === 'undone' && wanted.supplied) {
      this.same(path, 'the obligation', { kind: 'lacks_input', handler: wanted.handler }, owed);
    } else if (wanted?.kind === 'undone') {
      this.same(path, 'the obligation', { kind: 'undone', handler: wanted.handler, input: wanted.input }, owed);
    } else this.same(path, 'the obligation', { kind: 'irreversible', reason: wanted?.reason }, owed);
  }

  /** A saga that succeeds hands what it owes to the one around it, as a group, or owes nothing any more. */
  private completed(path: string): void {
    const saga = this.sagas.get(path);
    if (saga === undefined) return;
    this.sagas.delete(path);
    this.sagaAround(path)?.owed.push(...saga.owed);
  }

  private sagaAround(path: string): Saga | null {
    let nearest: Saga | null = null;
    for (const saga of this.sagas.values()) {
      if (isInside(path, saga.path) && saga.path.length >= (nearest?.path.length ?? 0)) nearest = saga;
    }
    return nearest;
  }

  // --------------------------------------------------------------------------------------------------------- undoing

  private undo(path: string): void {
    const saga = [...this.sagas.values()].find(({ owed }) => owed.includes(path));
    if (saga === undefined) return this.note(path, 'is undone, and no saga owes it');
    if (this.undone.has(path) || this.inFlight.has(path)) this.note(path, 'is undone twice');
    const [next] = this.leftOf(saga);
    if (next !== path) this.note(path, `is undone when it is the turn of ${next ?? 'nothing'}`);
    const stopping = this.outermostClosed(saga.path);
    if (stopping === null) this.note(path, `is undone while ${saga.path} goes forward`);
    else {
      this.checkSettled(path, saga, stopping);
      this.checkTurn(path, saga, stopping);
    }
    this.inFlight.add(path);
  }

  /** The stopping subtree that something is in: the largest part around it that is closed. */
  private outermostClosed(path: string): string | null {
    const around = this.closed.filter((closed) => closed === path || isInside(path, closed));
    return around.reduce<string | null>((a, b) => (a === null || b.length < a.length ? b : a), null);
  }

  /** No forward effect may still happen in the saga, nor in the outermost one around it that aborts with it. */
  private checkSettled(path: string, saga: Saga, stopping: string): void {
    let aborting = saga.path;
    for (const { path: outer } of this.sagas.values()) {
      const isPartOf = outer === stopping || isInside(outer, stopping);
      if (isPartOf && isInside(aborting, outer)) aborting = outer;
    }
    for (const unsettled of this.unsettled) {
      if (isInside(unsettled, aborting)) this.note(path, `is undone before ${unsettled} is settled`);
    }
  }

  /** Of the sagas in a stopping subtree the one that was entered last goes first, and nothing goes beside it. */
  private checkTurn(path: string, saga: Saga, stopping: string): void {
    const together = [...this.sagas.values()].filter((each) => each.path === stopping || isInside(each.path, stopping));
    for (const other of together) {
      for (const busy of other.owed) {
        if (this.inFlight.has(busy)) this.note(path, `is undone beside ${busy}`);
      }
    }
    for (const later of together.slice(together.indexOf(saga) + 1)) {
      const [first] = this.leftOf(later);
      if (first !== undefined) this.note(path, `is undone before ${first}, which ${later.path} owes`);
    }
  }

  /** What a saga has still to undo, the next first. */
  private leftOf({ owed }: Saga): readonly string[] {
    return owed.filter((path) => this.reversible(path) !== null && !this.undone.has(path)).reverse();
  }

  private reversible(path: string): Extract<Owed, { kind: 'undone' }> | null {
    const owes = this.activities.get(path)?.owes ?? null;
    return owes?.kind === 'undone' ? owes : null;
  }

  private finish(path: string, attempts: number): void {
    if (!this.inFlight.delete(path)) this.note(path, 'has been undone without a beginning');
    this.undone.add(path);
    const saga = [...this.sagas.values()].find(({ owed }) => owed.includes(path));
    if (saga !== undefined) this.compensated.add(saga.path);
    const wanted = this.reversible(path)?.attempts;
    if (wanted !== attempts) this.note(path, `should be undone in ${wanted ?? 'no'} attempts, not ${attempts}`);
  }

  /** Everything in it is settled, and what had to be undone is undone. */
  private over(path: string): void {
    for (const unsettled of this.unsettled) {
      if (isInside(unsettled, path)) this.note(path, `is over before ${unsettled} is settled`);
    }
    for (const busy of this.inFlight) {
      if (isInside(busy, path)) this.note(path, `is over before ${busy} is undone`);
    }
    const saga = this.sagas.get(path);
    if (saga === undefined) return;
    this.sagas.delete(path);
    for (const left of this.leftOf(saga)) this.note(left, `is not undone, and ${path} is over`);
    for (const owed of saga.owed) {
      const owes = this.activities.get(owed)?.owes;
      if (owes?.kind === 'irreversible') this.standing.push(`${owed}: ${owes.reason}`);
    }
  }

  /** Sagas that were left by an error route took what they had undone with them, but not what stands. */
  private left(path: string): void {
    for (const saga of this.compensated) {
      if (saga === path || isInside(saga, path)) this.compensated.delete(saga);
    }
  }

  private summary(seen: SeenSummary | null): void {
    const complete = this.standing.length === 0;
    const wanted = { complete, irreversible: this.standing.toSorted(), unresolved: [] };
    const speaks = !complete || this.compensated.size > 0;
    const [predicted, found] = [text(speaks ? wanted : null), text(seen)];
    if (predicted !== found) this.found.push(`the outcome should say of effects ${predicted}, not ${found}`);
  }
}

/** Bodies of a container have its path and something more: `nodes.each[3]`, `nodes.pick.first`. */
function isInside(path: string, container: string): boolean {
  if (container === '') return true;
  return path.startsWith(`${container}.`) || path.startsWith(`${container}[`);
}

/** For comparing and for reading; what is compared is JSON. */
function text(value: unknown): string {
  return canonicalize(value as Json);
}
