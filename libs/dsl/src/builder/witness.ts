/**
 * Witnesses: what TypeScript knows about the schemas and activities of a catalog. A schema witness carries the schema's
 * reference at run time and, for the type checker only, its identity and the type of its values. Identity is what the
 * compiler compares (spec 01 "Catalog": named schemas are nominal), so two schemas with equal JSON stay two types.
 */
import type { ActivityRef, Effects, SchemaRef } from '../ir.js';
import { isVersion, parseVersionedName } from '../names.js';
import type { Json } from '../value.js';

declare const TYPE: unique symbol;

/** The identity of a schema as a type: its name, or how it is put together. */
export type SchemaIdentity =
  string | { readonly array: SchemaIdentity } | { readonly tuple: readonly SchemaIdentity[] };

/** A schema with identity `Id`, whose values are of type `Value`. */
export interface Schema<Id extends SchemaIdentity = SchemaIdentity, Value = unknown> {
  readonly ref: SchemaRef;
  /** Its JSON Schema, when it was declared in code; a witness of a published schema has none. */
  readonly json?: Json;
  /** Invariant in both: a witness is never taken for that of another schema. Exists in types only. */
  readonly [TYPE]?: (of: [Id, Value]) => [Id, Value];
}

/** Any witness, as a bound of type parameters. Invariance makes `Schema` itself too narrow for that. */
export interface AnySchema {
  readonly ref: SchemaRef;
  readonly json?: Json;
  readonly [TYPE]?: (of: never) => unknown;
}

export type IdentityOf<S extends AnySchema> = S extends Schema<infer Id, infer _Value> ? Id : never;
/** The type of a schema's values. */
export type ValueOf<S extends AnySchema> = S extends Schema<infer _Id, infer Value> ? Value : never;

/** Witness of the schema `name/vN` of a catalog. Throws `TypeError` when that is not such a name. */
export function schema<Value, const Name extends string = never>(name: Name, json?: Json): Schema<Name, Value> {
  if (parseVersionedName(name) === null) {
    throw new TypeError(`"${name}" is not a schema name; write name/vN, as in "order/v1"`);
  }
  return json === undefined ? { ref: name } : { ref: name, json };
}

/** `{array: item}`. */
export function arrayOf<Id extends SchemaIdentity, Value>(
  item: Schema<Id, Value>,
): Schema<{ readonly array: Id }, readonly Value[]> {
  return { ref: { array: item.ref } };
}

/** `{tuple: [item, ...]}`, 1 to 16 items. */
export function tupleOf<const Items extends readonly [AnySchema, ...AnySchema[]]>(
  ...items: Items
): Schema<
  { readonly tuple: { readonly [K in keyof Items]: IdentityOf<Items[K]> } },
  { readonly [K in keyof Items]: ValueOf<Items[K]> }
> {
  return { ref: { tuple: items.map((item) => item.ref) } };
}

/** Witnesses of the schemas that every catalog has. Values of `integer` are safe integers. */
export const builtin = {
  unit: schema<null, 'unit/v1'>('unit/v1'),
  string: schema<string, 'string/v1'>('string/v1'),
  integer: schema<number, 'integer/v1'>('integer/v1'),
  number: schema<number, 'number/v1'>('number/v1'),
  boolean: schema<boolean, 'boolean/v1'>('boolean/v1'),
} as const;

/** A typed reference to an activity of a catalog. */
export interface ActivityReference<
  Input extends AnySchema = AnySchema,
  Output extends AnySchema = AnySchema,
  /** Codes that the contract declares as retryable. */
  Retryable extends string = string,
  Effect extends Effects = Effects,
> extends ActivityRef {
  readonly input: Input;
  readonly output: Output;
  readonly effects: Effect;
  readonly retryable: readonly Retryable[];
}

/** Throws `TypeError` when the version is not a positive integer. */
export function activityReference<
  Input extends AnySchema,
  Output extends AnySchema,
  const Retryable extends string,
  const Effect extends Effects,
>(reference: ActivityReference<Input, Output, Retryable, Effect>): ActivityReference<Input, Output, Retryable, Effect> {
  if (!isVersion(reference.version)) throw new TypeError(`the version of "${reference.name}" is a positive integer`);
  return reference;
}
