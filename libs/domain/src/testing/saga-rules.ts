/** What spec 03 "Sagas" asks of a history: what is owed, by whom, and in which order it is undone. */
import { roleOf, type ActivationId, type EventBody } from '../index.js';
import type { Rules, Tree } from './rules.js';

export class SagaRules implements Rules {
  /** Forward activities that may still have an effect. */
  private readonly unsettled = new Set<ActivationId>();
  /** What each saga owes, in order. */
  private readonly owed = new Map<string, ActivationId[]>();
  private readonly ended = new Set<string>();
  /** Containers that are closed, with all in them; `run` once the run stops. */
  private readonly closing = new Set<string>();
  private readonly inFlight = new Set<ActivationId>();
  /** An activity that must register its obligation with the next event. */
  private mustRegister: ActivationId | null = null;

  constructor(private readonly tree: Tree) {}

  check(body: EventBody): string | null {
    const owing = this.mustRegister;
    this.mustRegister = null;
    if (owing !== null && !(body.kind.startsWith('obligation_') && 'activation' in body && body.activation === owing))
      return `${owing} has succeeded without its obligation`;
    switch (body.kind) {
      case 'run_stop_intended':
        this.closing.add('run');
        return null;
      case 'run_reopened':
        // What was closed is open again; a saga owes nothing that it had not undone before.
        this.closing.clear();
        this.ended.clear();
        return null;
      case 'container_failing':
        this.closing.add(body.activation);
        return null;
      case 'scope_failing':
        this.closing.add(this.tree.ownerOf(body.scope) ?? 'run');
        return null;
      case 'attempt_granted':
        if (roleOf(body.activation) === 'forward') this.unsettled.add(body.activation);
        return null;
      case 'activity_succeeded':
        return this.succeeded(body.activation);
      case 'activity_failed':
      case 'activity_cancelled':
        this.unsettled.delete(body.activation);
        return null;
      case 'obligation_registered':
      case 'obligation_blocked':
      case 'obligation_irreversible':
        return this.register(body.activation);
      case 'obligations_transferred':
        this.list(body.to).push(...this.list(body.from).splice(0));
        return this.tree.sagasAround(body.from)[0] === body.to ? null : 'it is not the nearest saga around';
      case 'obligations_released':
        this.list(body.saga).length = 0;
        return this.tree.sagasAround(body.saga).length === 0 ? null : 'a saga around it owes this now';
      case 'compensation_started':
        return this.start(body.activation);
      case 'compensation_completed':
      case 'obligation_abandoned':
        return this.done(body.activation);
      case 'container_completed':
        return this.list(body.activation).length === 0 ? null : 'it still owes something';
      case 'container_failed':
      case 'container_cancelled':
        return this.close(body.activation);
      default:
        return null;
    }
  }

  private list(saga: string): ActivationId[] {
    const list = this.owed.get(saga) ?? [];
    this.owed.set(saga, list);
    return list;
  }

  private succeeded(activation: ActivationId): null {
    this.unsettled.delete(activation);
    const node = this.tree.nodeOf(activation);
    const saga = this.tree.sagasAround(activation)[0];
    if (node.kind === 'activity' && node.compensation !== undefined && saga !== undefined)
      this.mustRegister = activation;
    return null;
  }

  private register(activation: ActivationId): string | null {
    const saga = this.tree.sagasAround(activation)[0];
    if (saga === undefined) return 'it is in no saga';
    if (this.ended.has(saga)) return 'its saga has ended';
    const node = this.tree.nodeOf(activation);
    // What cannot be undone is never anybody's turn.
    if (node.kind === 'activity' && node.compensation?.kind === 'activity') this.list(saga).push(activation);
    return null;
  }

  private start(forward: ActivationId): string | null {
    const saga = this.ownerOf(forward);
    if (saga === null) return 'nobody owes it';
    if (this.inFlight.has(forward)) return 'it is being undone already';
    if (this.list(saga).at(-1) !== forward) return 'something later is undone first';
    for (const running of this.unsettled) {
      if (this.tree.around(running).includes(saga)) return `${running} may still happen in its saga`;
    }
    for (const other of this.inFlight) {
      if (this.stopTogether(saga, this.ownerOf(other) ?? '')) return `${other} is being undone at the same time`;
    }
    for (const [other, list] of this.owed) {
      const later = list.length > 0 && Number(other.slice(1)) > Number(saga.slice(1));
      if (later && this.stopTogether(saga, other)) return `${other} was opened later and goes first`;
    }
    this.inFlight.add(forward);
    return null;
  }

  private ownerOf(forward: ActivationId): string | null {
    return [...this.owed].find(([, list]) => list.includes(forward))?.[0] ?? null;
  }

  /** True for sagas in one stopping tree: one in the other, or both in something that is closed. */
  private stopTogether(a: string, b: string): boolean {
    if (a === b || this.closing.has('run')) return true;
    const aroundA = [a, ...this.tree.around(a)];
    const aroundB = [b, ...this.tree.around(b)];
    return aroundA.some((id) => this.closing.has(id) && aroundB.includes(id));
  }

  private done(forward: ActivationId): string | null {
    this.inFlight.delete(forward);
    for (const list of this.owed.values()) {
      const index = list.indexOf(forward);
      if (index < 0) continue;
      list.splice(index, 1);
      return null;
    }
    return 'it was undone before';
  }

  private close(container: string): string | null {
    this.ended.add(container);
    return this.list(container).length === 0 ? null : `it still owes ${this.list(container).join(', ')}`;
  }
}
