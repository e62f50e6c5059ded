/** `while`, `do_while` and `repeat`. */
import { topic } from './case.js';
import { body, ECHO, echo, flow, give, INPUT } from './snippets.js';

const done = (output: string): string => `\n  done: ${give(output)}`;

const AGAIN = 'condition: {lt: [{from: loop.index}, {literal: 3}]}';
const loop = (kind: string, fields: string): string =>
  flow(`  n: {kind: ${kind}, ${fields}, next: done}`, { input: 'counter/v1', output: 'counter/v1' });
const state = `state: ${INPUT}, state_schema: counter/v1`;
const bounded = `${state}, max_iterations: 9`;

export const LOOPS = topic(
  'loops',
  [
    ['a while without a condition', loop('while', `${bounded}, body: ${ECHO}`).replace('  n:', '  «GR1102 n»:')],
    ['a do_while without a condition', loop('do_while', `${bounded}, body: ${ECHO}`).replace('  n:', '  «GR1102 n»:')],
    ['a repeat without a count', loop('repeat', `${bounded}, body: ${ECHO}`).replace('  n:', '  «GR1102 n»:')],
    [
      'a repeat with a condition',
      loop('repeat', `${bounded}, count: {literal: 1}, «GR1104 ${AGAIN.replace(':', '»:')}, body: ${ECHO}`),
    ],
    ['a while with a count', loop('while', `${bounded}, ${AGAIN}, «GR1104 count»: {literal: 1}, body: ${ECHO}`)],
    [
      'a loop without a state',
      loop('while', `state_schema: counter/v1, max_iterations: 9, ${AGAIN}, body: ${ECHO}`).replace(
        '  n:',
        '  «GR1102 n»:',
      ),
    ],
    [
      'a loop without a state_schema',
      loop('while', `state: ${INPUT}, max_iterations: 9, ${AGAIN}, body: ${ECHO}`).replace('  n:', '  «GR1102 n»:'),
    ],
    ['a loop without an end', loop('while', `${state}, ${AGAIN}, body: ${ECHO}`).replace('  n:', '  «GR1102 n»:')],
    ['a loop without a body', loop('while', `${bounded}, ${AGAIN}`).replace('  n:', '  «GR1102 n»:')],
    ['no iterations', loop('while', `${state}, max_iterations: «GR1110 0», ${AGAIN}, body: ${ECHO}`)],
    ['1001 iterations', loop('do_while', `${state}, max_iterations: «GR1110 1001», ${AGAIN}, body: ${ECHO}`)],
    [
      '1001 iterations of a repeat',
      loop('repeat', `${state}, max_iterations: «GR1110 1001», count: {literal: 1}, body: ${ECHO}`),
    ],
    [
      'a bound that is bound',
      loop('while', `${state}, max_iterations: «GR1103 {literal: 5}», ${AGAIN}, body: ${ECHO}`),
    ],
    [
      'a state of another schema',
      loop(
        'while',
        `state: «GR1403 {from: scope.id}», state_schema: counter/v1, max_iterations: 9, ${AGAIN}, body: ${ECHO}`,
      ),
    ],
    [
      'a state of another schema in a repeat',
      loop(
        'repeat',
        `state: «GR1403 {from: scope.id}», state_schema: counter/v1, max_iterations: 9, count: {literal: 1}, body: ${ECHO}`,
      ),
    ],
    [
      'a body with another input',
      loop(
        'while',
        `${bounded}, ${AGAIN}, body: ${body('«GR1409 order/v1»', 'counter/v1', `b: ${give('{from: loop.state}')}`)}`,
      ),
    ],
    [
      'a body with another output',
      loop(
        'do_while',
        `${bounded}, ${AGAIN}, body: ${body('counter/v1', '«GR1409 order/v1»', `b: ${give('{from: loop.state}')}`)}`,
      ),
    ],
    [
      'a body with another input and output',
      loop(
        'repeat',
        `${bounded}, count: {literal: 1}, body: ${body('«GR1409 twin/v1»', '«GR1409 twin/v1»', `b: ${give('{from: loop.state}')}`)}`,
      ),
    ],
    [
      'a body that does not return the carry',
      loop('while', `${bounded}, ${AGAIN}, body: {start: b, nodes: {b: ${give('«GR1403 {from: loop.index}»')}}}`),
    ],
    [
      'a body of a do_while that does not return the carry',
      loop('do_while', `${bounded}, ${AGAIN}, body: {start: b, nodes: {b: ${give('«GR1403 {from: loop.index}»')}}}`),
    ],
    [
      'a body of a repeat that does not return the carry',
      loop(
        'repeat',
        `${bounded}, count: {literal: 1}, body: {start: b, nodes: {b: ${give('«GR1403 {from: loop.index}»')}}}`,
      ),
    ],
    [
      'an unknown state_schema, which is one mistake',
      loop(
        'while',
        `state: ${INPUT}, state_schema: «GR1401 conter/v1», max_iterations: 9, condition: {eq: [{from: loop.state, path: /value}, {literal: 1}]}, body: ${ECHO}`,
      ),
    ],
    [
      'a wrong condition of a while',
      loop('while', `${bounded}, condition: {lt: [«GR1313 {from: loop.state}», {literal: 3}]}, body: ${ECHO}`),
    ],
    [
      'a wrong condition of a do_while',
      loop(
        'do_while',
        `${bounded}, condition: {eq: [{from: loop.state, path: «GR1407 /valu»}, {literal: 3}]}, body: ${ECHO}`,
      ),
    ],
    ['a condition that is no condition', loop('while', `${bounded}, condition: «GR1311 true», body: ${ECHO}`)],
    ['a count of another schema', loop('repeat', `${bounded}, count: «GR1403 {from: scope.id}», body: ${ECHO}`)],
    ['a count that is text', loop('repeat', `${bounded}, count: {literal: «GR1404 "5"»}, body: ${ECHO}`)],
    ['a count with a fraction', loop('repeat', `${bounded}, count: {literal: «GR1404 1.5»}, body: ${ECHO}`)],
    ['a negative count', loop('repeat', `${bounded}, count: {literal: «GR1317 -1»}, body: ${ECHO}`)],
    [
      'a count above the iterations there may be',
      loop('repeat', `${bounded}, count: {literal: «GR1317 10»}, body: ${ECHO}`),
    ],
    [
      'a default of a count above the iterations there may be',
      loop('repeat', `${bounded}, count: {from: workflow.input, path: /value, default: «GR1317 10»}, body: ${ECHO}`),
    ],
    [
      'a last carry of another schema than is expected',
      flow(
        `  n: {kind: while, ${bounded}, ${AGAIN}, body: ${ECHO}, next: done}${done('«GR1403 {from: nodes.n.output}»')}`,
        { input: 'counter/v1' },
      ),
    ],
    [
      'a last carry of a repeat of another schema than is expected',
      flow(
        `  n: {kind: repeat, ${bounded}, count: {literal: 1}, body: ${ECHO}, next: done}${done('«GR1403 {from: nodes.n.output}»')}`,
        { input: 'counter/v1' },
      ),
    ],
    [
      'a mistake deep in a body',
      loop(
        'while',
        `${bounded}, ${AGAIN}, body: {start: b, nodes: {b: {kind: repeat, count: {literal: 1}, state: {from: loop.state}, state_schema: counter/v1, max_iterations: 1, body: {start: b, nodes: {b: ${give('{from: «GR1302 loop.stat»}')}}}, next: e}, e: ${give('{from: loop.state}')}}}`,
      ),
    ],
  ],
  [
    ['1000 iterations', loop('while', `${state}, max_iterations: 1000, ${AGAIN}, body: ${ECHO}`)],
    ['one iteration', loop('do_while', `${state}, max_iterations: 1, ${AGAIN}, body: ${echo('counter/v1')}`)],
    ['a count of none', loop('repeat', `${bounded}, count: {literal: 0}, body: ${ECHO}`)],
    ['a count of all', loop('repeat', `${bounded}, count: {literal: 9}, body: ${ECHO}`)],
    ['a count that is bound', loop('repeat', `${bounded}, count: {from: workflow.input, path: /value}, body: ${ECHO}`)],
  ],
);
