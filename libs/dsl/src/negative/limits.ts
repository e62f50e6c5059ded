/** How large a definition may be. */
import { topic } from './case.js';
import { body, bump, echo, flow, give, INPUT, quote, returns } from './documents.js';

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
const text = (characters: number): string => `{literal: "${'\\a'.repeat(characters)}"}`;

export const LIMITS_TOPIC = topic(
  'limits',
  [
    ['513 nodes', chain(513).replace('nodes:', '«GR1113 nodes»:')],
    [
      '513 nodes, some of them in bodies',
      chain(510)
        .replace(
          '  done:',
          `  x: ${saga(
            echo('order/v1')
              .replace('nodes', '«GR1113 nodes»')
              .replace('b: {', `x: ${quote('b')}, b: {`),
            'done',
          )}\n  done:`,
        )
        .replace('next: done}\n  x:', 'next: x}\n  x:')
        .replace('start: b', 'start: x'),
    ],
    [
      'regions nine levels deep',
      root(8, echo('order/v1')).replace(
        /body(: \{input_schema: order\/v1, output_schema: order\/v1, start: b, nodes: \{b: \{kind: complete)/,
        '«GR1114 body»$1',
      ),
    ],
    [
      'a normal form over 256 KiB',
      returns(`{array: [${Array(3).fill(text(16_000)).join(', ')}]}`, { output: '{array: string/v1}' }).replace(
        'id: test',
        'id: «GR1113 test»',
      ),
    ],
    [
      'a named region that is too large for so many uses',
      flow(
        `${Array.from({ length: 6 }, (_, index) => `  ${index === 0 ? 'n' : `n${index}`}: ${saga(`{use: ${index === 5 ? '«GR1113 r»' : 'r'}}`, index === 5 ? 'done' : `n${index + 1}`)}`).join('\n')}`,
        {
          header: `regions: {r: ${body('order/v1', 'string/v1', `b: ${give(`{literal: ${'x'.repeat(90_000)}}`)}`)}}\n`,
        },
      ),
    ],
    [
      '1500 unknown fields',
      `${bump()}${Array.from({ length: 1500 }, (_, index) => `«GR1101 k${index}»: 1`)
        .slice(0, 1000)
        .join('\n')}\n${Array.from({ length: 500 }, (_, index) => `x${index}: 1`).join('\n')}«GR1000 »`,
    ],
  ],
  [
    ['512 nodes', chain(512)],
    ['regions eight levels deep', root(7, echo('order/v1'))],
    [
      'a normal form of nearly 256 KiB',
      returns(`{array: [${Array(2).fill(text(20_000)).join(', ')}]}`, { output: '{array: string/v1}' }),
    ],
  ],
);
