/** `complete`: returns a value from the region. */
import { normalizeBinding, readBinding } from '../bindings/parse.js';
import { checkBinding } from '../bindings/typing.js';
import { ANNOTATIONS } from '../fields.js';
import { defineNodeKind, sound } from './node-kind.js';

export const complete = defineNodeKind({
  kind: 'complete',
  what: 'a complete node',
  fields: { kind: 'required', output: 'required', ...ANNOTATIONS },
  parse(fields, context) {
    const output = fields.tree('output');
    return { output: output === undefined ? undefined : readBinding(output, context) };
  },
  edges: () => [],
  output: () => null,
  check({ output }, scope) {
    if (output !== undefined) checkBinding(output, scope.regionOutput, scope);
  },
  normalize: ({ output }) => ({ kind: 'complete', output: normalizeBinding(sound(output)) }),
  restore: (node) => node,
});
