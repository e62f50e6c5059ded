/** Names of schemas where there is identity, shapes where there is none. */
import { topic } from './case.js';
import { bump, call, flow, INPUT, returns } from './snippets.js';

const counter = { input: 'counter/v1', output: 'counter/v1' };
const whole = (input: string, output: string): string => returns('«GR1403 {from: workflow.input}»', { input, output });
const picked = (path: string, output: string, input = 'order/v1'): string =>
  returns(`{from: workflow.input, path: ${path}}`, { input, output });
const refused = (code: string, path: string, output: string, input = 'order/v1'): string =>
  returns(`«${code} {from: workflow.input, path: ${path}}»`, { input, output });
const nowhere = (path: string, output: string, input = 'order/v1'): string => picked(`«GR1407 ${path}»`, output, input);
const sum = (input: string): string => flow(`  n: ${call('math.sum', input, 'next: done')}`);
const add = (input: string): string => flow(`  n: ${call('math.add', input, 'next: done')}`);

export const TYPING = topic(
  'typing',
  [
    ['an unknown schema', bump(['input_schema: counter/v1', 'input_schema: «GR1401 conter/v1»'])],
    ['an unknown version of a schema', bump(['input_schema: counter/v1', 'input_schema: «GR1401 counter/v2»'])],
    ['a schema without a version', bump(['input_schema: counter/v1', 'input_schema: «GR1402 counter»'])],
    ['a schema of version zero', bump(['input_schema: counter/v1', 'input_schema: «GR1402 counter/v0»'])],
    ['a schema that is a number', bump(['input_schema: counter/v1', 'input_schema: «GR1402 1»'])],
    ['a schema that is a list', bump(['input_schema: counter/v1', 'input_schema: «GR1402 [counter/v1]»'])],
    [
      'a schema that is an array and a tuple',
      bump(['input_schema: counter/v1', 'input_schema: «GR1402 {array: unit/v1, tuple: [unit/v1]}»']),
    ],
    [
      'a schema that is an unknown constructor',
      bump(['input_schema: counter/v1', 'input_schema: «GR1402 {list: unit/v1}»']),
    ],
    ['a tuple without items', bump(['input_schema: counter/v1', 'input_schema: {tuple: «GR1402 []»}'])],
    [
      'a tuple of 17',
      bump(['input_schema: counter/v1', `input_schema: {tuple: «GR1402 [${Array(17).fill('unit/v1').join(', ')}]»}`]),
    ],
    ['a tuple that is no list', bump(['input_schema: counter/v1', 'input_schema: {tuple: «GR1402 unit/v1»}'])],
    [
      'an alias for a tuple, which is one mistake',
      bump(['input_schema: counter/v1', 'input_schema: {tuple: «GR1004 *x»}']),
    ],
    [
      'an unknown schema in a tuple in an array',
      bump(['input_schema: counter/v1', 'input_schema: {array: {tuple: [unit/v1, «GR1401 nit/v1»]}}']),
    ],
    [
      'arrays too deep',
      bump([
        'input_schema: counter/v1',
        `input_schema: ${'{array: '.repeat(32)}{«GR1402 array»: unit/v1}${'}'.repeat(32)}`,
      ]),
    ],
    [
      'equal JSON under another name',
      bump(['input_schema: counter/v1', 'input_schema: twin/v1'], [INPUT, `«GR1403 ${INPUT}»`]),
    ],
    ['a wider schema of another name', whole('counter/v1', 'anything/v1')],
    ['text of another name', whole('text/v1', 'string/v1')],
    ['an integer for a number, as whole values', whole('integer/v1', 'number/v1')],
    ['a number for an integer, as whole values', whole('number/v1', 'integer/v1')],
    ['an array for its item', whole('{array: unit/v1}', 'unit/v1')],
    ['an array of something else', whole('{array: counter/v1}', '{array: twin/v1}')],
    ['an array for a tuple', whole('{array: unit/v1}', '{tuple: [unit/v1]}')],
    ['a shorter tuple', whole('{tuple: [unit/v1]}', '{tuple: [unit/v1, unit/v1]}')],
    ['a tuple in another order', whole('{tuple: [unit/v1, text/v1]}', '{tuple: [text/v1, unit/v1]}')],
    ['the item of a constructor of another name', refused('GR1403', '/0', 'twin/v1', '{array: counter/v1}')],
    ['the item of a tuple of another name', refused('GR1403', '/1', 'twin/v1', '{tuple: [twin/v1, counter/v1]}')],
    ['the item of an item of another name', refused('GR1403', '/0/3', 'twin/v1', '{tuple: [{array: counter/v1}]}')],
    [
      'a default that hides another name',
      returns('«GR1403 {from: workflow.input, path: /0, default: {value: 1}}»', {
        input: '{array: counter/v1}',
        output: 'twin/v1',
      }),
    ],
    ['an item behind the end of a tuple', nowhere('/2', 'unit/v1', '{tuple: [unit/v1, unit/v1]}')],
    ['a member of an array', nowhere('/first', 'unit/v1', '{array: unit/v1}')],
    ['an item with a leading zero', nowhere('/00', 'unit/v1', '{array: unit/v1}')],
    ['text for an object', returns('{literal: «GR1404 hello»}', counter)],
    ['null for an object', returns('{literal: «GR1404 null»}', counter)],
    ['a boolean for text', returns('{literal: «GR1404 true»}', { output: 'string/v1' })],
    [
      'a number for a member that is text',
      returns('{object: {order_id: {literal: «GR1404 1»}, amount: {literal: 1}}}'),
    ],
    ['an object for text', returns('{literal: «GR1404 {}»}', { output: 'string/v1' })],
    ['an object binding for text', returns('«GR1404 {object: {}}»', { output: 'string/v1' })],
    ['an object binding for an array', returns('«GR1404 {object: {}}»', { output: '{array: unit/v1}' })],
    ['an array binding for an object', returns('«GR1404 {array: []}»')],
    [
      'an array binding for a member that is text',
      returns('{object: {order_id: «GR1404 {array: []}», amount: {literal: 1}}}'),
    ],
    ['a fraction where an integer is expected', returns('{literal: {value: «GR1404 1.5»}}', counter)],
    [
      'a number where an integer is expected',
      returns('{object: {value: «GR1404 {from: workflow.input, path: /rate}»}}', { output: 'counter/v1' }),
    ],
    ['a number for a whole integer', refused('GR1404', '/rate', 'integer/v1')],
    [
      'a whole number in a member for integers',
      returns('{object: {value: «GR1404 {from: workflow.input}»}}', { input: 'number/v1', output: 'counter/v1' }),
    ],
    ['an object for text, by pointer', refused('GR1404', '/address', 'string/v1')],
    ['an array for an object, by pointer', refused('GR1404', '/lines', 'counter/v1')],
    [
      'a default of the wrong type',
      returns('{object: {value: {from: workflow.input, path: /amount, default: «GR1404 x»}}}', {
        output: 'counter/v1',
      }),
    ],
    [
      'a default that is null',
      returns('{from: workflow.input, path: /amount, default: «GR1404 null»}', { output: 'integer/v1' }),
    ],
    [
      'a default without a required member',
      returns('{from: workflow.input, path: /meta, default: «GR1405 {}»}', { output: 'counter/v1' }),
    ],
    ['a required member missing', returns('«GR1405 {object: {}}»', counter)],
    [
      'a required member missing over several lines',
      returns('{literal: {value: 1}}', counter).replace(
        '{kind: complete, output: {literal: {value: 1}}}',
        '\n    kind: complete\n    «GR1405 output»:\n      object: {}',
      ),
    ],
    ['a required member missing in a literal', returns('{literal: «GR1405 {order_id: a}»}')],
    [
      'a required member missing in a literal in a list',
      returns('{literal: [{value: 1}, «GR1405 {}»]}', { output: '{array: counter/v1}' }),
    ],
    ['a projection without a required member', refused('GR1405', '/address', 'receipt/v1')],
    [
      'a projection that lacks all',
      returns('«GR1405 {from: workflow.input, path: /address}»', { output: 'counter/v1' }),
    ],
    [
      'an object for a member that is text',
      returns('{object: {city: «GR1404 {from: workflow.input}», zip: {literal: a}}}', {
        input: 'counter/v1',
        output: 'receipt/v1',
      }),
    ],
    [
      'a whole value with a forbidden member in a place without a name',
      returns('{object: {order_id: {literal: a}, amount: {literal: 1}, address: «GR1406 {from: workflow.input}»}}', {
        input: 'reservation/v1',
        output: 'order/v1',
      }),
    ],
    ['a forbidden member', returns('{literal: {value: 1, «GR1406 valeu»: 2}}', counter)],
    [
      'a forbidden member of an object binding',
      returns('{object: {value: {literal: 1}, «GR1406 more»: {literal: 2}}}', counter),
    ],
    [
      'a forbidden member whose binding is wrong as well',
      returns('{object: {value: {literal: 1}, «GR1406 more»: {from: «GR1309 loop.index»}}}', counter),
    ],
    ['a pointer that cannot exist', nowhere('/amuont', 'integer/v1')],
    ['a pointer into a scalar', nowhere('/amount/x', 'integer/v1')],
    ['a pointer into text', nowhere('/x', 'string/v1', 'string/v1')],
    ['a pointer into the scope id', returns('{from: scope.id, path: «GR1407 /run»}', { output: 'string/v1' })],
    ['a pointer to an item that a schema has no place for', nowhere('/2', 'integer/v1', 'ints/v1')],
    ['a pointer behind fixed items', nowhere('/2', 'integer/v1', 'pair/v1')],
    ['a pointer that no branch of a union has', nowhere('/x', 'string/v1', 'union/v1')],
    [
      'a pointer that cannot exist, in a member for anything',
      returns(
        '{object: {order_id: {literal: a}, amount: {literal: 1}, meta: {from: workflow.input, path: «GR1407 /x»}}}',
      ),
    ],
    [
      'a pointer that cannot exist, with a default',
      returns('{from: workflow.input, path: «GR1407 /x», default: 1}', { output: 'integer/v1' }),
    ],
    ['a tuple binding that is too short', add('«GR1408 {array: [{literal: 1}]}»')],
    ['a tuple binding that is too long', add('«GR1408 {array: [{literal: 1}, {literal: 2}, {literal: 3}]}»')],
    ['a tuple literal that is too short', add('{literal: «GR1408 [1]»}')],
    ['a wrong item in a tuple literal', add('{literal: [«GR1404 1.5», 1]}')],
    [
      'more items than a schema has room for',
      returns('«GR1408 {array: [{literal: 1}, {literal: 2}, {literal: 3}]}»', { output: 'ints/v1' }),
    ],
    [
      'more items in a literal than a schema has room for',
      returns('{literal: «GR1408 [a, 1, 2]»}', { output: 'pair/v1' }),
    ],
    ['an item of the wrong schema in a tuple', add('{array: [{literal: 1}, «GR1403 {from: scope.id}»]}')],
    ['an item of the wrong schema in an array', sum('{array: [{literal: 1}, «GR1403 {from: scope.id}»]}')],
    [
      'an integer for a number in a tuple',
      flow(
        `  n: ${call('tax.quote', INPUT, 'next: a')}\n  a: ${call('math.add', '{array: [{from: nodes.n.output}, «GR1403 {from: nodes.n.output}»]}', 'next: done')}`,
      ),
    ],
    [
      'a wrong item of an array for a named schema',
      returns('{array: [{literal: 1}, «GR1404 {from: scope.id}»]}', { output: 'ints/v1' }),
    ],
    [
      'a tuple that is too short and an item that is wrong by itself',
      add('«GR1408 {array: [{from: «GR1309 loop.index»}]}»'),
    ],
    [
      'an unknown node in a value of unknown type',
      flow(
        `  n: {kind: activity, activity: «GR1501 {name: nobody.knows, version: 1}», input: {array: [{object: {a: {from: «GR1303 nodes.x.output»}}}]}, next: done}`,
      ),
    ],
    ['a literal of the wrong type in a union', returns('{literal: «GR1404 1»}', { output: 'union/v1' })],
    [
      'an object that no branch of a union takes',
      returns('{literal: «GR1405 {«GR1406 x»: 1}»}', { output: 'union/v1' }),
    ],
  ],
  [
    ['the item of a constructor of the right name', picked('/0', 'counter/v1', '{array: counter/v1}')],
    ['an item deep in constructors', picked('/1/7', 'counter/v1', '{tuple: [unit/v1, {array: counter/v1}]}')],
    ['a part of a named schema for a whole integer', picked('/amount', 'integer/v1')],
    ['an integer for a number, by pointer', picked('/amount', 'number/v1')],
    [
      'text of any name in a member',
      returns('{object: {order_id: {from: workflow.input}, amount: {literal: 1}}}', { input: 'text/v1' }),
    ],
    ['an open schema for anything', picked('/meta', 'counter/v1')],
    ['a member that may be missing', picked('/note', 'string/v1')],
    ['an array binding for a named schema', returns('{array: [{literal: 1}, {literal: 2}]}', { output: 'ints/v1' })],
    ['an empty array', sum('{array: []}')],
    ['an integral literal for a number', returns('{literal: 2}', { output: 'number/v1' })],
    [
      'a tuple of 16',
      returns('{literal: null}', { input: `{tuple: [${Array(16).fill('unit/v1').join(', ')}]}`, output: 'unit/v1' }),
    ],
    [
      'arrays as deep as a schema may be',
      returns('{literal: null}', { input: `${'{array: '.repeat(32)}unit/v1${'}'.repeat(32)}`, output: 'unit/v1' }),
    ],
    ['either branch of a union', returns('{literal: {s: a}}', { output: 'union/v1' })],
  ],
);
