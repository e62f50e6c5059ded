/** What a binding can see from where it stands (spec 01 "Bindings", frames). */
import { topic } from './case.js';
import { body, call, echo, flow, give, INPUT, returns } from './snippets.js';

const done = (output: string): string => `\n  done: ${give(output)}`;
const each = (inner: string, items = '{from: workflow.input}'): string =>
  `{kind: foreach, items: ${items}, item_schema: integer/v1, max_items: 9, body: ${inner}, next: done}`;
const loop = (inner: string, more = 'condition: {eq: [{from: loop.index}, {literal: 1}]}'): string =>
  `{kind: while, state: {literal: 1}, state_schema: integer/v1, ${more}, max_iterations: 9, body: ${inner}, next: done}`;
const repeat = (state: string, inner: string): string =>
  `{kind: repeat, count: {literal: 2}, state: ${state}, state_schema: integer/v1, max_iterations: 9, body: ${inner}, next: done}`;
const yields = (output: string): string => `{start: b, nodes: {b: ${give(output)}}}`;
const integers = { input: '{array: integer/v1}', output: '{array: integer/v1}' };
const integer = { input: 'integer/v1', output: 'integer/v1' };
const saga = (input: string, nodes: string, next = 'done'): string =>
  `{kind: saga, input: ${input}, body: ${body('integer/v1', 'integer/v1', nodes)}, next: ${next}}`;
const parallel = (nodes: string): string =>
  `{kind: parallel, branches: [{name: x, input: {literal: 1}, body: ${body('integer/v1', 'integer/v1', nodes)}}], next: e}, e: ${give('{from: nodes.b.output, path: /0}')}`;
const choose = (nodes: string): string =>
  `{kind: choose, input: {literal: 1}, cases: [{name: x, when: {eq: [{literal: 1}, {literal: 1}]}, body: ${body('integer/v1', 'integer/v1', nodes)}}], default: ${echo('integer/v1')}, next: e}, e: ${give('{from: nodes.b.output}')}`;

export const FRAMES = topic(
  'frames',
  [
    ['loop.state outside of loops', returns('{from: «GR1309 loop.state»}')],
    ['loop.index outside of loops', returns('{from: «GR1309 loop.index»}', integer)],
    ['item.value outside of foreach', returns('{from: «GR1309 item.value»}')],
    ['item.index outside of foreach', returns('{from: «GR1309 item.index»}', integer)],
    ['forward.input outside of compensations', returns('{from: «GR1309 forward.input»}')],
    ['forward.output outside of compensations', returns('{from: «GR1309 forward.output»}')],
    [
      'loop.* in a foreach',
      flow(`  n: ${each(body('integer/v1', 'integer/v1', `b: ${give('{from: «GR1309 loop.index»}')}`))}`, integers),
    ],
    ['item.* in a loop', flow(`  n: ${loop(yields('{from: «GR1309 item.index»}'))}`, integer)],
    [
      'item.* in the items of its own foreach',
      flow(`  n: ${each(echo('integer/v1'), '{array: [{from: «GR1309 item.value»}]}')}`, integers),
    ],
    [
      'loop.* in the state of its own loop',
      flow(`  n: ${loop(yields(INPUT)).replace('state: {literal: 1}', 'state: {from: «GR1309 loop.state»}')}`, integer),
    ],
    [
      'loop.* in the count of its own loop',
      flow(
        `  n: ${repeat('{literal: 1}', yields(INPUT)).replace('count: {literal: 2}', 'count: {from: «GR1309 loop.index»}')}`,
        integer,
      ),
    ],
    ['loop.* behind its loop', flow(`  n: ${loop(yields(INPUT))}${done('{from: «GR1309 loop.state»}')}`, integer)],
    [
      'item.* behind its foreach',
      flow(`  n: ${each(echo('integer/v1'))}${done('{array: [{from: «GR1309 item.value»}]}')}`, integers),
    ],
    [
      'item.* in a condition outside of foreach',
      flow(`  n: ${loop(yields(INPUT), 'condition: {eq: [{from: «GR1309 item.index»}, {literal: 1}]}')}`, integer),
    ],
    [
      'a node of the region around',
      flow(
        `  n: ${call('tax.quote', INPUT, 'next: s')}\n  s: ${saga('{from: nodes.n.output}', `b: ${give('{from: «GR1303 nodes.n.output»}')}`)}`,
      ),
    ],
    [
      'a node of the body',
      flow(
        `  n: ${saga('{literal: 1}', `b: ${give('{from: scope.input}')}`)}${done('{from: «GR1303 nodes.b.output»}')}`,
        { output: 'integer/v1' },
      ),
    ],
    [
      'its input of another schema than the region around has',
      flow(
        `  n: ${saga('{literal: 1}', `b: ${call('tax.quote', '«GR1403 {from: scope.input}»', 'next: e')}, e: ${give('{from: nodes.b.output}')}`)}`,
      ),
    ],
    [
      'the carry of an outer loop, which an inner loop hides',
      flow(
        `  n: ${loop(`{start: b, nodes: {b: {kind: repeat, count: {literal: 1}, state: {literal: a}, state_schema: string/v1, max_iterations: 1, body: ${yields('«GR1403 {from: loop.index}»')}, next: e}, e: ${give('{from: loop.state}')}}}`)}`,
        integer,
      ),
    ],
    [
      'the carry of an outer loop in the condition of an inner one',
      flow(
        `  n: ${loop(`{start: b, nodes: {b: {kind: do_while, state: {literal: a}, state_schema: string/v1, condition: {eq: [{from: loop.state}, «GR1312 {literal: 1}»]}, max_iterations: 1, body: ${yields('{from: loop.state}')}, next: e}, e: ${give('{from: loop.state}')}}}`)}`,
        integer,
      ),
    ],
    [
      'an outer item, which an inner foreach hides',
      flow(
        `  n: ${each(body('integer/v1', 'integer/v1', `b: {kind: foreach, items: {literal: [a]}, item_schema: string/v1, max_items: 1, body: ${body('string/v1', 'integer/v1', `b: ${give('«GR1403 {from: item.value}»')}`)}, next: e}, e: ${give('{from: item.value}')}`))}`,
        integers,
      ),
    ],
    [
      'the state of the loop in which it stands of another schema',
      flow(
        `  n: ${loop(`{start: b, nodes: {b: ${saga('«GR1403 {from: loop.state}»', `b: ${give('{literal: 1}')}`, 'e').replace(/integer\/v1/g, 'number/v1')}, e: ${give('{literal: 1}')}}}`)}`,
        integer,
      ),
    ],
  ],
  [
    [
      'loop.* in a saga in a loop',
      flow(
        `  n: ${loop(`{start: b, nodes: {b: ${saga('{literal: 1}', `b: ${give('{from: loop.state}')}`, 'e')}, e: ${give('{from: loop.index}')}}}`)}`,
        integer,
      ),
    ],
    [
      'loop.* in a foreach in a loop',
      flow(
        `  n: ${loop(`{start: b, nodes: {b: ${each(body('integer/v1', 'integer/v1', `b: ${give('{from: loop.state}')}`), '{literal: [1]}').replace('next: done', 'next: e')}, e: ${give('{from: loop.index}')}}}`)}`,
        integer,
      ),
    ],
    [
      'item.* in a loop in a foreach',
      flow(
        `  n: ${each(body('integer/v1', 'integer/v1', `b: ${loop(yields('{from: item.value}')).replace('next: done', 'next: e')}, e: ${give('{from: item.index}')}`))}`,
        integers,
      ),
    ],
    [
      'item.* in a branch in a foreach',
      flow(
        `  n: ${each(body('integer/v1', 'integer/v1', `b: ${parallel(`b: ${give('{from: item.value}')}`)}`))}`,
        integers,
      ),
    ],
    [
      'item.* in a case in a foreach',
      flow(
        `  n: ${each(body('integer/v1', 'integer/v1', `b: ${choose(`b: ${give('{from: item.value}')}`)}`))}`,
        integers,
      ),
    ],
    [
      'loop.* in a branch in a loop',
      flow(`  n: ${loop(`{start: b, nodes: {b: ${parallel(`b: ${give('{from: loop.state}')}`)}}}`)}`, integer),
    ],
    [
      'loop.* in a case in a loop',
      flow(`  n: ${loop(`{start: b, nodes: {b: ${choose(`b: ${give('{from: loop.index}')}`)}}}`)}`, integer),
    ],
    [
      'workflow.input in a body in a body',
      flow(
        `  n: ${loop(`{start: b, nodes: {b: ${saga('{literal: 1}', `b: ${give('{from: workflow.input}')}`, 'e')}, e: ${give('{from: workflow.input}')}}}`)}`,
        integer,
      ),
    ],
    [
      'an item in the items of an inner foreach',
      flow(
        `  n: ${each(body('integer/v1', 'integer/v1', `b: ${each(echo('integer/v1'), '{array: [{from: item.value}]}').replace('next: done', 'next: e')}, e: ${give('{from: item.value}')}`))}`,
        integers,
      ),
    ],
    [
      'the carry of the outer loop in the state of an inner one',
      flow(
        `  n: ${loop(`{start: b, nodes: {b: ${repeat('{from: loop.state}', yields('{from: loop.state}')).replace('next: done', 'next: e')}, e: ${give('{from: nodes.b.output}')}}}`)}`,
        integer,
      ),
    ],
    [
      'a node before the loop in the condition of the loop',
      flow(
        `  n: ${call('tax.quote', INPUT, 'next: l')}\n  l: ${loop(yields('{literal: 1}'), 'condition: {lt: [{from: loop.state}, {from: nodes.n.output}]}')}`,
      ),
    ],
  ],
);
