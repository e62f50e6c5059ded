/** Sources that are nearly documents: what a person mistypes, a program gets wrong, and an attacker thinks of. */
import fc from 'fast-check';
import { CATALOG_FIELDS } from '../../catalog/fields.js';
import { DOCUMENT_FIELDS } from '../../document.js';
import { NODE_KINDS } from '../../nodes/index.js';
import type { Json, JsonObject } from '../../value.js';

/** Pieces of text that YAML, numbers and the language are sensitive to. */
export const PIECES_OF_YAML: readonly [string, ...string[]] = [
  ...(['\n', '\n  ', '\n    ', ' ', '\t', '\r\n', '\r', ': ', ':', '- ', '? ', ', ', '[', ']', '{', '}', '#'] as const),
  ...['---\n', '...\n', '%YAML 1.1\n', '%TAG ! x\n', '&a ', '*a', '!t ', '!!int ', '!<x> ', '<<: ', '"', "'", '|', '>'],
  ...['|-\n', '>+2\n', '\\', '\\ud800', '\ud800', '\udc00', '\0', '\ufeff', '\u2028', '\u0085', '\u00a0', '\u007f'],
  ...['~', 'null', 'yes', 'on', 'true', '0x10', '0o7', '012', '1e3', '.5', '1.', '+5', '1_000', '-0', '1e999', '.nan'],
  ...['99999999999999999999', '9007199254740993', '2024-01-01', '12:30:00', '0b1', '.inf', '-.inf', '1e-999'],
  ...['😀', 'é', 'é', '名前', 'kind: ', 'activity', 'complete', 'fail', 'from: ', 'nodes.a.output'],
  ...['workflow.input', 'path: ', '/a/0', '/~', '/~2', 'literal: ', 'object: ', 'array: ', 'default: ', 'next: '],
  ...['use: ', 'retry: ', 'errors: ', 'timeout: ', '30s', '0s', '1e3s', 'nodes:', 'start: ', 'a:', 'constructor'],
  ...['__proto__: ', 'toString', 'hasOwnProperty: '],
];

const FIELDS = [
  ...new Set([
    ...Object.keys(DOCUMENT_FIELDS),
    ...[...NODE_KINDS.values()].flatMap(({ fields }) => Object.keys(fields)),
    ...Object.keys(CATALOG_FIELDS),
    ...[
      'from',
      'path',
      'literal',
      'object',
      'array',
      'tuple',
      'eq',
      'lt',
      'all',
      'not',
      'exists',
      'use',
      'when',
      'name',
    ],
    ...['codes', 'code', 'message', 'reason', 'backoff', 'initial', 'multiplier', 'max', 'errors', 'max_attempts'],
    ...['schema', 'a', 'b', 'end', '__proto__', 'constructor', ''],
  ]),
];

const WORDS = [
  ...NODE_KINDS.keys(),
  ...['workflow.input', 'scope.input', 'scope.id', 'loop.state', 'loop.index', 'item.value', 'item.index'],
  ...['forward.input', 'nodes.a.output', 'nodes.b.error', 'nodes..output', 'counter/v1', 'order/v1', 'unit/v1', 'x/v0'],
  ...[
    'a',
    'b',
    'end',
    '30s',
    '0s',
    '1e9d',
    '/a',
    'any',
    'irreversible',
    'buffered',
    'counter.increment',
    'graphrun/v1',
  ],
];

/** Trees of fields and words of the language, in any order and any place. */
export function plausibleDocument(): fc.Arbitrary<JsonObject> {
  const { object } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, depthSize: 'medium' },
      { weight: 3, arbitrary: fc.constantFrom<Json>(...WORDS) },
      { weight: 1, arbitrary: fc.constantFrom<Json>(null, true, 0, 1, -1, 1.5, 513, 1e9, '', 'x'.repeat(300)) },
      { weight: 3, arbitrary: tie('object') },
      { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    ),
    object: fc.dictionary(fc.constantFrom(...FIELDS), tie('value'), { maxKeys: 8 }),
  }));
  const node = fc.record({ kind: fc.constantFrom(...NODE_KINDS.keys()), next: fc.constantFrom('a', 'b', 'end') });
  const nodes = fc.dictionary(
    fc.constantFrom('a', 'b', 'end'),
    fc.tuple(node, object).map(([known, more]): Json => ({ ...more, ...known })),
  );
  return fc.tuple(fc.option(nodes, { nil: null }), object).map(([known, more]): JsonObject => ({
    dsl: 'graphrun/v1',
    start: 'a',
    ...more,
    ...(known === null ? {} : { nodes: known }),
  }));
}
