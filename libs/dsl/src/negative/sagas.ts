/** Sagas, and how what they did is undone. */
import { topic } from './case.js';
import { body, call, ECHO, echo, flow, give, INPUT } from './snippets.js';

const done = (output: string): string => `\n  done: ${give(output)}`;
const RELEASE = 'kind: activity, activity: {name: inventory.release, version: 1}, input: {from: forward.output}';
const reserve = (more: string, key = 'b'): string =>
  `${key}: ${call('inventory.reserve', INPUT, `${more}next: e`)}, e: ${give(INPUT)}`;
const saga = (nodes: string): string =>
  flow(`  n: {kind: saga, input: ${INPUT}, body: ${body('order/v1', 'order/v1', nodes)}, next: done}`);
const undo = (compensation: string): string => saga(reserve(`compensation: ${compensation}, `));
const undoWith = (input: string): string =>
  undo(`{kind: activity, activity: {name: inventory.release, version: 1}, input: ${input}}`);

export const SAGAS = topic(
  'sagas',
  [
    ['no input', flow(`  «GR1102 n»: {kind: saga, body: ${echo('order/v1')}, next: done}`)],
    ['no body', flow(`  «GR1102 n»: {kind: saga, input: ${INPUT}, next: done}`)],
    [
      'an input of another schema than its body has',
      flow(`  n: {kind: saga, input: «GR1403 ${INPUT}», body: ${echo('counter/v1')}, next: done}`),
    ],
    ['a body without schemas', flow(`  n: {kind: saga, input: ${INPUT}, «GR1102,GR1102 body»: ${ECHO}, next: done}`)],
    ['a wrong output of the body', saga(`b: ${give('«GR1403 {from: scope.id}»')}`)],
    [
      'an output of another schema than is expected',
      flow(
        `  n: {kind: saga, input: ${INPUT}, body: ${echo('order/v1')}, next: done}${done('«GR1403 {from: nodes.n.output}»')}`,
        { output: 'counter/v1' },
      ),
    ],
    [
      'a compensation of the whole saga',
      flow(
        `  n: {kind: saga, input: ${INPUT}, body: ${echo('order/v1')}, next: done, «GR1104 compensation»: {${RELEASE}}}`,
      ),
    ],
    ['external work without a compensation', saga(reserve('', '«GR1507 b»'))],
    [
      'external work without a compensation in a loop in a saga',
      saga(
        `b: {kind: repeat, count: {literal: 1}, state: ${INPUT}, state_schema: order/v1, max_iterations: 1, body: {start: b, nodes: {${reserve('', '«GR1507 b»')}}}, next: e}, e: ${give(INPUT)}`,
      ),
    ],
    [
      'external work without a compensation in a saga in a saga',
      saga(
        `b: {kind: saga, input: ${INPUT}, body: ${body('order/v1', 'order/v1', reserve('', '«GR1507 b»'))}, next: e}, e: ${give(INPUT)}`,
      ),
    ],
    [
      'a compensation outside of sagas',
      flow(`  n: ${call('inventory.reserve', INPUT, `«GR1508 compensation»: {${RELEASE}}, next: done`)}`),
    ],
    [
      'an irreversible effect outside of sagas',
      flow(
        `  n: ${call('inventory.reserve', INPUT, '«GR1508 compensation»: {kind: irreversible, reason: x}, next: done')}`,
      ),
    ],
    [
      'a compensation in a loop outside of sagas',
      flow(
        `  n: {kind: repeat, count: {literal: 1}, state: ${INPUT}, state_schema: order/v1, max_iterations: 1, body: {start: b, nodes: {${reserve(`«GR1508 compensation»: {${RELEASE}}, `)}}}, next: done}`,
      ),
    ],
    [
      'a compensation behind its saga',
      flow(
        `  n: {kind: saga, input: ${INPUT}, body: ${echo('order/v1')}, next: a}\n  a: ${call('inventory.reserve', INPUT, `«GR1508 compensation»: {${RELEASE}}, next: done`)}`,
      ),
    ],
    [
      'a compensation of pure work outside of sagas',
      flow(`  n: ${call('tax.quote', INPUT, '«GR1508 compensation»: {kind: irreversible, reason: x}, next: done')}`),
    ],
    ['a compensation that is text', undo('«GR1103 inventory.release»')],
    [
      'a compensation without a kind',
      saga(
        reserve(
          '«GR1102 compensation»: {activity: {name: inventory.release, version: 1}, input: {from: forward.output}}, ',
        ),
      ),
    ],
    [
      'a compensation of an unknown kind',
      undo('{kind: «GR1110 activty», activity: {name: inventory.release, version: 1}}'),
    ],
    ['a compensation whose kind is a list', undo('{kind: «GR1110 []»}')],
    [
      'a compensation without an activity',
      saga(reserve('«GR1102 compensation»: {kind: activity, input: {from: forward.output}}, ')),
    ],
    [
      'a compensation without an input',
      saga(reserve('«GR1102 compensation»: {kind: activity, activity: {name: inventory.release, version: 1}}, ')),
    ],
    ['a compensation that goes on', undo(`{${RELEASE}, «GR1101 next»: e}`)],
    ['a reason for what can be undone', undo(`{${RELEASE}, «GR1104 reason»: x}`)],
    ['no reason for what cannot be undone', saga(reserve('«GR1102 compensation»: {kind: irreversible}, '))],
    [
      'an input for what cannot be undone',
      undo('{kind: irreversible, reason: x, «GR1104 input»: {from: forward.output}}'),
    ],
    ['a reason over 1 KiB', undo(`{kind: irreversible, reason: «GR1112 ${'r'.repeat(1025)}»}`)],
    ['a reason that is a number', undo('{kind: irreversible, reason: «GR1103 5»}')],
    [
      'an unknown activity that undoes',
      undo('{kind: activity, activity: «GR1501 {name: inventory.relese, version: 1}», input: {from: forward.output}}'),
    ],
    ['the input of the activity for what takes its output', undoWith('«GR1403 {from: forward.input}»')],
    [
      'a part of the output that does not exist',
      undoWith('{object: {reservation_id: {from: forward.output, path: «GR1407 /id»}}}'),
    ],
    ['an input without a required member', undoWith('«GR1405 {object: {}}»')],
    ['a compensation that reads the workflow', undoWith('{from: «GR1310 workflow.input»}')],
    ['a compensation that reads its scope', undoWith('{object: {reservation_id: {from: «GR1310 scope.id»}}}')],
    ['a compensation that reads the input of its scope', undoWith('{from: «GR1310 scope.input»}')],
    ['a compensation that reads its own node', undoWith('{from: «GR1310 nodes.b.output»}')],
    ['a compensation that reads a loop', undoWith('{from: «GR1310 loop.state»}')],
    ['a compensation that reads an item', undoWith('{from: «GR1310 item.value»}')],
    [
      'a compensation of an unknown activity, which is one mistake',
      saga(
        `b: {kind: activity, activity: «GR1501 {name: nobody.knows, version: 1}», input: ${INPUT}, compensation: {${RELEASE}}, next: e}, e: ${give(INPUT)}`,
      ),
    ],
    [
      'an unknown activity without a compensation, which is one mistake',
      saga(
        `b: {kind: activity, activity: «GR1501 {name: nobody.knows, version: 1}», input: ${INPUT}, next: e}, e: ${give(INPUT)}`,
      ),
    ],
    ['a timeout of a compensation under a second', undo(`{${RELEASE}, timeout: «GR1110 1ms»}`)],
    ['a timeout of a compensation over a day', undo(`{${RELEASE}, timeout: «GR1110 2d»}`)],
    ['a budget of a compensation of eleven', undo(`{${RELEASE}, retry: {max_attempts: «GR1110 11»}}`)],
    ['an undeclared error code of a compensation', undo(`{${RELEASE}, retry: {errors: [«GR1502 sold_out»]}}`)],
    ['an error code of a compensation that is not retryable', undo(`{${RELEASE}, retry: {errors: [«GR1503 gone»]}}`)],
    ['a backoff above the cap of compensations', undo(`{${RELEASE}, retry: {backoff: {initial: «GR1504 301s»}}}`)],
  ],
  [
    ['a compensation by the output', undo(`{${RELEASE}}`)],
    [
      'a compensation by parts and literals',
      undoWith('{object: {reservation_id: {from: forward.input, path: /order_id}, amount: {literal: 1}}}'),
    ],
    [
      'a default in a compensation',
      undoWith('{object: {reservation_id: {from: forward.output, path: /reservation_id, default: none}}}'),
    ],
    ['what cannot be undone', undo(`{kind: irreversible, reason: ${'r'.repeat(1024)}}`)],
    [
      'a backoff at the cap of compensations',
      undo(`{${RELEASE}, timeout: 24h, retry: {errors: [busy], max_attempts: 10, backoff: {initial: 5m}}}`),
    ],
    ['pure work without a compensation', saga(`b: ${call('tax.quote', INPUT, 'next: e')}, e: ${give(INPUT)}`)],
    [
      'pure work with a compensation',
      saga(
        `b: ${call('tax.quote', INPUT, 'compensation: {kind: activity, activity: {name: tax.undo, version: 1}, input: {from: forward.output}}, next: e')}, e: ${give(INPUT)}`,
      ),
    ],
  ],
);
