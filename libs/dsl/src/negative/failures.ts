/** `fail`, `on_error` and `continue_as_new`. */
import { topic } from './case.js';
import { body, call, ECHO, flow, give, INPUT } from './snippets.js';

const fail = (error: string): string =>
  flow(`  n: {kind: fail, error: ${error}}\n  «GR1203 done»: {kind: fail, error: {code: a, message: b}}`).replace(
    / {2}«GR1203 done».*\n/,
    '',
  );
const caught = (routes: string, rest = ''): string =>
  flow(`  n: ${call('inventory.reserve', INPUT, `next: done, on_error: ${routes}`)}${rest}`);
const OOPS = '\n  oops: {kind: fail, error: {code: a, message: b}}';
const again = (input: string): string =>
  flow(
    `  n: {kind: choose, input: ${INPUT}, cases: [{name: a, when: {eq: [{literal: 1}, {literal: 1}]}, body: ${ECHO}}], default: ${body('order/v1', 'order/v1', `b: ${give(INPUT)}`)}, next: done}\n  done: {kind: continue_as_new, input: ${input}}`,
  );
const saga = (nodes: string): string =>
  flow(`  n: {kind: saga, input: ${INPUT}, body: ${body('order/v1', 'order/v1', nodes)}, next: done}`);

/** Containers that are no sagas, each around some nodes. */
const IN_CONTAINERS: readonly (readonly [string, (nodes: string) => string])[] = [
  [
    'loop',
    (nodes) =>
      `{kind: repeat, count: {literal: 1}, state: ${INPUT}, state_schema: order/v1, max_iterations: 1, body: {start: b, nodes: {${nodes}}}, next: done}`,
  ],
  [
    'foreach',
    (nodes) =>
      `{kind: foreach, items: {array: [${INPUT}]}, item_schema: order/v1, max_items: 1, body: ${body('order/v1', 'order/v1', nodes)}, next: done}`,
  ],
  [
    'branch',
    (nodes) =>
      `{kind: parallel, branches: [{name: a, input: ${INPUT}, body: ${body('order/v1', 'order/v1', nodes)}}], next: done}`,
  ],
];

export const FAILURES = topic(
  'failures',
  [
    [
      'a fail without an error',
      flow('  «GR1102 n»: {kind: fail}\n  done: {kind: fail, error: {code: a, message: b}}').replace(
        / {2}done.*\n/,
        '',
      ),
    ],
    ['an error that is text', fail('«GR1103 oops»')],
    ['an error without a code', fail('{message: b}').replace('error', '«GR1102 error»')],
    ['an error without a message', fail('{code: a}').replace('error', '«GR1102 error»')],
    ['an unknown field of an error', fail('{code: a, message: b, «GR1101 details»: {}}')],
    ['a code with a space', fail('{code: «GR1106 a b», message: b}')],
    ['a code that is bound', fail('{code: «GR1103 {from: scope.id}», message: b}')],
    ['a message that is bound', fail('{code: a, message: «GR1103 {from: scope.id}»}')],
    ['a message over 1 KiB', fail(`{code: a, message: «GR1112 ${'m'.repeat(1025)}»}`)],
    ['a message over 1 KiB, if not over 1024 characters', fail(`{code: a, message: «GR1112 ${'é'.repeat(513)}»}`)],
    ...[
      'LoopLimitExceeded',
      'WaitKeyConflict',
      'run.cancelled',
      'run.timeout',
      'saga.abandoned',
      'binding.missing',
      'binding.kind',
      'binding.range',
      'schema.invalid',
      'activity.timeout',
      'activity.lost',
      'activity.unhandled',
      'activity.bad_output',
      'worker.decode',
      'worker.result_too_large',
      'limit.scopes',
      'limit.mine',
    ].map((code): [string, string] => [`the code ${code} of the engine`, fail(`{code: «GR1505 ${code}», message: b}`)]),
    ['an on_error that is a map', caught('«GR1103 {codes: any, next: done}»')],
    ['an on_error that is a map, behind which there are nodes', caught('«GR1103 {codes: any, next: oops}»', OOPS)],
    [
      'an on_error that is a map, whose error is read',
      flow(
        `  n: ${call('inventory.reserve', INPUT, 'next: done, on_error: «GR1103 {codes: any, next: oops}»')}\n  oops: ${call('text.split', '{from: nodes.n.error, path: /code}', 'next: done')}`,
      ),
    ],
    ['an empty on_error', caught('«GR1115 []»')],
    [
      'an empty on_error, whose error is read',
      flow(
        `  n: ${call('inventory.reserve', INPUT, 'next: done, on_error: «GR1115 []»')}\n  oops: ${call('text.split', '{from: nodes.n.error, path: /code}', 'next: done')}`,
      ),
    ],
    ['a route that is text', caught('[«GR1103 oops»]', OOPS)],
    ['a route without codes', caught('[«GR1102 {next: done}»]')],
    ['a route without a next', caught('[«GR1102 {codes: any}»]')],
    ['an unknown field of a route', caught('[{codes: any, next: done, «GR1101 retry»: {}}]')],
    ['codes that are one code', caught('[{codes: «GR1103 busy», next: done}]')],
    ['no codes', caught('[{codes: «GR1115 []», next: done}]')],
    ['a code that is a number', caught('[{codes: [«GR1103 503»], next: done}]')],
    ['a code that could not be one', caught('[{codes: [«GR1106 "a b"»], next: done}]')],
    ['a code listed twice', caught('[{codes: [busy, «GR1111 busy»], next: done}]')],
    ['a code of two routes', caught('[{codes: [busy], next: done}, {codes: [sold_out, «GR1111 busy»], next: done}]')],
    ['a route behind one that takes all', caught('[{codes: any, next: done}, «GR1210 {codes: [busy], next: done}»]')],
    [
      'two routes behind one that takes all',
      caught('[{codes: any, next: done}, «GR1210 {codes: [busy], next: done}», «GR1210 {codes: any, next: done}»]'),
    ],
    ['a cancelled run to go on after', caught('[{codes: [«GR1506 run.cancelled»], next: done}]')],
    ['a run that timed out to go on after', caught('[{codes: [«GR1506 run.timeout»], next: done}]')],
    ['an abandoned saga to go on after', caught('[{codes: [«GR1506 saga.abandoned»], next: done}]')],
    ['a route that goes nowhere', caught('[{codes: any, next: «GR1201 nowhere»}]')],
    [
      'a continuation without an input',
      again(INPUT).replace(
        '  done: {kind: continue_as_new, input: {from: workflow.input}}',
        '  «GR1102 done»: {kind: continue_as_new}',
      ),
    ],
    ['a continuation with another input', again('«GR1403 {from: scope.id}»')],
    ['a continuation with half an input', again('{literal: «GR1405 {order_id: a}»}')],
    ['a continuation with a next', again(`${INPUT}, «GR1104 next»: done`)],
    ['a continuation inside of a body', saga(`«GR1207 b»: {kind: continue_as_new, input: ${INPUT}}`)],
    [
      'a continuation inside of a case',
      again(INPUT).replace(
        'nodes: {b: {kind: complete, output: {from: scope.input}}}',
        `nodes: {«GR1207 b»: {kind: continue_as_new, input: ${INPUT}}}`,
      ),
    ],
    ...IN_CONTAINERS.map(([container, node]): [string, string] => [
      `a continuation inside of a ${container}`,
      flow(`  n: ${node(`«GR1207 b»: {kind: continue_as_new, input: ${INPUT}}`)}`),
    ]),
    [
      'a continuation inside of a body, with another input',
      saga('«GR1207 b»: {kind: continue_as_new, input: «GR1403 {from: scope.id}»}'),
    ],
  ],
  [
    ['a message of 1 KiB', fail(`{code: a, message: ${'m'.repeat(1024)}}`)],
    ['codes that look like those of the engine', fail('{code: limits.mine, message: b}')],
    [
      'codes of the engine that a route may take',
      caught('[{codes: [activity.timeout, LoopLimitExceeded, limit.scopes], next: done}]'),
    ],
    ['codes, then any', caught('[{codes: [busy], next: done}, {codes: any, next: done}]')],
    ['a continuation in the root region', again(INPUT)],
  ],
);
