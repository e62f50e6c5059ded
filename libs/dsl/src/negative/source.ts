/** Text that is no YAML, or YAML that documents may not use. */
import { BUMP } from '../testing/order-catalog.js';
import { topic } from './case.js';
import { bump, INPUT, returns } from './snippets.js';

const counter = { input: 'counter/v1', output: 'counter/v1' };

/** A sound document with a comment, so many characters in all. */
const padded = (characters: number): string => `${BUMP}#${'x'.repeat(characters - BUMP.length - 1)}`;

export const SOURCE = topic(
  'source',
  [
    ['a key without a value separator', bump(['start: inc', '«GR1001 start inc»'])],
    ['a list that does not end', bump(['    output: {from: nodes.inc.output}\n', '    output: [1, 2\n«GR1001 »'])],
    ['a tab for indentation', bump(['    next: done', '«GR1001 \t»next: done'])],
    ['two documents', `${BUMP}«GR1003 ---»\n${BUMP}`],
    ['an empty source', '«GR1003 »'],
    ['an anchor and its alias', bump(['version: 1\n', 'version: «GR1004 &v» 1\nrun_timeout: «GR1004 *v»\n'])],
    ['a tag', bump(['version: 1\n', 'version: «GR1004 !!int» 1\n'])],
    ['a merge key', bump(['    next: done', '    next: done\n    «GR1004 <<»: {timeout: 5s}'])],
    ['a directive', `«GR1004 %YAML 1.1»\n---\n${BUMP}`],
    ['a duplicate key', bump(['version: 1\n', 'version: 1\n«GR1005 version»: 2\n'])],
    ['a duplicate key in a flow map', bump([INPUT, '{from: workflow.input, «GR1005 from»: scope.input}'])],
    ['a hexadecimal number', bump(['version: 1\n', 'version: «GR1006 0x10»\n'])],
    ['an octal number', bump(['version: 1\n', 'version: «GR1006 0o7»\n'])],
    ['a number with a leading zero', bump(['version: 1\n', 'version: «GR1006 012»\n'])],
    ['a number without its zero', bump(['version: 1\n', 'version: «GR1006 .5»\n'])],
    ['a number with a dot at its end', bump(['version: 1\n', 'version: «GR1006 1.»\n'])],
    ['a number with a plus', bump(['version: 1\n', 'version: «GR1006 +5»\n'])],
    ['infinity', bump(['version: 1\n', 'version: «GR1006 .inf»\n'])],
    ['an integer that cannot be kept', returns('{literal: {value: «GR1007 9007199254740993»}}', counter)],
    ['minus zero', returns('{literal: {value: «GR1007 -0»}}', counter)],
    ['a decimal that is not finite', returns('{literal: {value: «GR1007 1e999»}}', counter)],
    ['a NUL character', returns('{literal: {value: «GR1009 "a\\0"»}}', counter)],
    ['half of a surrogate pair', returns('{literal: {value: «GR1009 "a\\uD800"»}}', counter)],
    ['a NUL character in a key', returns('{literal: {value: 1, «GR1009 "a\\0"»: 1}}', counter)],
    ['a key that is a number', returns('{literal: {value: 1, «GR1010 1»: {}}}', counter)],
    ['a key that is a list', returns('{literal: {value: 1, ? «GR1010 [a]» : {}}}', counter)],
    ['a source over 256 KiB', padded(256 * 1024 + 1).replace('d', '«GR1002 d»')],
    [
      'a source over 256 KiB, if not over 256 Ki characters',
      padded(256 * 1024)
        .replace('xx', 'éx')
        .replace('d', '«GR1002 d»'),
    ],
    [
      'nesting as deep as a source may be, which is no document',
      `«GR1101,${Array(7).fill('GR1102').join(',')} a»: ${'['.repeat(255)}${']'.repeat(255)}\n`,
    ],
    ['nesting that no document needs', `a: ${'['.repeat(255)}«GR1008 [»${'['.repeat(700)}`],
    ['a mistake behind Windows line ends', bump(['next: done', 'next: «GR1201 dnoe»']).replaceAll('\n', '\r\n')],
    ['a mistake behind a byte order mark', `\ufeff${bump(['dsl: graphrun/v1', '«GR1101 x»: 1\ndsl: graphrun/v1'])}`],
    [
      'a mistake behind characters of several units',
      bump(['{from: workflow.input}', '{object: {"😀é": {literal: 1}, value: {from: «GR1302 x»}}}']).replace(
        '"😀é"',
        '«GR1406 "😀é"»',
      ),
    ],
    ['a text that begins below its key', bump(['next: done', '«GR1201 next»:\n      dnoe'])],
    [
      'a flow map that begins below its key',
      bump(['input: {from: workflow.input}', '«GR1403 input»:\n      {from: scope.id}']),
    ],
    ['a flow map over several lines', bump(['{from: workflow.input}', '«GR1403 {from:»\n      scope.id}'])],
    ['text over several lines', bump(['id: bump', 'id: «GR1106 two»\n  words'])],
    ['folded text', bump(['id: bump', '«GR1106 id»: >-\n  two\n  words'])],
    ['fifty brackets too many, which are fifty mistakes', `a: [\n  ]\n${'  «GR1001 ]»\n'.repeat(50)}`],
    ['more brackets than that, which is no YAML at all', `a: [\n  ]\n  «GR1001 ]»\n${'  ]\n'.repeat(50)}`],
  ],
  [
    ['256 KiB', padded(256 * 1024)],
    ['an integer at the end of its range', returns('{literal: {value: 9007199254740991}}', counter)],
    ['numbers as JSON spells them', returns('{literal: {order_id: a, amount: -1e2, rate: 1.5E-3}}')],
    ['words that other YAML reads as booleans', returns('{literal: {order_id: yes, amount: 1, note: 2024-01-01}}')],
    ['the directive of the version that is used', `%YAML 1.2\n---\n${BUMP}`],
  ],
);
