/** How containers go on, and how they end (spec 02 "Control primitives"). */
import { engineFailure } from '../failures.js';
import { nextScope } from '../nodes/numbering.js';
import type { Recorder } from '../recorder.js';
import type { Container, Scope } from '../state.js';
import { aroundOf, nodeOf, sagaAround } from '../status.js';
import { decideCondition } from './binding.js';
import { failNode } from './failing.js';
import { scopeLimit } from './limits.js';

/** Opens a body, unless the run has reached a limit: then the node fails with it, once its other bodies are settled. */
export function openBody(recorder: Recorder, container: Container, slot: number): void {
  const limit = scopeLimit(recorder.run);
  if (limit !== null) {
    recorder.record({ kind: 'container_failing', activation: container.id, failure: limit });
    return;
  }
  recorder.record({ kind: 'body_opened', scope: nextScope(recorder.run), owner: container.id, slot });
}

/** The carry is there: another iteration follows, or the loop has its result, or it wants more than it may. */
export function checkLoop(recorder: Recorder, container: Container): void {
  const { run } = recorder;
  const { work } = container;
  const node = nodeOf(run, container);
  if (work.kind !== 'loop' || !('maxIterations' in node)) throw new Error(`${container.id} is no loop`);
  const wanted =
    node.kind === 'repeat' ? { ok: true, value: work.done < (work.count ?? 0) } : wantsMore(recorder, container);
  if ('failure' in wanted) {
    recorder.record({ kind: 'container_failing', activation: container.id, failure: wanted.failure });
  } else if (!wanted.value) {
    recorder.record({ kind: 'container_completed', activation: container.id });
  } else if (work.done >= node.maxIterations) {
    const message = `nodes.${container.node} still wants to go on after ${work.done} iterations, its limit`;
    recorder.record({
      kind: 'container_failing',
      activation: container.id,
      failure: engineFailure('LoopLimitExceeded', message),
    });
  } else openBody(recorder, container, work.done);
}

function wantsMore(recorder: Recorder, container: Container): ReturnType<typeof decideCondition> {
  const { run } = recorder;
  const node = nodeOf(run, container);
  const { work } = container;
  if (work.kind !== 'loop' || (node.kind !== 'while' && node.kind !== 'do_while')) {
    throw new Error(`${container.id} has no condition`);
  }
  if (node.kind === 'do_while' && work.done === 0) return { ok: true, value: true };
  const around = aroundOf(run, container);
  const frame = { ...around.frame, loop: { state: work.carry, index: work.done } };
  return decideCondition(run, around, node.condition, `condition of nodes.${container.node}`, frame);
}

/** An inner saga that succeeds hands what it owes to the saga around it; without one it owes nothing any more. */
export function completeContainer(recorder: Recorder, container: Container): void {
  const { run } = recorder;
  if (container.work.kind === 'saga' && container.work.obligations.length > 0) {
    const outer = sagaAround(run, aroundOf(run, container));
    recorder.record(
      outer === null
        ? { kind: 'obligations_released', saga: container.id }
        : { kind: 'obligations_transferred', from: container.id, to: outer.id },
    );
  }
  recorder.record({ kind: 'container_completed', activation: container.id });
}

/** A scope whose work is settled ends as what it was closed for. */
export function closeSettledScope(recorder: Recorder, scope: Scope): void {
  if (scope.status.kind !== 'settling')
    throw new Error(`scope ${scope.id} is not settling: it is ${scope.status.kind}`);
  const { failure } = scope.status;
  recorder.record(
    failure === null
      ? { kind: 'scope_cancelled', scope: scope.id }
      : { kind: 'scope_failed', scope: scope.id, failure },
  );
}

/** A container whose bodies are settled and undone: its failure goes to the scope around it. */
export function closeSettledContainer(recorder: Recorder, container: Container): void {
  const { run } = recorder;
  if (container.status.kind !== 'settling')
    throw new Error(`${container.id} is not settling: it is ${container.status.kind}`);
  const { failure } = container.status;
  if (failure === null) {
    recorder.record({ kind: 'container_cancelled', activation: container.id });
    return;
  }
  const around = aroundOf(run, container);
  recorder.record({ kind: 'container_failed', activation: container.id, failure });
  failNode(recorder, around, container.node, failure);
}
