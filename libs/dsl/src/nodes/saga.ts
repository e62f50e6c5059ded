/** `saga`: a body whose completed effects are undone, latest first, when it fails. */
import { normalizeBinding, readBinding } from '../bindings/parse.js';
import { checkBinding } from '../bindings/typing.js';
import { required } from '../fields.js';
import { SYNTAX } from '../syntax.js';
import { INPUT, NEXT, nodeFields, ON_ERROR } from './common-fields.js';
import { defineNodeKind, readEdge, sound } from './node-kind.js';
import { errorEdges, normalizeErrorRoutes, readErrorRoutes, restoreErrorRoutes } from './on-error.js';

export const saga = defineNodeKind({
  kind: 'saga',
  what: 'a saga node',
  about: 'Undoes the completed effects of its body, latest first, when the body fails.',
  fields: nodeFields('saga', {
    input: INPUT,
    body: required(SYNTAX.body, 'The work; every external activity in it says how it is undone.'),
    next: NEXT,
    on_error: ON_ERROR,
  }),
  parse(fields, place, context) {
    const input = fields.tree('input');
    return {
      input: input === undefined ? undefined : readBinding(input, context),
      body: place.body(fields, 'body', '/body')?.settle({}),
      next: readEdge(fields, 'next', 'output'),
      routes: readErrorRoutes(fields, context),
    };
  },
  edges: ({ next, routes }) => [next, ...errorEdges(routes)],
  output: ({ body }) => body?.outputSchema,
  check({ input, body }, scope) {
    if (input !== undefined) checkBinding(input, body?.inputSchema, scope);
    body?.check({ ...scope.frame, insideSaga: true, isRoot: false });
  },
  normalize: ({ input, body, next, routes }) => ({
    kind: 'saga',
    input: normalizeBinding(sound(input)),
    body: sound(body).normalize(),
    next: sound(next).to,
    ...normalizeErrorRoutes(routes),
  }),
  restore({ body, onError, ...node }, restoreRegion) {
    return { ...node, body: restoreRegion(body), ...restoreErrorRoutes(onError) };
  },
});
