/**
 * One mistake is one complaint. A document that uses the whole language is broken in one field at a time: misspelt, left out,
 * or with a value that is no good. Whatever is said must stand at that field, or, for one that is missing, at its owner.
 */
import { describe, expect, it } from '@jest/globals';
import { isArray, isObject } from '../canonical.js';
import { compileYaml } from '../compile.js';
import type { Diagnostic } from '../diagnostic.js';
import type { Json, JsonObject } from '../value.js';
import { SHOP_CATALOG } from './catalog.js';

const INPUT: JsonObject = { from: 'workflow.input' };
const give = (output: JsonObject): JsonObject => ({ kind: 'complete', output });
const region = (input: Json, output: Json, nodes: JsonObject): JsonObject => ({
  input_schema: input,
  output_schema: output,
  start: Object.keys(nodes)[0] ?? '',
  nodes,
});
const call = (name: string, input: JsonObject, more: JsonObject): JsonObject => ({
  kind: 'activity',
  activity: { name, version: 1 },
  input,
  ...more,
});
const NOW: JsonObject = { lt: [{ from: 'loop.index' }, { literal: 2 }] };
const retry: JsonObject = { errors: ['busy'], max_attempts: 3, backoff: { initial: '1s', multiplier: 2, max: '5s' } };

const WHOLE: JsonObject = {
  dsl: 'graphrun/v1',
  id: 'whole',
  version: 1,
  description: 'Everything there is.',
  labels: { team: 'shop' },
  input_schema: 'order/v1',
  output_schema: { tuple: ['order/v1', { array: 'integer/v1' }] },
  run_timeout: '1d',
  signals: { paid: { schema: 'integer/v1' } },
  search_attributes: { order: { from: 'workflow.input', path: '/order_id' } },
  regions: { keep: region('order/v1', 'order/v1', { done: give({ from: 'scope.input' }) }) },
  start: 'kept',
  nodes: {
    kept: { kind: 'saga', input: INPUT, body: { use: 'keep' }, next: 'choice' },
    choice: {
      kind: 'choose',
      input: { from: 'nodes.kept.output' },
      cases: [
        {
          name: 'large',
          when: {
            all: [
              { gt: [{ from: 'workflow.input', path: '/amount', default: 0 }, { literal: 10 }] },
              { not: { exists: { from: 'workflow.input', path: '/note' } } },
            ],
          },
          body: region('order/v1', 'order/v1', { done: give({ from: 'scope.input' }) }),
        },
      ],
      default: region('order/v1', 'order/v1', { done: give({ from: 'scope.input' }) }),
      next: 'undone',
      on_error: [{ codes: ['busy'], next: 'failed' }],
    },
    undone: {
      kind: 'saga',
      input: { from: 'nodes.choice.output' },
      body: region('order/v1', 'reservation/v1', {
        reserve: call(
          'inventory.reserve',
          { from: 'scope.input' },
          {
            timeout: '5s',
            retry,
            compensation: {
              kind: 'activity',
              activity: { name: 'inventory.release', version: 1 },
              input: { object: { reservation_id: { from: 'forward.output', path: '/reservation_id' } } },
              timeout: '5s',
              retry,
            },
            next: 'again',
          },
        ),
        again: call(
          'inventory.reserve',
          { from: 'scope.input' },
          {
            compensation: { kind: 'irreversible', reason: 'Gone.' },
            next: 'done',
          },
        ),
        done: give({ from: 'nodes.again.output' }),
      }),
      next: 'loop',
    },
    loop: {
      kind: 'while',
      state: { from: 'workflow.input', path: '/amount' },
      state_schema: 'integer/v1',
      condition: NOW,
      max_iterations: 5,
      body: { start: 'done', nodes: { done: give({ from: 'loop.state' }) } },
      next: 'times',
    },
    times: {
      kind: 'repeat',
      count: { literal: 2 },
      state: { from: 'nodes.loop.output' },
      state_schema: 'integer/v1',
      max_iterations: 5,
      body: region('integer/v1', 'integer/v1', { done: give({ from: 'scope.input' }) }),
      next: 'each',
    },
    each: {
      kind: 'foreach',
      items: { array: [{ literal: 1 }, { from: 'nodes.times.output' }] },
      item_schema: 'integer/v1',
      max_items: 9,
      max_concurrency: 2,
      body: region('integer/v1', 'integer/v1', { done: give({ from: 'item.value' }) }),
      next: 'both',
    },
    both: {
      kind: 'parallel',
      branches: [
        { name: 'a', input: INPUT, body: region('order/v1', 'unit/v1', { done: give({ literal: null }) }) },
        { name: 'b', input: INPUT, body: region('order/v1', 'order/v1', { done: give({ from: 'scope.input' }) }) },
      ],
      next: 'pause',
    },
    pause: { kind: 'delay', duration: '1s', next: 'until' },
    until: { kind: 'wait_until', at: { literal: 0 }, next: 'wait' },
    wait: {
      kind: 'wait_signal',
      signal: 'paid',
      key: { from: 'scope.id' },
      timeout: '5m',
      consume_from: 'buffered',
      next: 'risky',
      on_timeout: 'next_run',
    },
    risky: call('tax.quote', INPUT, { next: 'done', on_error: [{ codes: 'any', next: 'handled' }] }),
    handled: call('text.split', { from: 'nodes.risky.error', path: '/code' }, { next: 'failed' }),
    failed: { kind: 'fail', error: { code: 'no', message: 'No.' } },
    next_run: { kind: 'continue_as_new', input: { from: 'nodes.both.output', path: '/1' } },
    done: give({ array: [{ from: 'nodes.both.output', path: '/1' }, { from: 'nodes.each.output' }] }),
  },
};

// ---------------------------------------------------------------------------------------------------------- printing

type Path = readonly (string | number)[];

const idOf = (path: Path): string => path.join('/');

interface Printed {
  readonly text: string;
  /** First and last line of the member or item at each path, from 1. */
  readonly lines: ReadonlyMap<string, readonly [first: number, last: number]>;
}

/** JSON, which is YAML as well, with each member and each item on lines of its own. */
function print(value: Json): Printed {
  const lines = new Map<string, [number, number]>();
  const out: string[] = [''];
  const write = (text: string): void => {
    out[out.length - 1] = `${out.at(-1) ?? ''}${text}`;
  };
  const walk = (at: Json, path: Path): void => {
    const first = out.length;
    if (isArray(at) || isObject(at)) {
      const entries: [string | number, Json][] = isArray(at) ? [...at.entries()] : Object.entries(at);
      write(isArray(at) ? '[' : '{');
      for (const [index, [key, inner]] of entries.entries()) {
        out.push(isArray(at) ? ' ' : ` ${JSON.stringify(key)}: `);
        walk(inner, [...path, key]);
        if (index < entries.length - 1) write(',');
      }
      if (entries.length > 0) out.push('');
      write(isArray(at) ? ']' : '}');
    } else write(JSON.stringify(at));
    lines.set(idOf(path), [first, out.length]);
  };
  walk(value, []);
  return { text: `${out.join('\n')}\n`, lines };
}

// ---------------------------------------------------------------------------------------------------------- breaking

interface Field {
  readonly path: Path;
  readonly name: string;
}

/** Maps whose keys are names that the author chose, by the field that holds them. */
const NAMES: ReadonlySet<string | number> = new Set([
  'nodes',
  'signals',
  'regions',
  'search_attributes',
  'labels',
  'object',
]);

/** Every field of the language in a value; names, and what literals hold, are none. */
function* fieldsOf(value: Json, path: Path = []): Generator<Field> {
  if (isArray(value)) {
    for (const [index, item] of value.entries()) yield* fieldsOf(item, [...path, index]);
  }
  if (!isObject(value)) return;
  const named = NAMES.has(path.at(-1) ?? '') && path.at(-2) !== 'nodes';
  for (const [name, inner] of Object.entries(value)) {
    const at = [...path, name];
    if (!named) yield { path: at, name };
    if (name !== 'literal' && name !== 'default') yield* fieldsOf(inner, at);
    else if (isObject(inner) && 'nodes' in inner) yield* fieldsOf(inner, at);
  }
}

/** The document with the member at a path made anew: other members, in its place, from its name and value. */
function changed(value: Json, path: Path, change: (name: string, value: Json) => JsonObject): Json {
  const [step, ...rest] = path;
  if (isArray(value)) {
    return value.map((item: Json, index): Json => (index === step ? changed(item, rest, change) : item));
  }
  if (!isObject(value)) throw new Error('The path leads through a scalar');
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
      if (name !== step) return [[name, inner]];
      return rest.length > 0 ? [[name, changed(inner, rest, change)]] : Object.entries(change(name, inner));
    }),
  );
}

function judge(document: Json): { readonly printed: Printed; readonly said: readonly Diagnostic[] } {
  const printed = print(document);
  const result = compileYaml(printed.text, { catalog: SHOP_CATALOG });
  return { printed, said: result.ok ? result.warnings : result.diagnostics };
}

/** What is said outside of the lines of a path. */
function elsewhere(path: Path, { printed, said }: ReturnType<typeof judge>): readonly string[] {
  const [first, last] = printed.lines.get(idOf(path)) ?? [0, 0];
  const strays = said.filter(({ line, endLine }) => line < first || endLine > last);
  return strays.map(({ line, code, message }) => `${line}: ${code} ${message}`);
}

/** Where a complaint about a field may stand: at what it decides, if that is decided by this field. */
function placeOf(path: Path): Path {
  const decides = DECIDING.has(path.at(-1) ?? '') || path.at(-2) === 'activity';
  return decides ? path.slice(0, -1) : path;
}

const DECIDING: ReadonlySet<string | number> = new Set(['kind', 'from', 'literal', 'object', 'array', 'tuple']);

const FIELDS = [...fieldsOf(WHOLE)].map((field): [string, Field] => [idOf(field.path), field]);
/** What may be left out, so that something else is wrong then. */
const OTHERWISE_WRONG: ReadonlySet<string> = new Set([
  // The place that uses the region lacks them.
  'regions/keep/input_schema',
  'regions/keep/output_schema',
  // Without it the body is a region that lacks everything.
  'nodes/kept/body/use',
  // The whole order cannot be compared, and is always there.
  'nodes/choice/cases/0/when/all/0/gt/0/path',
  // Nothing leads to the handler any more.
  'nodes/risky/on_error',
]);
const LEFT_OUT = FIELDS.filter(([id]) => !OTHERWISE_WRONG.has(id));

describe('one mistake', () => {
  it('is none in the whole document, which has every kind of field', () => {
    expect(judge(WHOLE).said).toEqual([]);
    expect(FIELDS.length).toBeGreaterThan(200);
  });

  it.each(FIELDS)('in the spelling of %s is one complaint, at the field', (_id, { path, name }) => {
    const misspelt = `${name}x`;
    const found = judge(changed(WHOLE, path, (_name, value): JsonObject => ({ [misspelt]: value })));
    expect(elsewhere(placeOf(path) === path ? [...path.slice(0, -1), misspelt] : placeOf(path), found)).toEqual([]);
    expect(found.said).toHaveLength(1);
  });

  it.each(LEFT_OUT)('by leaving out %s is at most one complaint, at its owner', (_id, { path }) => {
    const found = judge(changed(WHOLE, path, () => ({})));
    expect(elsewhere(path.slice(0, -1), found)).toEqual([]);
    expect(found.said.length).toBeLessThanOrEqual(1);
  });

  it.each(FIELDS)('in the value of %s is said there', (id, { path }) => {
    // An empty map of signals or regions is a sound one, in which the others are unknown.
    const empty: Json[] = id === 'signals' || id === 'regions' ? [] : [{}];
    for (const value of [7, 'x y', [], ...empty]) {
      const found = judge(changed(WHOLE, path, (name) => ({ [name]: value })));
      expect(elsewhere(placeOf(path), found)).toEqual([]);
    }
  });
});
