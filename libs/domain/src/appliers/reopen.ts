/** Applier of `run_reopened`: a failed run goes on at its failed activations (spec 02 "Continue-as-new, reopen"). */
import type { BodyOf, RunEvent } from '../events.js';
import type { ActivationId } from '../ids.js';
import { positionOf } from '../position.js';
import { programOf, type ProgramSource } from '../program-source.js';
import type { Container, Leaf, Run, Scope } from '../state.js';
import { isSettled } from '../status.js';
import { damaged } from './find.js';
import { forgetSagaBody } from './forget.js';

export function runReopenedV1(run: Run, body: BodyOf<'run_reopened'>, event: RunEvent, programs: ProgramSource): void {
  if (run.status.kind !== 'failed') throw damaged(run, `opens the run again, which is ${run.status.kind}`);
  if (body.definition !== undefined) {
    const { version, digest } = body.definition;
    run.program = programOf(programs, digest, `run ${run.id} was opened again with`);
    run.version = version;
    run.digest = digest;
  }
  run.status = { kind: 'active' };
  run.endedAt = null;
  run.deadline = body.deadline;
  run.repeatedStops.clear();
  const opening = new Opening(run, new Set(body.restarted), event.at);
  for (const scope of [...run.scopes.values()]) if (scope.owner === null) opening.scope(scope);
  for (const leaf of run.leaves.values()) if (!isSettled(leaf.status)) run.open.add(leaf.id);
}

/** Opens the tree from the root down, as far as it was closed. */
class Opening {
  constructor(
    private readonly run: Run,
    private readonly restarted: ReadonlySet<ActivationId>,
    private readonly at: number,
  ) {}

  scope(scope: Scope): void {
    const position = positionOf(this.run, scope);
    scope.status = { kind: 'open' };
    switch (position.kind) {
      case 'node':
        return;
      // It is entered anew: another wait, whose time counts from now.
      case 'wait':
        scope.next = position.wait.node;
        scope.waits.delete(position.wait.id);
        this.run.waits.delete(position.wait.id);
        return;
      case 'leaf':
        scope.current = { activation: position.leaf.id };
        this.#leaf(position.leaf);
        return;
      case 'container':
        scope.current = { activation: position.container.id };
        this.#container(position.container);
    }
  }

  #container(container: Container): void {
    container.status = { kind: 'open' };
    container.since = this.at;
    if (this.restarted.has(container.id)) return forgetSagaBody(this.run, container);
    for (const id of container.bodies) {
      const body = this.run.scopes.get(id);
      if (body !== undefined) this.scope(body);
    }
  }

  /** The same activation with the same effect key, and attempts that no earlier grant or offer can be taken for. */
  #leaf(leaf: Leaf): void {
    const offered = leaf.status.kind === 'cancelled' ? 1 : 0;
    leaf.status = { kind: 'ready', generation: (leaf.last?.generation ?? 0) + offered + 1 };
    leaf.since = this.at;
    leaf.forgiven = leaf.attempts - leaf.returned;
    leaf.extended = 0;
    leaf.losses = [];
  }
}
