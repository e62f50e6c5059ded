/** What the bindings of a scope may read (spec 01 "Bindings"): this scope's own values and what it inherits. */
import type { Frame, Json, Reference } from '@graphrun/dsl';
import type { Run, Scope, ScopeFrame } from './state.js';

/** `inherited` is another frame than the scope's own: the condition of a loop sees that loop. */
export function frameOf(run: Run, scope: Scope, inherited: ScopeFrame = scope.frame): Frame {
  return {
    read(reference) {
      switch (reference) {
        case 'workflow.input':
          return run.input.value;
        case 'scope.input':
          return scope.input.value;
        case 'scope.id':
          return `${run.id}.${scope.id}`;
        case 'loop.state':
          return inherited.loop?.state.value;
        case 'loop.index':
          return inherited.loop?.index;
        case 'item.value':
          return inherited.item?.value.value;
        case 'item.index':
          return inherited.item?.index;
        case 'forward.input':
        case 'forward.output':
          return undefined;
        default:
          return fromNode(scope, reference);
      }
    },
  };
}

/** `nodes.x.output` and `nodes.x.error` always mean the node of this scope. */
function fromNode(scope: Scope, reference: Reference): Json | undefined {
  const [, key = '', port] = reference.split('.');
  if (port === 'output') return scope.outputs.get(key)?.value;
  const failure = scope.errors.get(key);
  return failure === undefined ? undefined : { code: failure.code, message: failure.message };
}

/** What the input of a compensation may read: its activity's input and output, and nothing else. */
export function forwardFrame(input: Json, output: Json): Frame {
  return {
    read(reference) {
      if (reference === 'forward.input') return input;
      return reference === 'forward.output' ? output : undefined;
    },
  };
}
