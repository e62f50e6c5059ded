/** What a forward success inside a saga leaves behind: the promise to undo it (spec 03 "Sagas"). */
import { forwardFrame } from '../frame.js';
import type { Recorder } from '../recorder.js';
import type { Leaf } from '../state.js';
import { activityNodeOf, sagaAround, scopeOf } from '../status.js';
import { bindIn } from './binding.js';

/**
 * Registers the obligation in the commit of the success, also when the saga is aborting already: then it is undone with the
 * others. An input that cannot be built blocks the run, but never the success.
 */
export function registerObligation(recorder: Recorder, leaf: Leaf): void {
  const { run } = recorder;
  const { compensation } = activityNodeOf(run, leaf);
  const scope = scopeOf(run, leaf);
  if (compensation === undefined || scope === null || sagaAround(run, scope) === null) return;
  const activation = leaf.id;
  if (compensation.kind === 'irreversible') {
    recorder.record({ kind: 'obligation_irreversible', activation, reason: compensation.reason });
    return;
  }
  if (leaf.status.kind !== 'succeeded') throw new Error(`leaf ${leaf.id} owes nothing before it has succeeded`);
  const handler = compensation.activity;
  const schema = run.program.contract(handler).inputSchema;
  const frame = forwardFrame(leaf.input.value, leaf.status.output.value);
  const bound = bindIn(run, frame, compensation.input, schema, `nodes.${leaf.node}.compensation.input`);
  recorder.record(
    bound.ok
      ? { kind: 'obligation_registered', activation, handler, input: bound.value }
      : { kind: 'obligation_blocked', activation, handler, reason: bound.failure },
  );
}
