/** `complete`: returns a value from the region. */
import { normalizeBinding, readBinding } from '../bindings/parse.js';
import { checkBinding } from '../bindings/typing.js';
import { required } from '../fields.js';
import { SYNTAX } from '../syntax.js';
import { nodeFields } from './common-fields.js';
import { defineNodeKind, sound } from './node-kind.js';

export const complete = defineNodeKind({
  kind: 'complete',
  what: 'a complete node',
  about: 'Returns a value from the region: the result of the run, or of the container.',
  fields: nodeFields('complete', { output: required(SYNTAX.binding, 'The value; it must fit the output schema.') }),
  parse(fields, _place, context) {
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
