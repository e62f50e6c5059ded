/** Sagas: nothing is undone while what it belongs to may still happen, each thing once, the latest first. */
import { roleOf, type EventBody } from '@graphrun/domain';
import type { Rules, Tree } from './tree.js';
import { violated } from './violation.js';

export class SagaRules implements Rules {
  /** Forward attempts nobody knows the end of. */
  readonly #unsettled = new Set<string>();
  readonly #owed = new Map<string, string[]>();
  readonly #undone = new Set<string>();
  readonly #begun = new Set<string>();

  constructor(readonly tree: Tree) {}

  check(body: EventBody, where: string): void {
    switch (body.kind) {
      case 'attempt_granted':
        if (roleOf(body.activation) === 'forward') this.#unsettled.add(body.activation);
        return;
      case 'activity_succeeded':
      case 'activity_failed':
      case 'activity_cancelled':
        this.#unsettled.delete(body.activation);
        return;
      case 'obligation_registered':
      case 'obligation_blocked':
        this.#list(this.tree.sagaAround(body.activation) ?? '').push(body.activation);
        return;
      case 'obligations_transferred':
        this.#list(body.to).push(...this.#list(body.from).splice(0));
        return;
      case 'obligations_released':
        this.#list(body.saga).length = 0;
        return;
      case 'compensation_started':
        this.#settledBeforeUndoing(body.activation, where);
        this.#latestFirst(body.activation, where);
        return;
      case 'compensation_completed':
        this.#undoneOnce(body.activation, where);
        this.#remove(body.activation);
        return;
      case 'obligation_abandoned':
        this.#remove(body.activation);
        return;
      default:
    }
  }

  /** Invariant 5. */
  #settledBeforeUndoing(activation: string, where: string): void {
    const saga = this.#sagaOf(activation);
    for (const running of this.#unsettled) {
      if (saga !== null && this.tree.around(running).includes(saga))
        violated('5 settled first', `${where}: ${running} may still happen in saga ${saga}`);
    }
  }

  /** Invariant 6, order. */
  #latestFirst(activation: string, where: string): void {
    const saga = this.#sagaOf(activation);
    if (saga === null) violated('6 undone once', `${where}: nobody owes ${activation}`);
    if (this.#begun.has(activation)) violated('6 undone once', `${where}: ${activation} is being undone already`);
    const latest = this.#list(saga).at(-1);
    if (latest !== activation) violated('6 undone once', `${where}: ${latest} is undone before ${activation}`);
    this.#begun.add(activation);
  }

  /** Invariant 6, number. */
  #undoneOnce(activation: string, where: string): void {
    if (this.#undone.has(activation)) violated('6 undone once', `${where}: ${activation} was undone before`);
    this.#undone.add(activation);
  }

  #list(saga: string): string[] {
    const list = this.#owed.get(saga) ?? [];
    this.#owed.set(saga, list);
    return list;
  }

  #sagaOf(activation: string): string | null {
    return [...this.#owed].find(([, list]) => list.includes(activation))?.[0] ?? null;
  }

  #remove(activation: string): void {
    for (const [saga, list] of this.#owed)
      this.#owed.set(
        saga,
        list.filter((id) => id !== activation),
      );
  }
}
