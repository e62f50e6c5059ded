import { describe, expect, it } from '@jest/globals';
import { CONDITION_FIELDS, PROJECTION_FIELDS } from '../bindings/condition.js';
import { BINDING_FIELDS } from '../bindings/parse.js';
import { isArray, isObject } from '../canonical.js';
import {
  CATALOG_FIELDS,
  CONTRACT_FIELDS,
  ERROR_CODE_FIELDS,
  RECONCILER_FIELDS,
  VERSIONED_NAME_FIELDS,
} from '../catalog/fields.js';
import { DOCUMENT_FIELDS } from '../document.js';
import type { FieldRule, FieldTable } from '../fields.js';
import { ACTIVITY_REF_FIELDS } from '../nodes/activity-ref.js';
import { CASE_FIELDS } from '../nodes/choose.js';
import { COMPENSATION_FIELDS } from '../nodes/compensation.js';
import { FAILURE_FIELDS } from '../nodes/fail.js';
import { NODE_KINDS } from '../nodes/index.js';
import { ERROR_ROUTE_FIELDS } from '../nodes/on-error.js';
import { BRANCH_FIELDS } from '../nodes/parallel.js';
import {
  BACKOFF_FIELDS,
  COMPENSATION_BACKOFF_FIELDS,
  COMPENSATION_RETRY_FIELDS,
  RETRY_FIELDS,
} from '../nodes/retry.js';
import { BODY_FIELDS, USE_FIELDS } from '../region.js';
import { SCHEMA_CONSTRUCTORS } from '../schema/schema-ref.js';
import { schemaIssue } from '../schema/validator.js';
import { SEARCH_ATTRIBUTE_FIELDS } from '../search-attributes.js';
import { SIGNAL_FIELDS } from '../signals.js';
import type { Json, JsonObject } from '../value.js';
import { catalogSchema, languageSchema } from './index.js';

const DOCUMENT_TABLES: Readonly<Record<string, FieldTable>> = {
  document: DOCUMENT_FIELDS,
  body: BODY_FIELDS,
  use: USE_FIELDS,
  schema: SCHEMA_CONSTRUCTORS,
  signal: SIGNAL_FIELDS,
  'search attribute': SEARCH_ATTRIBUTE_FIELDS,
  'from binding': BINDING_FIELDS.from,
  'literal binding': BINDING_FIELDS.literal,
  'object binding': BINDING_FIELDS.object,
  'array binding': BINDING_FIELDS.array,
  condition: CONDITION_FIELDS,
  projection: PROJECTION_FIELDS,
  'activity reference': ACTIVITY_REF_FIELDS,
  retry: RETRY_FIELDS,
  backoff: BACKOFF_FIELDS,
  compensation: COMPENSATION_FIELDS.activity,
  irreversible: COMPENSATION_FIELDS.irreversible,
  'retry of a compensation': COMPENSATION_RETRY_FIELDS,
  'backoff of a compensation': COMPENSATION_BACKOFF_FIELDS,
  case: CASE_FIELDS,
  branch: BRANCH_FIELDS,
  'error route': ERROR_ROUTE_FIELDS,
  failure: FAILURE_FIELDS,
};

const CATALOG_TABLES: Readonly<Record<string, FieldTable>> = {
  catalog: CATALOG_FIELDS,
  contract: CONTRACT_FIELDS,
  'error code': ERROR_CODE_FIELDS,
  reconciler: RECONCILER_FIELDS,
  'versioned name': VERSIONED_NAME_FIELDS,
};

/** Every part of a schema that is a map of properties. */
function propertyMaps(value: Json): readonly JsonObject[] {
  if (isArray(value)) return value.flatMap(propertyMaps);
  if (!isObject(value)) return [];
  const { properties } = value;
  return [...(isObject(properties) ? [properties] : []), ...Object.values(value).flatMap(propertyMaps)];
}

/** Whether a property says what a rule of a table says. */
function says(property: Json | undefined, { syntax, about }: FieldRule): boolean {
  if (!isObject(property)) return false;
  const { description, ...rest } = property;
  return typeof description === 'string' && description.startsWith(about) && same(rest, syntax);
}

function same(left: Json, right: Json): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function missingFields(schema: JsonObject, tables: Readonly<Record<string, FieldTable>>): readonly string[] {
  const maps = propertyMaps(schema);
  return Object.entries(tables).flatMap(([name, table]) =>
    Object.entries(table)
      .filter(([field, rule]) => !maps.some((properties) => says(properties[field], rule)))
      .map(([field]) => `${field} of ${name}`),
  );
}

function references(value: Json): readonly string[] {
  if (isArray(value)) return value.flatMap(references);
  if (!isObject(value)) return [];
  const { $ref } = value;
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(value).flatMap(references)];
}

const WORKFLOW = languageSchema();
const CATALOG = catalogSchema();

describe('the schema of workflows', () => {
  it('has every field of every table, as the table says it', () => {
    expect(missingFields(WORKFLOW, DOCUMENT_TABLES)).toEqual([]);
  });

  it('has every kind of node with its fields', () => {
    const kinds = Object.fromEntries([...NODE_KINDS].map(([kind, { fields }]) => [kind, withoutKind(fields)]));
    expect(Object.keys(kinds).length).toBe(14);
    expect(missingFields(WORKFLOW, kinds)).toEqual([]);
    const offered = propertyMaps(WORKFLOW).map(({ kind }) => (isObject(kind) ? kind['enum'] : undefined));
    expect(offered).toContainEqual([...NODE_KINDS.keys()]);
  });

  it('describes a kind where it is chosen', () => {
    const chosen = propertyMaps(WORKFLOW).map(({ kind }) => kind);
    for (const { kind, about } of NODE_KINDS.values()) {
      expect(chosen).toContainEqual({ const: kind, description: about });
    }
  });
});

describe('the schema of catalogs', () => {
  it('has every field of every table, as the table says it', () => {
    expect(missingFields(CATALOG, CATALOG_TABLES)).toEqual([]);
  });
});

describe.each([
  ['workflows', WORKFLOW],
  ['catalogs', CATALOG],
])('the schema of %s', (_name, schema) => {
  it('is JSON Schema 2020-12', () => {
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schemaIssue(schema)).toBeNull();
  });

  it('defines what it refers to, and nothing else', () => {
    const { $defs } = schema;
    const defined = isObject($defs) ? Object.keys($defs) : [];
    expect([...new Set(references(schema))].toSorted()).toEqual(defined.map((name) => `#/$defs/${name}`).toSorted());
  });
});

/** What is said of the field `kind` depends on what the kind is. */
function withoutKind({ kind: _kind, ...others }: FieldTable): FieldTable {
  return others;
}
