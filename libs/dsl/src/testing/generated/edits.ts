/**
 * Changes of a definition that keep it sound and change what it means: each must change the digest. They are found by the
 * names of the normal form's members, so that one that is added to the IR and forgotten here is one line away.
 */
import { isArray, isObject } from '../../canonical.js';
import type { Definition } from '../../ir.js';
import { POLICIES } from '../../limits.js';
import type { Json } from '../../value.js';
import { changeAt, placesOf } from './json-edits.js';

export interface Edit {
  /** What changes, as a JSON pointer. */
  readonly what: string;
  readonly edited: Definition;
}

/** Another value for a member of this name, undefined where none is certain to be sound. */
const RULES: Readonly<Record<string, (value: Json, pointer: string) => Json | undefined>> = {
  id: (id) => `${text(id)}x`,
  version: (version, pointer) => (pointer === '/version' ? Number(version) - 1 || 2 : undefined),
  runTimeoutMs: (timeoutMs) => (timeoutMs === null ? 1_000 : Number(timeoutMs) + 1),
  timeoutMs: (timeoutMs) => (timeoutMs === null ? undefined : up(timeoutMs, POLICIES.attemptTimeoutMaxMs)),
  maxAttempts: (attempts) => up(attempts, POLICIES.budgetMax),
  initialMs: (initialMs) => (Number(initialMs) > 1 ? Number(initialMs) - 1 : undefined),
  multiplier: (multiplier) => (multiplier === POLICIES.backoffMultiplierMax ? 9.5 : Number(multiplier) + 0.25),
  maxMs: (maxMs) => (maxMs === POLICIES.backoffMaxMs ? POLICIES.backoffMaxMs - 1 : Number(maxMs) + 1),
  maxIterations: (most) => Number(most) + 1,
  maxItems: (most) => Number(most) + 1,
  maxConcurrency: (most) => up(most, 32),
  consumeFrom: (from) => (from === 'buffered' ? 'after_activation' : 'buffered'),
  name: (name, pointer) => (/\/(?:cases|branches)\/[0-9]+\/name$/.test(pointer) ? `${text(name)}x` : undefined),
  message: (message, pointer) => (pointer.endsWith('/error/message') ? `${text(message)}!` : undefined),
  code: (code, pointer) => (pointer.endsWith('/error/code') ? `${text(code)}x` : undefined),
  reason: (reason) => `${text(reason)}!`,
  literal: otherLiteral,
  default: otherLiteral,
  errors: (codes) => (Array.isArray(codes) && codes.length > 0 ? codes.slice(1) : undefined),
  codes: (codes) => (Array.isArray(codes) ? [...(codes as readonly Json[]), 'another'] : ['another']),
};

function text(value: Json): string {
  return typeof value === 'string' ? value : '';
}

function up(value: Json, most: number): number {
  return Number(value) === most ? most - 1 : Number(value) + 1;
}

/** A literal of the same type. What counts iterations has bounds that another literal may be out of. */
function otherLiteral(value: Json, pointer: string): Json | undefined {
  if (/\/count\/(?:literal|default)$/.test(pointer)) return undefined;
  if (typeof value === 'string') return `${value}!`;
  if (typeof value === 'boolean') return !value;
  return typeof value === 'number' ? value + 1 : undefined;
}

/** Operators, each with another that takes the same operands. */
const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'ne',
  ne: 'eq',
  lt: 'le',
  le: 'lt',
  gt: 'ge',
  ge: 'gt',
  all: 'any',
  any: 'all',
};

/** Every such change of a definition. */
export function editsOf(definition: Definition): readonly Edit[] {
  const json = definition as unknown as Json;
  const edits = placesOf(json).flatMap(({ pointer, value }) => {
    const other = otherAt(pointer, value);
    return other === undefined ? [] : [{ what: pointer, edited: changeAt(json, pointer, () => other) }];
  });
  const all = [...edits, { what: 'keys of nodes', edited: renameNodes(json) }];
  if (definition.signals !== undefined) all.push({ what: 'signals', edited: renameSignals(definition) });
  if (definition.searchAttributes !== undefined) {
    const attributes = suffixed(definition.searchAttributes);
    all.push({ what: 'search attributes', edited: { ...definition, searchAttributes: attributes } as unknown as Json });
  }
  return all.map(({ what, edited }) => ({ what, edited: edited as unknown as Definition }));
}

function otherAt(pointer: string, value: Json): Json | undefined {
  if (isData(pointer)) return undefined;
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  const other = Object.hasOwn(RULES, name) ? RULES[name]?.(value, pointer) : undefined;
  if (other !== undefined || !isObject(value)) return other;
  const [operator = '', ...others] = Object.keys(value);
  const opposite = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  return opposite === undefined || others.length > 0 ? undefined : { [opposite]: value[operator] ?? null };
}

/** Inside what is written out and put together, members have the names that people gave them. */
function isData(pointer: string): boolean {
  return /\/literal\/|\/default\/(?!nodes\/)|\/object\/[^/]+$/.test(pointer);
}

/** Other keys for all nodes, wherever they are named. */
function renameNodes(value: Json, name = ''): Json {
  const renamed = (key: string): string => `${key}_x`;
  if (typeof value === 'string') {
    if (TARGETS.has(name)) return renamed(value);
    return value.replace(
      /^nodes\.([a-z0-9_]+)\.(output|error)$/,
      (_all, key: string, port) => `nodes.${renamed(key)}.${port}`,
    );
  }
  if (isArray(value)) return value.map((item) => renameNodes(item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, member]) => [
      name === 'nodes' ? renamed(key) : key,
      renameNodes(member, name === 'nodes' ? '' : key),
    ]),
  );
}

/** Another name for all signals, where they are declared and where they are waited for. */
function renameSignals({ signals = {}, ...definition }: Definition): Json {
  const waits = placesOf(definition as unknown as Json).filter(({ pointer }) => pointer.endsWith('/signal'));
  const renamed = waits.reduce<Json>(
    (json, { pointer, value }) => changeAt(json, pointer, () => `${text(value)}x`),
    definition as unknown as Json,
  );
  return { ...(isObject(renamed) ? renamed : {}), signals: suffixed(signals) as unknown as Json };
}

function suffixed<Member>(members: { readonly [name: string]: Member }): { readonly [name: string]: Member } {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [`${name}x`, member]));
}

const TARGETS: ReadonlySet<string> = new Set(['start', 'next', 'onTimeout']);
