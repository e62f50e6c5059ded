/** The forms of a binding, references, pointers and literals. */
import { topic } from './case.js';
import { bump, call, flow, INPUT, returns, textOf } from './snippets.js';

const counter = { input: 'counter/v1', output: 'counter/v1' };
const anything = { input: 'order/v1', output: 'anything/v1' };
/** An object inside an object, so many levels deep, around a binding. */
const nested = (levels: number, inner: string): string =>
  `${'{object: {a: '.repeat(levels)}${inner}${'}}'.repeat(levels)}`;
const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

export const BINDINGS = topic(
  'bindings',
  [
    ['a binding that is a string', bump([`input: ${INPUT}`, 'input: «GR1301 workflow.input»'])],
    ['a binding that is a number', returns('«GR1301 5»')],
    ['a binding that is a list', returns('«GR1301 [a]»')],
    ['a binding that is null', returns('«GR1301 null»')],
    ['a binding of two forms', bump([INPUT, '«GR1301 {from: workflow.input, literal: 1}»'])],
    ['a binding of no form', bump([INPUT, '«GR1301 {form: workflow.input}»'])],
    [
      'a binding of no form over several lines',
      bump([`input: ${INPUT}`, '«GR1301 input»:\n      form: workflow.input']),
    ],
    ['an item of no form', returns('{array: [«GR1301 {}»]}', { output: '{array: order/v1}' })],
    ['an object binding that is a list', returns('{object: «GR1103 []»}')],
    ['an array binding that is a map', returns('{array: «GR1103 {}»}', { output: '{array: order/v1}' })],
    ['a path beside a literal', returns('{literal: {value: 1}, «GR1104 path»: /a}', counter)],
    ['a default beside an object', returns('{object: {value: {literal: 1}}, «GR1104 default»: 1}', counter)],
    ['an unknown field of a binding', returns('{from: workflow.input, «GR1101 as»: text}')],
    ['a misspelt path', returns('{from: workflow.input, «GR1101 pth»: /address}')],
    ['an unknown reference', bump(['from: workflow.input', 'from: «GR1302 workflow.imput»'])],
    ['a reference that is a list', returns('{from: «GR1103 [workflow.input]»}')],
    ['a path inside a reference', bump(['from: workflow.input', 'from: «GR1302 workflow.input.value»'])],
    ['a node that is read without saying what', bump(['nodes.inc.output', '«GR1302 nodes.inc»'])],
    ['an unknown port of a node', bump(['nodes.inc.output', '«GR1302 nodes.inc.result»'])],
    ['a reference to an unknown node', bump(['nodes.inc.output', '«GR1303 nodes.ink.output»'])],
    ['a reference to the error of an unknown node', bump(['nodes.inc.output', '«GR1303 nodes.ink.error»'])],
    ['a reference to a node that could not exist', bump(['nodes.inc.output', '«GR1303 nodes.Inc.output»'])],
    ['a reference to a node without output', bump(['from: workflow.input', 'from: «GR1304 nodes.done.output»'])],
    ['a pointer without a slash', returns('{from: workflow.input, path: «GR1306 order_id»}')],
    ['a pointer with a stray tilde', returns('{from: workflow.input, path: «GR1306 /a~b»}')],
    ['a pointer that is a number', returns('{from: workflow.input, path: «GR1103 0»}')],
    ['a literal too deep', returns(`{literal: «GR1307 ${lists(33)}»}`, anything)],
    ['a default too deep', returns(`{from: workflow.input, path: /meta, default: «GR1307 ${lists(33)}»}`, anything)],
    ['objects too deep', returns(nested(32, '«GR1307 {object: {}}»'), anything)],
    ['arrays too deep', returns(nested(32, '«GR1307 {array: []}»'), anything)],
    ['a literal that is too deep where it stands', returns(nested(30, `{literal: «GR1307 ${lists(3)}»}`), anything)],
    [
      'a default that is too deep where it stands',
      returns(nested(32, '{from: workflow.input, path: /meta, default: «GR1307 {}»}'), anything),
    ],
    [
      'a literal too large',
      returns(textOf(256 * 1024 + 1).replace(/"(.*)"/, '«GR1307 "$1"»'), { output: 'string/v1' }),
    ],
    ['a default of a whole value', returns(`{from: workflow.input, default: «GR1308 {order_id: a, amount: 1}»}`)],
    [
      'a default of a whole value with a path',
      returns('{from: scope.input, path: "", default: «GR1308 {order_id: a, amount: 1}»}'),
    ],
    [
      'several mistakes in one object',
      flow(
        `  n: ${call('tax.quote', '{object: {order_id: «GR1301 a», amount: {from: «GR1302 here»}, note: {from: scope.input, path: «GR1306 x»}}}', 'next: done')}`,
      ),
    ],
  ],
  [
    ['every form', returns('{object: {order_id: {from: scope.id}, amount: {literal: 1}, lines: {array: []}}}')],
    ['a literal as deep as a value may be', returns(`{literal: ${lists(32)}}`, anything)],
    ['objects as deep as a value may be', returns(nested(32, '{from: scope.id}'), anything)],
    [
      'a literal in objects, together as deep as a value may be',
      returns(nested(30, `{literal: ${lists(2)}}`), anything),
    ],
    ['an empty path', returns('{from: workflow.input, path: ""}')],
    ['escapes in a pointer', returns('{from: workflow.input, path: /meta/a~0b~1c}', anything)],
  ],
);
