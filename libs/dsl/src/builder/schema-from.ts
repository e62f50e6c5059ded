/**
 * Witnesses from schemas of other libraries, without depending on any: Zod from 4.2 on (and whatever else implements
 * Standard JSON Schema) says its JSON Schema itself, and a TypeBox schema is one.
 */
import { CATALOG_FORMAT } from '../catalog/fields.js';
import { parseCatalog } from '../catalog/parse.js';
import type { Json } from '../value.js';
import { CatalogError, issuesOf } from './catalog-error.js';
import { portableSchema } from './portable-schema.js';
import { schema, type Schema } from './witness.js';

/** A schema that can say its JSON Schema (Standard JSON Schema, version 1). */
export interface StandardSource {
  readonly '~standard': {
    readonly types?: { readonly output: unknown } | undefined;
    readonly jsonSchema: {
      readonly output: (options: { readonly target: 'draft-2020-12' }) => Readonly<Record<string, unknown>>;
    };
  };
}

/** A JSON Schema that carries the type of its values, for the type checker only, as TypeBox makes them. */
export interface StaticSource {
  readonly static: unknown;
}

export type SchemaSource = StandardSource | StaticSource;

/** The type of the values: what a Zod schema gives out, not what it takes in. */
export type SourceValue<Source extends SchemaSource> = Source extends StandardSource
  ? NonNullable<Source['~standard']['types']>['output']
  : Source extends StaticSource
    ? Source['static']
    : never;

/**
 * Witness of the schema `name/vN` as a Zod or TypeBox schema describes it. Throws `CatalogError` when that is not such a
 * name, and when the schema says what a catalog cannot: patterns, formats other than `uuid` and `date-time`, references to
 * itself, values that are not JSON.
 */
export function schemaFrom<const Name extends string, Source extends SchemaSource>(
  name: Name,
  source: Source,
): Schema<Name, SourceValue<Source>> {
  return schema<SourceValue<Source>, Name>(name, checkedJson(name, jsonSchemaOf(name, source)));
}

/**
 * The same for a JSON Schema that does not carry the type of its values, such as one of TypeBox 1, which is then said:
 * `schemaFromJson<Static<typeof Order>>()('order/v1', Order)`.
 */
export function schemaFromJson<Value>(): <const Name extends string>(name: Name, json: unknown) => Schema<Name, Value> {
  return (name, json) => schema(name, checkedJson(name, json));
}

function jsonSchemaOf(name: string, source: SchemaSource): unknown {
  if (!('~standard' in source)) return source;
  const { jsonSchema } = source['~standard'] as Partial<StandardSource['~standard']>;
  if (jsonSchema === undefined) {
    const message = 'it does not say its JSON Schema; with Zod, use version 4.2 or later';
    throw new CatalogError(subject(name), [{ pointer: '', message }]);
  }
  try {
    return jsonSchema.output({ target: 'draft-2020-12' });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError(subject(name), [{ pointer: '', message }], { cause });
  }
}

/** In plain words, and held against the rules of a catalog. */
function checkedJson(name: string, source: unknown): Json {
  const { json, issues } = portableSchema(source);
  if (issues.length > 0) throw new CatalogError(subject(name), issues);
  const text = JSON.stringify({ format: CATALOG_FORMAT, schemas: { [name]: json } }, null, 1);
  const result = parseCatalog(text);
  if (result.ok) return json;
  const inCatalog = `/schemas/${name.replaceAll('/', '~1')}`;
  const found = issuesOf(result.diagnostics, text).map((issue) => ({
    ...issue,
    pointer: issue.pointer.startsWith(inCatalog) ? issue.pointer.slice(inCatalog.length) : issue.pointer,
  }));
  throw new CatalogError(subject(name), found);
}

function subject(name: string): string {
  return `the schema "${name}"`;
}
