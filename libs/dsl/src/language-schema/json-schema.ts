/** The JSON Schemas of a catalog: what 2020-12 has, less what a catalog refuses (spec 01 "Catalog"). */
import { REFUSED_KEYWORDS } from '../catalog/schema-rules.js';
import { FORMATS } from '../schema/formats.js';
import { ONE_SCHEMA, SCHEMA_LIST, SCHEMA_MAP } from '../schema/keywords.js';
import { listSyntax, SYNTAX, type Syntax } from '../syntax.js';
import type { JsonObject } from '../value.js';
import { dictionarySchema } from './table.js';
import { SCHEMA_NAME } from './words.js';

const PART: Syntax = { $ref: '#/$defs/jsonSchema' };
const TEXT: Syntax = SYNTAX.text;
const FLAG: Syntax = SYNTAX.boolean;
const NUMBER: Syntax = { type: 'number' };
const COUNT: Syntax = { type: 'integer', minimum: 0 };
const WORDS: Syntax = { type: 'array', items: TEXT, uniqueItems: true };
const TYPE: Syntax = { enum: ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'] };

/** Keywords that hold no schemas, for completion; those that are left out are allowed as well. */
const VALUES: JsonObject = {
  type: { anyOf: [TYPE, { ...listSyntax(TYPE), uniqueItems: true }] },
  enum: { type: 'array' },
  const: {},
  required: WORDS,
  dependentRequired: { type: 'object', additionalProperties: WORDS },
  format: { enum: FORMATS },
  $ref: {
    type: 'string',
    pattern: '^#',
    errorMessage: 'References stay inside the schema, as in "#/$defs/part".',
  },
  title: TEXT,
  description: TEXT,
  default: { description: 'An annotation: nothing is filled in.' },
  examples: { type: 'array' },
  minimum: NUMBER,
  exclusiveMinimum: NUMBER,
  maximum: NUMBER,
  exclusiveMaximum: NUMBER,
  multipleOf: { type: 'number', exclusiveMinimum: 0 },
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  uniqueItems: FLAG,
  minContains: COUNT,
  maxContains: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
};

/** `dependencies` is no keyword of 2020-12 any more, and older meanings of it are not JSON Schemas alone. */
const MAPS = [...SCHEMA_MAP].filter((keyword) => keyword !== 'dependencies');

export const JSON_SCHEMA: Syntax = {
  title: 'JSON Schema',
  type: ['object', 'boolean'],
  properties: {
    ...VALUES,
    ...each(ONE_SCHEMA, PART),
    ...each(SCHEMA_LIST, listSyntax(PART)),
    ...each(MAPS, { type: 'object', additionalProperties: PART }),
    ...each(REFUSED_KEYWORDS, false),
  },
};

function each(keywords: Iterable<string>, value: Syntax | false): JsonObject {
  return Object.fromEntries([...keywords].map((keyword) => [keyword, value]));
}

export const JSON_SCHEMAS: Syntax = { title: 'schemas', ...dictionarySchema(SCHEMA_NAME, PART) };
