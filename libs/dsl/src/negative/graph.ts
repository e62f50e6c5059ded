/** Where edges lead. */
import { topic } from './case.js';
import { bump, call, ECHO, flow, INPUT, quote } from './snippets.js';

const FAIL = '{kind: fail, error: {code: a, message: b}}';
const wait = (edges: string): string => `{kind: wait_signal, signal: s, key: {literal: k}, timeout: 5m, ${edges}}`;
const signals = { header: 'signals: {s: {schema: unit/v1}}\n' };
const saga = (edges: string): string => `{kind: saga, input: ${INPUT}, body: ${ECHO_ORDER}, ${edges}}`;
const ECHO_ORDER = ECHO.replace('{', '{input_schema: order/v1, output_schema: order/v1, ');

export const GRAPH = topic(
  'graphs',
  [
    ['a missing start', bump(['start: inc', 'start: «GR1201 ink»'])],
    ['a missing target', bump(['next: done', 'next: «GR1201 dnoe»'])],
    ['a missing target on timeout', flow(`  n: ${wait('next: done, on_timeout: «GR1201 late»')}`, signals)],
    [
      'a missing target on error',
      flow(`  n: ${call('tax.quote', INPUT, 'next: done, on_error: [{codes: any, next: «GR1201 oops»}]')}`),
    ],
    ['a target in another region', flow(`  n: ${saga('next: done').replace('start: b', 'start: «GR1201 done»')}`)],
    ['a node that follows itself', flow(`  n: ${quote('«GR1202 n»')}\n  «GR1203 done»: ${FAIL}`)],
    ['a cycle of two', flow(`  n: ${quote('a')}\n  a: ${quote('«GR1202 n»')}\n  «GR1203 done»: ${FAIL}`)],
    [
      'a cycle that is closed on the way of next, although on_timeout closes it as well',
      flow(
        `  n: ${wait('on_timeout: a, next: b')}\n  a: ${quote('«GR1202 b»')}\n  b: ${quote('a')}\n  «GR1203 done»: ${FAIL}`,
        signals,
      ),
    ],
    [
      'a cycle that is closed on the way of on_timeout, although on_error closes it as well',
      flow(
        `
  n: ${wait('next: done, on_timeout: c')}
  c: ${saga('on_error: [{codes: any, next: b}], next: a')}
  a: ${quote('b')}
  b: ${quote('«GR1202 a»')}`,
        signals,
      ),
    ],
    [
      'cycles along every edge of a node',
      flow(
        `
  n: ${quote('w')}
  w: ${wait('next: s, on_timeout: «GR1202 n»')}
  s: ${saga('next: done, on_error: [{codes: [a], next: «GR1202 w»}, {codes: any, next: «GR1202 n»}]')}`,
        signals,
      ),
    ],
    [
      'a cycle inside of a body',
      flow(
        `  n: ${saga('next: done').replace(ECHO_ORDER, `{input_schema: order/v1, output_schema: order/v1, start: b, nodes: {b: ${quote('«GR1202 b»')}}}`)}`,
      ),
    ],
    ['an unreachable node', `${bump()}  «GR1203 lost»: ${FAIL}\n`],
    [
      'nodes that only lead to each other',
      flow(`  n: ${quote('done')}\n  «GR1203 a»: ${quote('b')}\n  «GR1203 b»: ${quote('a')}`),
    ],
    [
      'an unreachable node that is read, which is one mistake',
      flow(
        `  n: ${quote('done')}\n  «GR1203 lost»: ${quote('done')}\n  done: {kind: complete, output: {from: nodes.lost.output}}`,
        { output: 'integer/v1' },
      ),
    ],
    [
      'nodes behind a missing target, which are not unreachable',
      flow(`  n: ${quote('«GR1201 x»')}\n  a: ${quote('done')}`),
    ],
    ['nodes behind a node that cannot be read', flow(`  n: {kind: «GR1107 choos», next: a}\n  a: ${quote('done')}`)],
    [
      'nodes behind an edge of the wrong kind',
      flow(
        `  n: {kind: delay, duration: 1s, next: done, «GR1104 on_error»: [{codes: any, next: a}]}\n  a: ${quote('done')}`,
      ),
    ],
    ['nodes behind a broken edge', flow(`  n: ${quote('«GR1103 7»')}\n  a: ${quote('done')}`)],
  ],
  [
    ['two ways to one node', flow(`  n: ${wait('next: a, on_timeout: done')}\n  a: ${quote('done')}`, signals)],
    [
      'a node behind a container whose body never completes',
      flow(
        `  n: {kind: saga, input: ${INPUT}, body: {input_schema: order/v1, output_schema: order/v1, start: b, nodes: {b: ${FAIL}}}, next: done}`,
      ),
    ],
  ],
);
