/** `parallel`. */
import { topic } from './case.js';
import { body, call, ECHO, echo, flow, give, INPUT } from './snippets.js';

const done = (output: string): string => `\n  done: ${give(output)}`;

const parallel = (branches: string, output = ''): string =>
  flow(`  n: {kind: parallel, branches: ${branches}, next: done}${output}`);
const branch = (name: string, more = `input: ${INPUT}, body: ${echo('order/v1')}`): string =>
  `{name: ${name}, ${more}}`;
const branches = (count: number): string =>
  `[${Array.from({ length: count }, (_, index) => branch(`b${index}`)).join(', ')}]`;

export const PARALLEL = topic(
  'parallel',
  [
    ['no branches', flow('  «GR1102 n»: {kind: parallel, next: done}')],
    ['an empty list of branches', parallel('[]').replace('branches', '«GR1115 branches»')],
    ['17 branches', parallel(branches(17)).replace('branches', '«GR1115 branches»')],
    ['branches that are a map', parallel('«GR1103 {}»')],
    ['a branch that is text', parallel(`[«GR1103 x», ${branch('a')}]`, done('{from: nodes.n.output, path: /1}'))],
    ['a branch without a name', parallel(`[{«GR1102 input»: ${INPUT}, body: ${echo('order/v1')}}]`)],
    ['a branch without an input', parallel(`[{name: «GR1102 a», body: ${echo('order/v1')}}]`)],
    ['a branch without a body', parallel(`[{name: «GR1102 a», input: ${INPUT}}]`)],
    ['a body without schemas', parallel(`[{name: a, input: ${INPUT}, «GR1102,GR1102 body»: ${ECHO}}]`)],
    ['two branches of one name', parallel(`[${branch('a')}, ${branch('«GR1111 a»')}]`)],
    ['a branch with a name that is none', parallel(`[${branch('«GR1106 a/b»')}]`)],
    [
      'an unknown field of a branch',
      parallel(`[${branch('a', `input: ${INPUT}, body: ${echo('order/v1')}, «GR1101 weight»: 1`)}]`),
    ],
    [
      'a branch with a description that is a list',
      parallel(`[${branch('a', `description: «GR1103 []», input: ${INPUT}, body: ${echo('order/v1')}`)}]`),
    ],
    [
      'an input of another schema than its body has',
      parallel(`[${branch('a', `input: «GR1403 ${INPUT}», body: ${echo('counter/v1')}`)}]`),
    ],
    [
      'a wrong output of a body',
      parallel(
        `[${branch('a')}, ${branch('b', `input: ${INPUT}, body: ${body('order/v1', 'order/v1', `b: ${give('«GR1403 {from: scope.id}»')}`)}`)}]`,
      ),
    ],
    [
      'outputs that are expected to be an array',
      flow(`  n: {kind: parallel, branches: ${branches(2)}, next: done}${done('«GR1403 {from: nodes.n.output}»')}`, {
        output: '{array: order/v1}',
      }),
    ],
    ['an output behind the last branch', parallel(branches(2), done('{from: nodes.n.output, path: «GR1407 /2»}'))],
    [
      'an output of another branch',
      parallel(
        `[${branch('a')}, ${branch('b', `input: ${INPUT}, body: ${body('order/v1', 'unit/v1', `b: ${give('{literal: null}')}`)}`)}]`,
        done('«GR1403 {from: nodes.n.output, path: /1}»'),
      ),
    ],
    [
      'a branch whose schema is broken, which is one mistake',
      parallel(
        `[${branch('a', `input: ${INPUT}, body: ${body('order/v1', '«GR1401 oder/v1»', `b: ${give(INPUT)}`)}`)}]`,
        done('{from: nodes.n.output, path: /0}'),
      ),
    ],
    [
      'an output of another branch in a branch',
      parallel(
        `[${branch('a')}, ${branch('b', `input: ${INPUT}, body: ${body('order/v1', 'order/v1', `b: ${give('{from: «GR1303 nodes.a.output»}')}`)}`)}]`,
      ),
    ],
    [
      'a next in a branch',
      parallel(`[${branch('a', `input: ${INPUT}, body: ${echo('order/v1')}, «GR1101 next»: done`)}]`),
    ],
  ],
  [
    ['16 branches', parallel(branches(16), done('{from: nodes.n.output, path: /15}'))],
    [
      'one branch',
      flow(`  n: {kind: parallel, branches: ${branches(1)}, next: done}${done('{from: nodes.n.output}')}`, {
        output: '{tuple: [order/v1]}',
      }),
    ],
    [
      'branches around a call',
      parallel(
        `[${branch('a', `input: ${INPUT}, body: ${body('order/v1', 'integer/v1', `b: ${call('tax.quote', '{from: scope.input}', 'next: e')}, e: ${give('{from: nodes.b.output}')}`)}`)}]`,
      ),
    ],
  ],
);
