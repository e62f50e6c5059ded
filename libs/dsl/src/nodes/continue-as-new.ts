/** `continue_as_new`: ends this run and starts the next run of the same workflow id with a fresh history. */
import { normalizeBinding, readBinding } from '../bindings/parse.js';
import { checkBinding } from '../bindings/typing.js';
import { required } from '../fields.js';
import { SYNTAX } from '../syntax.js';
import { nodeFields } from './common-fields.js';
import { defineNodeKind, sound } from './node-kind.js';

export const continueAsNew = defineNodeKind({
  kind: 'continue_as_new',
  what: 'a continue_as_new node',
  about: 'Ends this run and starts the next one of the same workflow id; in the root region only.',
  fields: nodeFields('continue_as_new', { input: required(SYNTAX.binding, 'The input of the next run.') }),
  parse(fields, _place, context) {
    const input = fields.tree('input');
    return { input: input === undefined ? undefined : readBinding(input, context) };
  },
  edges: () => [],
  output: () => null,
  check({ input }, scope) {
    if (!scope.frame.isRoot) {
      const message = 'a body cannot continue as new: its container is still under way';
      scope.context.reporter.error(
        'GR1207',
        scope.keySpan,
        message,
        'complete the body, and continue in the root region',
      );
    }
    if (input !== undefined) checkBinding(input, scope.frame.workflowInput, scope);
  },
  normalize: ({ input }) => ({ kind: 'continue_as_new', input: normalizeBinding(sound(input)) }),
  restore: (node) => node,
});
