/** `foreach`: a body for every item of an array, a few at a time; outputs in the order of the items. */
import { normalizeBinding, readBinding } from '../bindings/parse.js';
import { checkBinding } from '../bindings/typing.js';
import { optional, required } from '../fields.js';
import { LIMITS, POLICIES } from '../limits.js';
import { readSchemaRef } from '../schema/schema-ref.js';
import { integerSyntax, SYNTAX, withDefault } from '../syntax.js';
import { NEXT, nodeFields, ON_ERROR } from './common-fields.js';
import { defineNodeKind, readEdge, sound } from './node-kind.js';
import { errorEdges, normalizeErrorRoutes, readErrorRoutes, restoreErrorRoutes } from './on-error.js';

export const foreach = defineNodeKind({
  kind: 'foreach',
  what: 'a foreach node',
  about: 'Does the same for every item of an array, a few at a time.',
  fields: nodeFields('foreach', {
    items: required(SYNTAX.binding, 'The array, read once.'),
    item_schema: required(SYNTAX.schemaRef, 'Schema of an item: the input of the body.'),
    max_items: required(integerSyntax(1, LIMITS.foreachItems), 'An array with more items fails the node.'),
    body: required(SYNTAX.foreachBody, 'What is done for an item: scope.input and item.value are the item.'),
    next: NEXT,
    max_concurrency: optional(
      withDefault(integerSyntax(1, LIMITS.foreachConcurrency), POLICIES.foreachConcurrency),
      'How many items are under way at once.',
    ),
    on_error: ON_ERROR,
  }),
  parse(fields, place, context) {
    const items = fields.tree('items');
    const itemTree = fields.tree('item_schema');
    const itemSchema = itemTree === undefined ? undefined : readSchemaRef(itemTree, context);
    return {
      items: items === undefined ? undefined : readBinding(items, context),
      itemSchema,
      maxItems: fields.integer('max_items', 1, LIMITS.foreachItems),
      maxConcurrency: fields.integer('max_concurrency', 1, LIMITS.foreachConcurrency) ?? POLICIES.foreachConcurrency,
      body: place.body(fields, 'body', '/body')?.settle({ input: { ref: itemSchema, by: 'the item_schema' } }),
      next: readEdge(fields, 'next', 'output'),
      routes: readErrorRoutes(fields, context),
    };
  },
  edges: ({ next, routes }) => [next, ...errorEdges(routes)],
  output: ({ body }) => (body?.outputSchema === undefined ? undefined : { array: body.outputSchema }),
  check({ items, itemSchema, body }, scope) {
    if (items !== undefined) checkBinding(items, itemSchema === undefined ? undefined : { array: itemSchema }, scope);
    body?.check({ ...scope.frame, itemValue: itemSchema, isRoot: false });
  },
  normalize: ({ items, itemSchema, maxItems, maxConcurrency, body, next, routes }) => ({
    kind: 'foreach',
    items: normalizeBinding(sound(items)),
    itemSchema: sound(itemSchema),
    maxItems: sound(maxItems),
    maxConcurrency,
    body: sound(body).normalize(),
    next: sound(next).to,
    ...normalizeErrorRoutes(routes),
  }),
  restore({ itemSchema, maxItems, maxConcurrency, body, onError, ...node }, restoreRegion) {
    return {
      ...node,
      item_schema: itemSchema ?? null,
      max_items: maxItems ?? null,
      max_concurrency: maxConcurrency ?? null,
      body: restoreRegion(body),
      ...restoreErrorRoutes(onError),
    };
  },
});
