/** Signals and the nodes that wait for them. */
import { topic } from './case.js';
import { flow, give, INPUT } from './snippets.js';

const done = (output: string): string => `\n  done: ${give(output)}`;
const PAID = { header: 'signals: {paid: {schema: integer/v1}}\n' };
const waits = (fields: string, parts = PAID): string => flow(`  n: {kind: wait_signal, ${fields}, next: done}`, parts);
const forever = 'signal: paid, key: {literal: k}, timeout: null';
const finite = 'signal: paid, key: {literal: k}, timeout: 5m, on_timeout: done';
const declared = (signals: string, fields = forever): string => waits(fields, { header: `signals: ${signals}\n` });

export const SIGNALS = topic(
  'signals',
  [
    ['signals that are a list', declared('«GR1103 [paid]»')],
    ['a signal that is a schema', declared('{paid: «GR1103 integer/v1»}')],
    ['a signal without a schema', declared('{«GR1102 paid»: {}}')],
    ['an unknown field of a signal', declared('{paid: {schema: integer/v1, «GR1101 ttl»: 7d}}')],
    ['a signal of an unknown schema', declared('{paid: {schema: «GR1401 integr/v1»}}')],
    [
      'a signal of an unknown schema, whose payload is read',
      flow(`  n: {kind: wait_signal, ${forever}, next: done}${done('{from: nodes.n.output}')}`, {
        header: 'signals: {paid: {schema: «GR1401 x/v1»}}\n',
      }),
    ],
    ['a signal with a name that is none', declared('{paid: {schema: unit/v1}, «GR1106 "a b"»: {schema: unit/v1}}')],
    ['an unknown signal', waits('signal: «GR1208 piad», key: {literal: k}, timeout: null')],
    [
      'a signal where none is declared',
      flow(`  n: {kind: wait_signal, signal: «GR1208 paid», key: {literal: k}, timeout: null, next: done}`),
    ],
    ['a signal that is a list', waits('signal: «GR1103 [paid]», key: {literal: k}, timeout: null')],
    ['no signal', waits('key: {literal: k}, timeout: null').replace('  n:', '  «GR1102 n»:')],
    ['no key', waits('signal: paid, timeout: null').replace('  n:', '  «GR1102 n»:')],
    ['no timeout', waits('signal: paid, key: {literal: k}').replace('  n:', '  «GR1102 n»:')],
    [
      'no timeout, but the edge for it',
      waits('signal: paid, key: {literal: k}, on_timeout: done').replace('  n:', '  «GR1102 n»:'),
    ],
    [
      'a misspelt on_timeout, which is not missing as well',
      flow(
        `  n: {kind: wait_signal, signal: paid, key: {literal: k}, timeout: 1m, «GR1101 on_timout»: a, next: done}\n  a: {kind: fail, error: {code: a, message: b}}`,
        PAID,
      ),
    ],
    [
      'misspelt signals, which are not missing as well',
      flow(`  n: {kind: wait_signal, ${forever}, next: done}`, {
        header: '«GR1101 signls»: {paid: {schema: integer/v1}}\n',
      }),
    ],
    [
      'a finite timeout without its edge',
      waits('signal: paid, key: {literal: k}, timeout: 5m').replace('  n:', '  «GR1209 n»:'),
    ],
    ['an endless wait with an edge for its timeout', waits(`${forever}, «GR1209 on_timeout»: done`)],
    [
      'a broken timeout without its edge, which is one mistake',
      waits('signal: paid, key: {literal: k}, timeout: «GR1109 5»'),
    ],
    ['a timeout of nothing', waits('signal: paid, key: {literal: k}, timeout: «GR1109 0s», on_timeout: done')],
    ['a timeout over a year', waits('signal: paid, key: {literal: k}, timeout: «GR1110 366d», on_timeout: done')],
    [
      'a timeout that is bound',
      waits('signal: paid, key: {literal: k}, timeout: «GR1103 {literal: 5m}», on_timeout: done'),
    ],
    ['an on_timeout that is a map', waits(`signal: paid, key: {literal: k}, timeout: 5m, on_timeout: «GR1103 {}»`)],
    ['a key that is text', waits('signal: paid, key: «GR1301 k», timeout: null')],
    ['a key that is a number', waits('signal: paid, key: {literal: «GR1404 5»}, timeout: null')],
    ['a key of another schema', waits(`signal: paid, key: «GR1403 ${INPUT}», timeout: null`)],
    ['a key from a number', waits('signal: paid, key: «GR1404 {from: workflow.input, path: /amount}», timeout: null')],
    ['a key over 256 bytes', waits(`signal: paid, key: {literal: «GR1112 ${'k'.repeat(257)}»}, timeout: null`)],
    [
      'a key over 256 bytes, if not over 256 characters',
      waits(`signal: paid, key: {literal: «GR1112 ${'é'.repeat(129)}»}, timeout: null`),
    ],
    [
      'a default of a key over 256 bytes',
      waits(
        `signal: paid, key: {from: workflow.input, path: /note, default: «GR1112 ${'k'.repeat(257)}»}, timeout: null`,
      ),
    ],
    ['an unknown consume_from', waits(`${forever}, consume_from: «GR1110 bufferd»`)],
    ['a consume_from that is a boolean', waits(`${forever}, consume_from: «GR1103 true»`)],
    ['an on_error', waits(`${finite}, «GR1104 on_error»: []`)],
    [
      'a payload of another schema than is expected',
      flow(`  n: {kind: wait_signal, ${forever}, next: done}${done('«GR1403 {from: nodes.n.output}»')}`, PAID),
    ],
  ],
  [
    ['a finite wait', waits(finite)],
    ['an endless wait', waits(`${forever}, consume_from: after_activation`)],
    [
      'a wait of a year',
      waits('signal: paid, key: {literal: k}, timeout: 365d, on_timeout: done, consume_from: buffered'),
    ],
    ['a key of 256 bytes', waits(`signal: paid, key: {literal: ${'k'.repeat(256)}}, timeout: null`)],
    ['a key that is the scope', waits('signal: paid, key: {from: scope.id}, timeout: null')],
    ['a signal that nothing waits for', flow('  n: {kind: delay, duration: 1s, next: done}', PAID)],
  ],
);
