/** Outputs and errors exist only where every way leads past them, by the right edge. */
import { topic } from './case.js';
import { body, call, flow, give, INPUT, quote } from './snippets.js';

const done = (output: string): string => `\n  done: ${give(output)}`;
const wait = (edges: string): string => `{kind: wait_signal, signal: s, key: {literal: k}, timeout: 5m, ${edges}}`;
const signals = 'signals: {s: {schema: integer/v1}}\n';
const integer = { output: 'integer/v1' };
const paid = { output: 'integer/v1', header: signals };
const risky = (edges: string): string => call('tax.quote', INPUT, edges);
const saga = (edges: string): string =>
  `{kind: saga, input: ${INPUT}, body: ${body('order/v1', 'integer/v1', `b: ${quote('e')}, e: ${give('{from: nodes.b.output}')}`)}, ${edges}}`;
const code = (key: string): string => `{from: nodes.${key}.error, path: /code}`;

export const AVAILABILITY = topic(
  'availability',
  [
    [
      'a node that reads itself',
      flow(`  n: ${call('math.sum', '{array: [{from: «GR1305 nodes.n.output»}]}', 'next: done')}`),
    ],
    [
      'an output that comes later',
      flow(`  n: ${call('math.sum', '{array: [{from: «GR1305 nodes.a.output»}]}', 'next: a')}\n  a: ${quote('done')}`),
    ],
    [
      'a payload on the way of the timeout',
      flow(
        `  n: ${wait('next: a, on_timeout: done')}\n  a: ${quote('b')}\n  b: {kind: fail, error: {code: a, message: b}}${done('{from: «GR1305 nodes.n.output»}')}`,
        paid,
      ),
    ],
    [
      'a payload behind a join of both ways',
      flow(
        `  n: ${wait('next: done, on_timeout: a')}\n  a: ${quote('done')}${done('{from: «GR1305 nodes.n.output»}')}`,
        paid,
      ),
    ],
    [
      'a payload where both edges lead to one node',
      flow(`  n: ${wait('next: done, on_timeout: done')}${done('{from: «GR1305 nodes.n.output»}')}`, paid),
    ],
    [
      'what happened on one way only',
      flow(
        `  n: ${wait('next: done, on_timeout: a')}\n  a: ${quote('done')}${done('{from: «GR1305 nodes.a.output»}')}`,
        paid,
      ),
    ],
    [
      'an output on the way of the error',
      flow(
        `  n: ${risky('next: done, on_error: [{codes: any, next: a}]')}\n  a: ${give('{from: «GR1305 nodes.n.output»}')}${done('{from: nodes.n.output}')}`,
        integer,
      ),
    ],
    [
      'an output behind a join with the error',
      flow(
        `  n: ${risky('next: done, on_error: [{codes: any, next: a}]')}\n  a: ${quote('done')}${done('{from: «GR1305 nodes.n.output»}')}`,
        integer,
      ),
    ],
    [
      'an output of a container on the way of its error',
      flow(
        `  n: ${saga('next: done, on_error: [{codes: any, next: a}]')}\n  a: ${give('{from: «GR1305 nodes.n.output»}')}${done('{from: nodes.n.output}')}`,
        integer,
      ),
    ],
    [
      'an error on the way of success',
      flow(
        `  n: ${risky('next: done, on_error: [{codes: any, next: a}]')}\n  a: ${quote('e')}\n  e: {kind: fail, error: {code: a, message: b}}${done('{from: «GR1305 nodes.n.error», path: /code}')}`,
        { output: 'string/v1' },
      ),
    ],
    [
      'an error behind a join with success',
      flow(
        `  n: ${risky('next: done, on_error: [{codes: any, next: done}]')}${done('{from: «GR1305 nodes.n.error», path: /code}')}`,
        { output: 'string/v1' },
      ),
    ],
    [
      'an error of a node without on_error',
      flow(`  n: ${quote('done')}${done('{from: «GR1304 nodes.n.error», path: /code}')}`, { output: 'string/v1' }),
    ],
    [
      'an error of a node that cannot have on_error',
      flow(`  n: {kind: delay, duration: 1s, next: done}${done('{from: «GR1304 nodes.n.error», path: /code}')}`, {
        output: 'string/v1',
      }),
    ],
    [
      'a node that reads its own error',
      flow(
        `  n: ${call('text.split', '{from: «GR1305 nodes.n.error», path: /code}', 'next: done, on_error: [{codes: any, next: done}]')}`,
      ),
    ],
    [
      'an output of a delay',
      flow(`  n: {kind: delay, duration: 1s, next: done}${done('{from: «GR1304 nodes.n.output»}')}`),
    ],
    [
      'an output of a wait for a moment',
      flow(`  n: {kind: wait_until, at: {literal: 0}, next: done}${done('{from: «GR1304 nodes.n.output»}')}`),
    ],
    [
      'a part of an error that it does not have',
      flow(
        `  n: ${risky('next: a, on_error: [{codes: any, next: done}]')}\n  a: ${quote('e')}\n  e: {kind: fail, error: {code: a, message: b}}${done('{from: nodes.n.error, path: «GR1407 /cause»}')}`,
        { output: 'string/v1' },
      ),
    ],
    [
      'the code of an error for a number',
      flow(
        `  n: ${risky('next: a, on_error: [{codes: any, next: done}]')}\n  a: ${quote('e')}\n  e: {kind: fail, error: {code: a, message: b}}${done('«GR1404 {from: nodes.n.error, path: /code}»')}`,
        integer,
      ),
    ],
    [
      'a whole error for an order',
      flow(
        `  n: ${risky('next: a, on_error: [{codes: any, next: done}]')}\n  a: ${quote('e')}\n  e: {kind: fail, error: {code: a, message: b}}${done('«GR1406,GR1406,GR1405,GR1405 {from: nodes.n.error}»')}`,
      ),
    ],
    [
      'a payload in a condition before it came',
      flow(
        `  n: {kind: choose, input: ${INPUT}, cases: [{name: a, when: {eq: [{from: «GR1305 nodes.w.output»}, {literal: 1}]}, body: ${body('order/v1', 'order/v1', `b: ${give('{from: scope.input}')}`)}}], default: ${body('order/v1', 'order/v1', `b: ${give('{from: scope.input}')}`)}, next: w}\n  w: ${wait('next: done, on_timeout: done')}`,
        { header: signals },
      ),
    ],
    [
      'an output in a wait key that comes later',
      flow(
        `  n: ${wait('next: a, on_timeout: a').replace('{literal: k}', '{from: «GR1305 nodes.a.output»}')}\n  a: ${quote('done')}`,
        { header: signals },
      ),
    ],
  ],
  [
    [
      'a payload on the way of success',
      flow(
        `  n: ${wait('next: done, on_timeout: a')}\n  a: {kind: fail, error: {code: late, message: Too late.}}${done('{from: nodes.n.output}')}`,
        paid,
      ),
    ],
    [
      'what both ways have in common',
      flow(
        `  n: ${quote('w')}\n  w: ${wait('next: done, on_timeout: a')}\n  a: ${quote('done')}${done('{from: nodes.n.output}')}`,
        paid,
      ),
    ],
    [
      'a payload of an endless wait',
      flow(`  n: ${wait('next: done').replace('5m', 'null')}${done('{from: nodes.n.output}')}`, paid),
    ],
    [
      'the error on every route',
      flow(
        `  n: ${risky('next: a, on_error: [{codes: [busy], next: done}, {codes: any, next: done}]')}\n  a: ${quote('e')}\n  e: {kind: fail, error: {code: a, message: b}}${done(code('n'))}`,
        { output: 'string/v1' },
      ),
    ],
    [
      'the error far behind its edge',
      flow(
        `  n: ${saga('next: a, on_error: [{codes: any, next: b}]')}\n  a: {kind: fail, error: {code: a, message: b}}\n  b: ${quote('done')}${done(code('n'))}`,
        { output: 'string/v1' },
      ),
    ],
  ],
);
