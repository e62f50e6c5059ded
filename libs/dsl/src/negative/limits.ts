/** How large a definition may be. */
import { topic } from './case.js';
import { body, bump, echo, flow, give, INPUT, quote, returns, textOf } from './snippets.js';

const saga = (inner: string, next = 'e'): string => `{kind: saga, input: ${INPUT}, body: ${inner}, next: ${next}}`;
/** Sagas in sagas, so many levels of them, around a body. */
const nested = (levels: number, inner: string): string =>
  levels === 0 ? inner : body('order/v1', 'order/v1', `b: ${saga(nested(levels - 1, inner))}, e: ${give(INPUT)}`);
const root = (levels: number, inner: string): string => flow(`  n: ${saga(nested(levels - 1, inner), 'done')}`);
/** A chain of so many nodes in all. */
const chain = (count: number): string =>
  flow(
    Array.from({ length: count - 1 }, (_, index) => {
      const next = index === count - 2 ? 'done' : `n${index + 1}`;
      return `  ${index === 0 ? 'n' : `n${index}`}: ${quote(next)}`;
    }).join('\n'),
  );

/** A document whose normal form has so many bytes. */
const normalForm = (bytes: number): string => {
  const node = { kind: 'complete', output: { literal: '' } };
  const root = { inputSchema: 'order/v1', outputSchema: 'string/v1', start: 'n', nodes: { n: node } };
  const empty = JSON.stringify({ dsl: 'graphrun/v1', id: 'test', version: 1, runTimeoutMs: null, root });
  return returns(textOf(bytes - empty.length + 2), { output: 'string/v1' });
};

/** A region of so many characters, nearly, that is used six times: the last time is once too often. */
const sixUses = (characters: number): string => {
  const region = body('order/v1', 'string/v1', `b: ${give(`{literal: ${'x'.repeat(characters)}}`)}`);
  const uses = ['r', 'r', 'r', 'r', 'r', '«GR1113 r»'].map((name, index) => {
    const next = index === 5 ? 'done' : `n${index + 1}`;
    return `  ${index === 0 ? 'n' : `n${index}`}: ${saga(`{use: ${name}}`, next)}`;
  });
  return flow(uses.join('\n'), { header: `regions: {r: ${region}}\n` });
};

const unknown = (line: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${line.replace('#', String(index))}\n`).join('');

export const LIMITS_TOPIC = topic(
  'limits',
  [
    ['513 nodes', chain(513).replace('nodes:', '«GR1113 nodes»:')],
    [
      '512 nodes around another',
      chain(512).replace(
        `  n: ${quote('n1')}`,
        `  n: ${saga(echo('order/v1').replace('nodes', '«GR1113 nodes»'), 'n1')}`,
      ),
    ],
    [
      'regions nine levels deep',
      root(8, echo('order/v1')).replace(
        /body(: \{input_schema: order\/v1, output_schema: order\/v1, start: b, nodes: \{b: \{kind: complete)/,
        '«GR1114 body»$1',
      ),
    ],
    ['a normal form over 256 KiB', normalForm(256 * 1024 + 1).replace('id: test', 'id: «GR1113 test»')],
    [
      'a literal of 256 KiB, which is as large as a value may be',
      returns(textOf(256 * 1024), { output: 'string/v1' }).replace('id: test', 'id: «GR1113 test»'),
    ],
    ['a named region that is too large for so many uses', sixUses(90_000)],
    ['1500 unknown fields', `${bump()}${unknown('«GR1101 a#»: 1', 1000)}${unknown('b#: 1', 500)}«GR1000 »`],
  ],
  [
    ['512 nodes', chain(512)],
    ['regions eight levels deep', root(7, echo('order/v1'))],
    ['a normal form of 256 KiB', normalForm(256 * 1024)],
  ],
);
