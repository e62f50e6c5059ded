/** `foreach`. */
import { topic } from './case.js';
import { body, ECHO, echo, flow, give, INPUT } from './snippets.js';

const done = (output: string): string => `\n  done: ${give(output)}`;

const foreach = (fields: string, parts = { input: '{array: counter/v1}', output: '{array: counter/v1}' }): string =>
  flow(`  n: {kind: foreach, ${fields}, next: done}`, parts);
const ITEMS = `items: ${INPUT}, item_schema: counter/v1`;
const ROOM = 'max_items: 9';

export const FOREACH = topic(
  'foreach',
  [
    [
      'no items',
      foreach(`item_schema: counter/v1, ${ROOM}, body: ${echo('counter/v1')}`).replace('  n:', '  «GR1102 n»:'),
    ],
    [
      'no item_schema',
      foreach(`items: ${INPUT}, ${ROOM}, body: ${echo('counter/v1')}`).replace('  n:', '  «GR1102 n»:'),
    ],
    ['no max_items', foreach(`${ITEMS}, body: ${echo('counter/v1')}`).replace('  n:', '  «GR1102 n»:')],
    ['no body', foreach(`${ITEMS}, ${ROOM}`).replace('  n:', '  «GR1102 n»:')],
    ['room for none', foreach(`${ITEMS}, max_items: «GR1110 0», body: ${echo('counter/v1')}`)],
    ['room for 1001', foreach(`${ITEMS}, max_items: «GR1110 1001», body: ${echo('counter/v1')}`)],
    ['a concurrency of none', foreach(`${ITEMS}, ${ROOM}, max_concurrency: «GR1110 0», body: ${echo('counter/v1')}`)],
    ['a concurrency of 33', foreach(`${ITEMS}, ${ROOM}, max_concurrency: «GR1110 33», body: ${echo('counter/v1')}`)],
    [
      'items of another schema',
      foreach(`items: «GR1403 ${INPUT}», item_schema: twin/v1, ${ROOM}, body: ${echo('twin/v1')}`),
    ],
    [
      'items that are no array',
      foreach(`items: «GR1403 {from: scope.id}», item_schema: counter/v1, ${ROOM}, body: ${echo('counter/v1')}`),
    ],
    [
      'items that are never an array',
      foreach(
        `items: «GR1404 {from: workflow.input, path: /0/value}», item_schema: counter/v1, ${ROOM}, body: ${echo('counter/v1')}`,
      ),
    ],
    [
      'an item of another schema among them',
      foreach(
        `items: {array: [{from: workflow.input, path: /0}, «GR1403 {from: scope.id}»]}, item_schema: counter/v1, ${ROOM}, body: ${echo('counter/v1')}`,
      ),
    ],
    [
      'a body with another input',
      foreach(`${ITEMS}, ${ROOM}, body: ${body('«GR1409 twin/v1»', 'counter/v1', `b: ${give('{from: item.value}')}`)}`),
    ],
    ['a body without an output schema', foreach(`${ITEMS}, ${ROOM}, «GR1102 body»: ${ECHO}`)],
    [
      'a wrong output of the body',
      foreach(
        `${ITEMS}, ${ROOM}, body: ${body('counter/v1', 'counter/v1', `b: ${give('«GR1403 {from: item.index}»')}`)}`,
      ),
    ],
    [
      'an unknown item_schema, which is one mistake',
      foreach(
        `items: ${INPUT}, item_schema: «GR1401 conter/v1», ${ROOM}, body: ${body('counter/v1', 'counter/v1', `b: ${give('{from: item.value}')}`)}`,
      ),
    ],
    [
      'outputs that are expected to be one of them',
      flow(
        `  n: {kind: foreach, ${ITEMS}, ${ROOM}, body: ${echo('counter/v1')}, next: done}${done('«GR1403 {from: nodes.n.output}»')}`,
        { input: '{array: counter/v1}', output: 'counter/v1' },
      ),
    ],
    [
      'an output of another schema',
      flow(
        `  n: {kind: foreach, ${ITEMS}, ${ROOM}, body: ${echo('counter/v1')}, next: done}${done('«GR1403 {from: nodes.n.output, path: /0}»')}`,
        { input: '{array: counter/v1}', output: 'twin/v1' },
      ),
    ],
    ['a state', foreach(`${ITEMS}, ${ROOM}, «GR1104 state»: {literal: 1}, body: ${echo('counter/v1')}`)],
  ],
  [
    [
      'room for 1000, 32 at once',
      foreach(`${ITEMS}, max_items: 1000, max_concurrency: 32, body: ${echo('counter/v1')}`),
    ],
    [
      'a body that leaves out its input',
      foreach(`${ITEMS}, max_items: 1, max_concurrency: 1, body: ${ECHO.replace('{', '{output_schema: counter/v1, ')}`),
    ],
    [
      'items from an open place',
      foreach(
        `items: {from: workflow.input, path: /meta}, item_schema: counter/v1, ${ROOM}, body: ${echo('counter/v1')}`,
        { input: 'order/v1', output: 'order/v1' },
      ),
    ],
  ],
);
