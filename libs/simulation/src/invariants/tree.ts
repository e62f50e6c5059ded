/** What stands in what, from events alone. */
import type { EventBody } from '@graphrun/domain';

export interface Rules {
  /** Throws a violation where an event breaks a rule; `where` names the event. */
  check(body: EventBody, where: string): void;
}

export class Tree {
  readonly #ownerOfScope = new Map<string, string | null>();
  readonly #scopeOf = new Map<string, string>();
  readonly #sagas = new Set<string>();

  add(body: EventBody): void {
    if (body.kind === 'scope_opened') this.#ownerOfScope.set(body.scope, null);
    else if (body.kind === 'body_opened') this.#ownerOfScope.set(body.scope, body.owner);
    else if ('activation' in body && 'scope' in body) this.#scopeOf.set(body.activation, body.scope);
    if (body.kind === 'saga_entered') this.#sagas.add(body.activation);
  }

  has(activation: string): boolean {
    return this.#scopeOf.has(activation);
  }

  /** The container whose body a scope is, null for the root. */
  ownerOf(scope: string): string | null {
    return this.#ownerOfScope.get(scope) ?? null;
  }

  /** Scopes and containers around an activation, nearest first. */
  around(activation: string): readonly string[] {
    const around: string[] = [];
    let scope = this.#scopeOf.get(activation);
    while (scope !== undefined) {
      around.push(scope);
      const owner = this.#ownerOfScope.get(scope) ?? null;
      if (owner === null) break;
      around.push(owner);
      scope = this.#scopeOf.get(owner);
    }
    return around;
  }

  sagaAround(activation: string): string | null {
    return this.around(activation).find((id) => this.#sagas.has(id)) ?? null;
  }
}
