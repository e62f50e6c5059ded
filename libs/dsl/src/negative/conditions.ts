/** Conditions, as the `when` of a case. */
import { topic } from './case.js';
import { body, ECHO, flow, give, INPUT } from './snippets.js';

const when = (condition: string, parts = {}): string =>
  flow(
    `  n: {kind: choose, input: ${INPUT}, cases: [{name: a, when: ${condition}, body: ${ECHO}}], default: ${body('order/v1', 'order/v1', `b: ${give(INPUT)}`)}, next: done}`,
    parts,
  );
const amount = '{from: workflow.input, path: /amount}';
const rate = '{from: workflow.input, path: /rate}';
const id = '{from: workflow.input, path: /order_id}';
const note = '{from: workflow.input, path: /note}';
const meta = '{from: workflow.input, path: /meta}';
const yes = '{eq: [{literal: 1}, {literal: 1}]}';
const many = (count: number): string => Array(count).fill(yes).join(', ');

export const CONDITIONS = topic(
  'conditions',
  [
    ['a condition that is a string', when('«GR1311 always»')],
    ['a condition that is true', when('«GR1311 true»')],
    ['a condition that is a list', when(`«GR1311 [${yes}]»`)],
    ['a condition without an operator', when('«GR1311 {}»')],
    ['an unknown operator', when(`{«GR1311 equals»: [${amount}, {literal: 1}]}`)],
    ['a condition of two operators', when(`{«GR1311 eq»: [${amount}, {literal: 1}], ne: [${amount}, {literal: 1}]}`)],
    ['a binding for a condition', when('{«GR1311 from»: workflow.input, path: /ok}')],
    ['operands that are a map', when('{eq: «GR1103 {}»}')],
    ['no operand', when('{eq: «GR1115 []»}')],
    ['one operand', when(`{eq: «GR1115 [${amount}]»}`)],
    ['three operands', when(`{lt: «GR1115 [${amount}, ${amount}, ${amount}]»}`)],
    ['an operand that is a value', when(`{eq: [${amount}, «GR1301 5»]}`)],
    ['an all of nothing', when('{all: «GR1115 []»}')],
    ['an any of nothing', when('{any: «GR1115 []»}')],
    ['an all that is a condition', when(`{all: «GR1103 ${yes}»}`)],
    ['a wrong condition in an all in an any', when(`{any: [${yes}, {all: [${yes}, «GR1311 no»]}]}`)],
    ['a not of a list', when(`{not: «GR1311 [${yes}]»}`)],
    ['an exists of text', when('{exists: «GR1103 workflow.input»}')],
    ['an exists without a reference', when('{exists: «GR1102 {path: /note}»}')],
    ['an exists with a default', when('{exists: {from: workflow.input, path: /note, «GR1104 default»: x}}')],
    ['an exists of a literal', when('{exists: «GR1102 {«GR1101 literal»: 1}»}')],
    ['an exists of what can never exist', when('{exists: {from: workflow.input, path: «GR1407 /nte»}}')],
    ['an exists of an unknown node', when('{exists: {from: «GR1303 nodes.x.output»}}')],
    ['a mistake inside of a not', when(`{not: {eq: [${amount}, «GR1312 {literal: a}»]}}`)],
    ['a mistake inside of an all', when(`{all: [${yes}, {eq: [${amount}, «GR1312 {literal: a}»]}]}`)],
    ['a mistake inside of an any', when(`{any: [{eq: [${amount}, «GR1312 {literal: a}»]}, ${yes}]}`)],
    ['text and a number', when(`{eq: [${id}, «GR1312 {literal: 5}»]}`)],
    ['text and a boolean', when(`{ne: [${id}, «GR1312 {literal: true}»]}`)],
    ['text and null', when(`{eq: [${id}, «GR1312 {literal: null}»]}`)],
    ['two literals that are never equal', when('{eq: [{literal: a}, «GR1312 {literal: 1}»]}')],
    ['an integer and a number', when(`{eq: [${amount}, «GR1312 ${rate}»]}`)],
    ['an integer and a fraction', when(`{eq: [${amount}, «GR1312 {literal: 1.5}»]}`)],
    ['an integer below a number', when(`{lt: [${amount}, «GR1312 ${rate}»]}`)],
    ['a number above an integer', when(`{gt: [${rate}, «GR1312 ${amount}»]}`)],
    ['a whole input, which is an object', when(`{eq: [«GR1313 ${INPUT}», {literal: 1}]}`)],
    ['an object literal', when(`{eq: [${meta}, «GR1313 {literal: {}}»]}`)],
    ['an object binding', when(`{eq: [«GR1313 {object: {}}», ${meta}]}`)],
    ['an array binding', when(`{ne: [${meta}, «GR1313 {array: []}»]}`)],
    ['an array of a schema', when(`{eq: [«GR1313 {from: workflow.input, path: /lines}», ${meta}]}`)],
    ['two objects, which are two mistakes', when('{eq: [«GR1313 {object: {}}», «GR1313 {array: []}»]}')],
    ['text below text', when(`{lt: [«GR1313 ${id}», «GR1313 {literal: a}»]}`)],
    ['null above a number', when(`{ge: [«GR1313 {literal: null}», ${amount}]}`)],
    ['a boolean at most a number', when(`{le: [«GR1313 {literal: true}», ${amount}]}`)],
    [
      'a default that is a list',
      when(`{eq: [{from: workflow.input, path: /note, default: «GR1313 []»}, {literal: a}]}`),
    ],
    [
      'a default that is text, of a number',
      when(`{gt: [{from: workflow.input, path: /amount, default: «GR1313 x»}, {literal: 1}]}`),
    ],
    ['a default of a whole value', when('{eq: [{from: scope.id, default: «GR1308 x»}, {literal: a}]}')],
    ['a wrong reference, which is no wrong kind', when('{eq: [{from: «GR1309 loop.index»}, {literal: a}]}')],
    ['a pointer that cannot exist', when('{lt: [{from: workflow.input, path: «GR1407 /amuont»}, {literal: 1}]}')],
    ['257 operators', when(`{all: [${many(255)}, {«GR1314 eq»: [{literal: 1}, {literal: 1}]}]}`)],
    [
      'thousands of operators, which are one mistake',
      when(`{all: [${many(255)}, {«GR1314 eq»: [{literal: 1}, {literal: 1}]}, ${many(900)}]}`),
    ],
  ],
  [
    ['256 operators', when(`{all: [${many(255)}]}`)],
    ['an integral literal beside an integer', when(`{eq: [${amount}, {literal: 5}]}`)],
    ['an integral literal beside a number', when(`{ge: [{literal: 5}, ${rate}]}`)],
    ['a fraction beside a number', when(`{ge: [{literal: 5.5}, ${rate}]}`)],
    ['null beside what may be null', when(`{eq: [${note}, {literal: null}]}`)],
    ['text beside what may be text', when(`{ne: [{literal: a}, ${note}]}`)],
    ['anything beside text', when(`{eq: [${meta}, ${id}]}`)],
    [
      'a default of the kind of the other operand',
      when(`{eq: [{from: workflow.input, path: /meta/x, default: 0}, ${amount}]}`),
    ],
    ['an exists of a whole value', when('{exists: {from: workflow.input}}')],
    [
      'everything inside everything',
      when(`{any: [{all: [${yes}, {not: ${yes}}]}, {exists: {from: workflow.input, path: /note}}]}`),
    ],
  ],
);
