/**
 * JSON Schemas as libraries write them, in the words of the language. A library says some things that go without saying
 * here, and some in the words of an older draft; those are put into the plain words, so that a schema in code and the same
 * schema by hand have one digest. What goes without saying is dropped, what the language cannot say is refused.
 */
import { isArray, isObject } from '../canonical.js';
import { escapeToken } from '../pointer.js';
import { TYPE } from '../schema/json-types.js';
import { ONE_SCHEMA, SCHEMA_LIST, SCHEMA_MAP } from '../schema/keywords.js';
import { SOURCE_DEPTH } from '../source/tree.js';
import { scalarIssue } from '../value-check.js';
import type { Json, JsonObject } from '../value.js';
import type { CatalogIssue } from './catalog-error.js';

export interface Portable {
  readonly json: Json;
  /** What cannot be said in the language, as far as it is known here; the catalog's own rules find the rest. */
  readonly issues: readonly CatalogIssue[];
}

/** The plain JSON Schema of what a library gives out. */
export function portableSchema(source: unknown): Portable {
  const issues: CatalogIssue[] = [];
  const json = plainJson(source, '', issues);
  if (issues.length > 0) return { json, issues };
  return { json: rewrite(withoutDraft(json), '', issues), issues };
}

/**
 * Own enumerable members with string keys: TypeBox keeps notes under symbols. A member that is undefined is left out, as
 * `JSON.stringify` does.
 */
function plainJson(value: unknown, pointer: string, issues: CatalogIssue[], depth = 0): Json {
  // Numbers beyond the safe integers are bounds here, not values; most of them are dropped below.
  const issue = typeof value === 'number' && Number.isFinite(value) ? null : scalarIssue(value);
  if (issue !== null || depth > SOURCE_DEPTH) {
    issues.push({ pointer, message: issue ?? `is nested deeper than ${SOURCE_DEPTH} levels, or holds itself` });
    return null;
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => plainJson(item, `${pointer}/${index}`, issues, depth + 1));
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(
      members.map(([key, member]) => [key, plainJson(member, `${pointer}/${escapeToken(key)}`, issues, depth + 1)]),
    );
  }
  // `scalarIssue` has found it to be a JSON scalar.
  return value as Json;
}

/** The draft of all schemas of a catalog is 2020-12; another one stays, and is refused. */
function withoutDraft(schema: Json): Json {
  return isObject(schema) && schema['$schema'] === 'https://json-schema.org/draft/2020-12/schema'
    ? without(schema, '$schema')
    : schema;
}

/** A schema with all its parts in plain words. */
function rewrite(schema: Json, pointer: string, issues: CatalogIssue[]): Json {
  if (!isObject(schema)) return schema;
  checkType(schema['type'], pointer, issues);
  const inner = (part: Json, token: string): Json => rewrite(part, `${pointer}/${token}`, issues);
  const own = plainPattern(plainNames(plainBounds(plainRecord(plainTuple(schema)))), pointer, issues);
  return Object.fromEntries(
    Object.entries(own).map(([keyword, value]): [string, Json] => {
      if (ONE_SCHEMA.has(keyword)) return [keyword, inner(value, keyword)];
      if (SCHEMA_LIST.has(keyword) && isArray(value)) {
        return [keyword, value.map((part, index) => inner(part, `${keyword}/${index}`))];
      }
      if (SCHEMA_MAP.has(keyword) && isObject(value)) {
        const parts = Object.entries(value);
        return [
          keyword,
          Object.fromEntries(parts.map(([key, part]) => [key, inner(part, `${keyword}/${escapeToken(key)}`)])),
        ];
      }
      return [keyword, value];
    }),
  );
}

/** Libraries describe values of JavaScript too: dates, functions, `undefined`. */
function checkType(type: Json | undefined, pointer: string, issues: CatalogIssue[]): void {
  if (typeof type !== 'string' || Object.hasOwn(TYPE, type)) return;
  const message = `"${type}" is no type of JSON, and values are stored as JSON`;
  issues.push({ pointer: `${pointer}/type`, message, code: 'GR1601' });
}

function without(schema: JsonObject, ...keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

/** A tuple as drafts before 2020-12 wrote it: a list under `items`, and `additionalItems` for what comes after. */
function plainTuple(schema: JsonObject): JsonObject {
  const { items, additionalItems } = schema;
  if (items === undefined || !isArray(items)) return schema;
  return {
    ...without(schema, 'items', 'additionalItems'),
    prefixItems: items,
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}

/** How TypeBox writes "every key". (It leaves out keys with line breaks, which its own type does not.) */
const EVERY_KEY = new Set(['^(.*)$', '^.*$']);

/** A record: one pattern for all keys says of every member what `additionalProperties` says of it. */
function plainRecord(schema: JsonObject): JsonObject {
  const { patternProperties, properties } = schema;
  if (!isObject(patternProperties) || properties !== undefined) return schema;
  const [entry, ...others] = Object.entries(patternProperties);
  if (entry === undefined || others.length > 0 || !EVERY_KEY.has(entry[0])) return schema;
  return { ...without(schema, 'patternProperties'), additionalProperties: entry[1] };
}

/**
 * Bounds that every number of the language keeps: integers end at 2^53-1, and a number with a fraction is smaller than
 * that (spec 01 "Values and numbers").
 */
function plainBounds(schema: JsonObject): JsonObject {
  const { minimum, maximum } = schema;
  const most = Number.MAX_SAFE_INTEGER;
  const idle = [
    ...(typeof minimum === 'number' && minimum <= -most ? ['minimum'] : []),
    ...(typeof maximum === 'number' && maximum >= most ? ['maximum'] : []),
  ];
  return idle.length === 0 ? schema : without(schema, ...idle);
}

/** Names of members are strings, so a schema that asks for a string asks for nothing. */
function plainNames(schema: JsonObject): JsonObject {
  const { propertyNames } = schema;
  const idle = isObject(propertyNames) && Object.keys(propertyNames).every((key) => key === 'type');
  return idle && (propertyNames['type'] ?? 'string') === 'string' ? without(schema, 'propertyNames') : schema;
}

/**
 * A pattern beside a format that the catalog asserts is how a library checks that format, and goes without saying, unless
 * it refuses what the format means: then it says more, which the catalog cannot, and dropping it would let values pass that
 * the library refuses. Samples of all forms of the format tell the two apart. (Ajv also takes spellings that are not in the
 * standards, `urn:uuid:` in front of a UUID for one. Those pass the catalog and not the library.)
 */
function plainPattern(schema: JsonObject, pointer: string, issues: CatalogIssue[]): JsonObject {
  const { pattern, format } = schema;
  const asserted = typeof format === 'string' ? ASSERTED.get(format) : undefined;
  if (typeof pattern !== 'string' || asserted === undefined) return schema;
  const refused = asserted.samples.find((sample) => !accepts(pattern, sample));
  if (refused !== undefined) {
    const message = `the pattern refuses ${refused}, which is ${asserted.what}; a catalog has no patterns, so ${asserted.advice}`;
    issues.push({ pointer: `${pointer}/pattern`, message, code: 'GR1603' });
  }
  return without(schema, 'pattern');
}

function accepts(pattern: string, sample: string): boolean {
  try {
    return new RegExp(pattern).test(sample);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const DIGITS = Array.from({ length: 16 }, (_, digit) => digit.toString(16));

/** UUIDs of every version and variant, with every digit at every free place, in both cases. */
const UUIDS = DIGITS.flatMap((digit, index) => {
  const text = `${digit.repeat(8)}-${digit.repeat(4)}-${(index % 8) + 1}${digit.repeat(3)}-${'89ab'.charAt(index % 4)}${digit.repeat(3)}-${digit.repeat(12)}`;
  return [text, text.toUpperCase()];
});

/** Times with and without fraction, of any offset; the first and last of each field. */
const DATE_TIMES = [
  '2024-02-29T23:59:59Z',
  '0001-01-01T00:00:00Z',
  '1970-12-31T12:30:00.5Z',
  '2038-10-19T03:14:07.123456789+05:30',
  '9999-06-30T19:45:10-11:59',
];

interface AssertedFormat {
  readonly what: string;
  readonly samples: readonly string[];
  /** What to do about a pattern that says more. */
  readonly advice: string;
}

const ASSERTED: ReadonlyMap<string, AssertedFormat> = new Map([
  ['uuid', { what: 'a UUID', samples: UUIDS, advice: 'accept every UUID (with Zod: z.uuid())' }],
  [
    'date-time',
    {
      what: 'a time',
      samples: DATE_TIMES,
      advice: 'accept every RFC 3339 time (with Zod: z.iso.datetime({ offset: true }))',
    },
  ],
]);
