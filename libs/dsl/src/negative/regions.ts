/** Regions by name. */
import { topic } from './case.js';
import { body, call, ECHO, echo, flow, give, INPUT } from './snippets.js';

const saga = (inner: string, next = 'done'): string => `{kind: saga, input: ${INPUT}, body: ${inner}, next: ${next}}`;
const uses = (regions: string, inner = '{use: r}'): string =>
  flow(`  n: ${saga(inner)}`, { header: `regions: ${regions}\n` });
const repeat = (inner: string, next = 'done'): string =>
  `{kind: repeat, count: {literal: 1}, state: ${INPUT}, state_schema: order/v1, max_iterations: 1, body: ${inner}, next: ${next}}`;
const inRegion = (inner: string): string => body('order/v1', 'order/v1', `b: ${saga(inner, 'e')}, e: ${give(INPUT)}`);

export const REGIONS = topic(
  'regions',
  [
    ['regions that are a list', uses('«GR1103 []»')],
    ['a region that is text', uses('{r: «GR1103 x»}')],
    [
      'a region with a name that is none',
      uses(`{r: ${echo('order/v1')}, «GR1106 "a b"»: ${echo('order/v1')}}`, '{use: r}').replace(
        'use: r}',
        "use: r}, next: a}\n  a: {kind: saga, input: {from: workflow.input}, body: {use: 'a b'}",
      ),
    ],
    ['an unknown region', uses(`{r: ${echo('order/v1')}}`, '{use: «GR1204 rr»}')],
    ['a region where none is named', flow(`  n: ${saga('{use: «GR1204 r»}')}`)],
    ['a use that is a list', uses(`{r: ${echo('order/v1')}}`, '{use: «GR1103 [r]»}')],
    ['a use with more', uses(`{r: ${echo('order/v1')}}`, '{use: r, «GR1101 start»: b}')],
    ['a region inside itself', uses(`{r: ${inRegion('{use: «GR1205 r»}')}}`)],
    ['regions inside each other', uses(`{r: ${inRegion('{use: s}')}, s: ${inRegion('{use: «GR1205 r»}')}}`)],
    ['a region that is never used', uses(`{r: ${echo('order/v1')}, «GR1206 s»: {}}`)],
    [
      'an unused region beside an error, which is all that is said',
      uses(`{s: ${echo('order/v1')}}`, '{use: «GR1204 r»}'),
    ],
    ['a region without nodes', uses('{«GR1102 r»: {input_schema: order/v1, output_schema: order/v1, start: b}}')],
    ['a region with an unknown field', uses(`{r: ${echo('order/v1').replace('{', '{«GR1101 colour»: red, ')}}`)],
    ['a region with a description', uses(`{r: ${echo('order/v1').replace('{', '{«GR1101 description»: x, ')}}`)],
    ['a region without schemas where nothing fixes them', uses(`{r: ${ECHO}}`, '{use: «GR1102,GR1102 r»}')],
    [
      'a region of another schema than its loop',
      flow(`  n: ${repeat('{use: «GR1409,GR1409 r»}')}`, { header: `regions: {r: ${echo('counter/v1')}}\n` }).replace(
        'GR1409,GR1409',
        'GR1409,GR1409',
      ),
    ],
    [
      'a region of another input than is given to it',
      flow(`  n: {kind: saga, input: «GR1403 ${INPUT}», body: {use: r}, next: done}`, {
        header: `regions: {r: ${echo('counter/v1')}}\n`,
      }),
    ],
    [
      'a mistake in a region, which is said once for two uses',
      flow(`  n: ${saga('{use: r}', 'a')}\n  a: ${saga('{use: r}')}`, {
        header: `regions: {r: ${body('order/v1', 'order/v1', `b: ${give('«GR1403 {from: scope.id}»')}`)}}\n`,
      }),
    ],
    [
      'a region that reads a loop, used outside of one',
      flow(`  n: ${repeat('{use: r}', 'a')}\n  a: ${saga('{use: r}')}`, {
        header: `regions: {r: ${body('order/v1', 'order/v1', `b: ${give('{from: «GR1309 loop.state»}')}`)}}\n`,
      }),
    ],
    [
      'a region with external work, used in a saga',
      flow(`  n: ${repeat('{use: r}', 'a')}\n  a: ${saga('{use: r}')}`, {
        header: `regions: {r: ${body('order/v1', 'order/v1', `«GR1507 b»: ${call('inventory.reserve', INPUT, 'next: e')}, e: ${give(INPUT)}`)}}\n`,
      }),
    ],
    [
      'a region with a continuation',
      uses(`{r: ${body('order/v1', 'order/v1', `«GR1207 b»: {kind: continue_as_new, input: ${INPUT}}`)}}`),
    ],
    ['regions inside of a body', flow(`  n: ${saga(echo('order/v1').replace('{', '{«GR1101 regions»: {}, '))}`)],
  ],
  [
    [
      'a region for two containers',
      flow(`  n: ${saga('{use: r}', 'a')}\n  a: ${repeat('{use: r}')}`, {
        header: `regions: {r: ${echo('order/v1')}}\n`,
      }),
    ],
    [
      'a region whose schemas its loop fixes',
      flow(`  n: ${repeat('{use: r}')}`, { header: `regions: {r: ${ECHO}}\n` }),
    ],
    ['a region in a region', uses(`{r: ${inRegion('{use: s}')}, s: ${echo('order/v1')}}`)],
  ],
);
