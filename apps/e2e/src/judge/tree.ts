/** Where the activations of a run stand: which containers are around each, told by the events alone. */
import type { EventView } from '@graphrun/domain';

export class ActivationTree {
  readonly #scopes = new Map<string, string>();
  readonly #owners = new Map<string, string>();
  readonly #sagas = new Set<string>();

  note(event: EventView): void {
    const { kind, activation, scope } = event;
    if (kind === 'body_opened') this.#owners.set(textOf(event, 'scope'), textOf(event, 'owner'));
    // Every node that is entered says in which scope.
    else if (typeof activation === 'string' && typeof scope === 'string') this.#scopes.set(activation, scope);
    if (kind === 'saga_entered') this.#sagas.add(textOf(event, 'activation'));
  }

  /** The containers around an activation, the nearest first. */
  around(activation: string): readonly string[] {
    const owner = this.#owners.get(this.#scopes.get(activation) ?? '');
    return owner === undefined ? [] : [owner, ...this.around(owner)];
  }

  /** The nearest saga around an activation. */
  sagaOf(activation: string): string | undefined {
    return this.around(activation).find((container) => this.#sagas.has(container));
  }
}

/** A member of an event that is an id; empty where the event has none. */
export function textOf(event: EventView, member: string): string {
  const value = event[member];
  return typeof value === 'string' ? value : '';
}
