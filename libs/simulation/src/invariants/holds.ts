/** Invariant 11: nothing is granted that a pause or a stop, of the run or of what is around it, has put an end to. */
import { roleOf, type EventBody } from '@graphrun/domain';
import type { Rules, Tree } from './tree.js';
import { violated } from './violation.js';

export class HoldRules implements Rules {
  #paused = false;
  #stopping = false;
  readonly #closed = new Set<string>();

  constructor(readonly tree: Tree) {}

  check(body: EventBody, where: string): void {
    switch (body.kind) {
      case 'run_paused':
      case 'run_resumed':
        this.#paused = body.kind === 'run_paused';
        return;
      case 'run_stop_intended':
        this.#stopping = true;
        return;
      case 'run_reopened':
        this.#stopping = false;
        this.#closed.clear();
        return;
      case 'scope_failing':
        this.#closed.add(this.tree.ownerOf(body.scope) ?? body.scope);
        return;
      case 'container_failing':
      case 'saga_abort_started':
        this.#closed.add('saga' in body ? body.saga : body.activation);
        return;
      case 'attempt_granted':
        nothingIsGrantedOnHold(this.#paused, where);
        if (roleOf(body.activation) === 'forward') this.#noForwardWorkAfterAStop(body.activation, where);
        return;
      default:
    }
  }

  #noForwardWorkAfterAStop(activation: string, where: string): void {
    if (this.#stopping) violated('11 grants', `${where}: the run stops`);
    const closed = this.tree.around(activation).find((id) => this.#closed.has(id));
    if (closed !== undefined) violated('11 grants', `${where}: ${closed} is closed`);
  }
}

function nothingIsGrantedOnHold(paused: boolean, where: string): void {
  if (paused) violated('11 grants', `${where}: the run is paused`);
}
