/** What a history must keep about sagas: what is owed is undone once, last first, and not before it is settled. */
import { roleOf } from '@graphrun/domain';
import type { ActivationId, EventView } from '@graphrun/domain';
import { activationOf } from './history-rules.js';
import type { RecordedRun } from './recorded-run.js';
import { ActivationTree, textOf } from './tree.js';

/** One sentence for each rule that is broken. */
export function brokenSagas({ events }: RecordedRun): readonly string[] {
  const watch = new SagaWatch();
  return events.flatMap((event) => watch.see(event));
}

class SagaWatch {
  readonly #tree = new ActivationTree();
  /** What each saga owes, in the order in which it came to owe it. */
  readonly #owed = new Map<string, readonly string[]>();
  /** Steps that were granted and may still have an effect. */
  readonly #unsettled = new Set<string>();

  see(event: EventView): readonly string[] {
    this.#tree.note(event);
    const activation = activationOf(event);
    switch (event.kind) {
      case 'attempt_granted':
        if (roleOf(activation as ActivationId) === 'forward') this.#unsettled.add(activation);
        return [];
      case 'activity_succeeded':
      case 'activity_failed':
      case 'activity_cancelled':
        this.#unsettled.delete(activation);
        return [];
      case 'obligation_registered':
      case 'obligation_blocked':
        return this.#register(activation);
      case 'obligations_transferred':
        this.#transfer(textOf(event, 'from'), textOf(event, 'to'));
        return [];
      case 'obligations_released':
        this.#owed.delete(textOf(event, 'saga'));
        return [];
      case 'compensation_started':
        return this.#start(activation);
      case 'compensation_completed':
      case 'obligation_abandoned':
        return this.#settle(activation, event.kind);
      case 'container_failed':
      case 'container_cancelled':
        return this.#of(activation).map((owed) => `saga ${activation} has ended and still owes ${owed}`);
      default:
        return [];
    }
  }

  #of(saga: string): readonly string[] {
    return this.#owed.get(saga) ?? [];
  }

  #owner(activation: string): string | undefined {
    return [...this.#owed.keys()].find((saga) => this.#of(saga).includes(activation));
  }

  #register(activation: string): readonly string[] {
    const saga = this.#tree.sagaOf(activation);
    if (saga === undefined) return [`${activation} is owed by no saga`];
    this.#owed.set(saga, [...this.#of(saga), activation]);
    return [];
  }

  #transfer(from: string, to: string): void {
    this.#owed.set(to, [...this.#of(to), ...this.#of(from)]);
    this.#owed.delete(from);
  }

  #start(activation: string): readonly string[] {
    const saga = this.#owner(activation);
    if (saga === undefined) return [`${activation} is undone and nobody owes it`];
    const last = this.#of(saga).at(-1);
    const open = [...this.#unsettled].filter((step) => this.#tree.around(step).includes(saga));
    return [
      ...(last === activation ? [] : [`${activation} is undone before ${last}`]),
      ...open.map((step) => `${activation} is undone while ${step} may still happen`),
    ];
  }

  #settle(activation: string, kind: string): readonly string[] {
    const saga = this.#owner(activation);
    if (saga === undefined) return [`${kind} of ${activation}, which nobody owes`];
    this.#owed.set(
      saga,
      this.#of(saga).filter((other) => other !== activation),
    );
    return [];
  }
}
