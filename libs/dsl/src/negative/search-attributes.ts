/** Search attributes. */
import { topic } from './case.js';
import { flow } from './snippets.js';

const found = (attributes: string, input = 'order/v1'): string =>
  flow('  n: {kind: delay, duration: 1s, next: done}', {
    input,
    output: input,
    header: `search_attributes: ${attributes}\n`,
  });
const many = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `a${index}: {from: workflow.input, path: /note}`).join(', ')}}`;

export const SEARCH_ATTRIBUTES = topic(
  'search attributes',
  [
    ['attributes that are a list', found('«GR1103 [/order_id]»')],
    ['an attribute that is a pointer', found('{order: «GR1301 /order_id»}')],
    ['an attribute with a name that is none', found('{«GR1106 "a b"»: {from: workflow.input, path: /order_id}}')],
    ['17 attributes', found(many(17)).replace('search_attributes', '«GR1115 search_attributes»')],
    ['an attribute that is a literal', found('{a: «GR1315 {literal: 1}»}')],
    ['an attribute that is an object', found('{a: «GR1315 {object: {}}»}')],
    ['an attribute that is an array', found('{a: «GR1315 {array: []}»}')],
    ['an attribute from the scope', found('{a: {from: «GR1315 scope.id»}}')],
    ['an attribute from the input of the scope', found('{a: {from: «GR1315 scope.input», path: /order_id}}')],
    ['an attribute from a node', found('{a: {from: «GR1315 nodes.n.output»}}')],
    ['an attribute from a node that does not exist', found('{a: {from: «GR1315 nodes.x.output»}}')],
    ['an attribute that can never exist', found('{a: {from: workflow.input, path: «GR1407 /oder_id»}}')],
    ['an attribute that is always an object', found('{a: «GR1316 {from: workflow.input, path: /address}»}')],
    ['an attribute that is always an array', found('{a: «GR1316 {from: workflow.input, path: /lines}»}')],
    ['an attribute that is the whole order', found('{a: «GR1316 {from: workflow.input}»}')],
    ['a default that is a list', found('{a: {from: workflow.input, path: /note, default: «GR1316 []»}}')],
    [
      'a default over 256 bytes',
      found(`{a: {from: workflow.input, path: /note, default: «GR1112 ${'x'.repeat(257)}»}}`),
    ],
    ['a default of a whole value', found('{a: {from: workflow.input, default: «GR1308 x»}}', 'string/v1')],
    [
      'an attribute of an unknown input, which is one mistake',
      found('{a: {from: workflow.input, path: /order_id}}', '«GR1401 oder/v1»').replace(
        'output_schema: «GR1401 oder/v1»',
        'output_schema: order/v1',
      ),
    ],
  ],
  [
    ['16 attributes', found(many(16))],
    [
      'scalars of every kind',
      found(
        '{a: {from: workflow.input, path: /order_id}, b: {from: workflow.input, path: /amount, default: 0}, c: {from: workflow.input, path: /meta/x}}',
      ),
    ],
    ['a whole scalar', found('{a: {from: workflow.input}}', 'integer/v1')],
    ['a default of 256 bytes', found(`{a: {from: workflow.input, path: /note, default: ${'x'.repeat(256)}}}`)],
  ],
);
