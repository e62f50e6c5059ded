/** What the bindings of a scope may read (spec 01 "Bindings"): this scope's own values and what it inherits. */
import type { Frame, Json, Reference } from '@graphrun/dsl';
import type { Run, Scope } from './state.js';

export function frameOf(run: Run, scope: Scope): Frame {
  return {
    read(reference) {
      switch (reference) {
        case 'workflow.input':
          return run.input.value;
        case 'scope.input':
          return scope.input.value;
        case 'scope.id':
          return `${run.id}.${scope.id}`;
        // Loops, foreach, compensations and error edges bring these into reach; `executable.ts` refuses all four so far.
        case 'loop.state':
        case 'loop.index':
        case 'item.value':
        case 'item.index':
        case 'forward.input':
        case 'forward.output':
          return undefined;
        default:
          return isOutput(reference) ? outputOf(run, scope, nodeKey(reference)) : undefined;
      }
    },
  };
}

type OutputReference = `nodes.${string}.output`;

function isOutput(reference: Reference): reference is OutputReference {
  return reference.endsWith('.output');
}

function nodeKey(reference: OutputReference): string {
  return reference.slice('nodes.'.length, -'.output'.length);
}

/** `nodes.x.output` always means the node of this scope. */
function outputOf(run: Run, scope: Scope, node: string): Json | undefined {
  const activation = scope.activations.get(node);
  const leaf = activation === undefined ? undefined : run.leaves.get(activation);
  return leaf?.status.kind === 'succeeded' ? leaf.status.output.value : undefined;
}
