/** What may be passed where a schema is expected (spec 01 "Typing"), and how it becomes a binding. */
import { checkValue } from '../value-check.js';
import type { Json } from '../value.js';
import { Term, type Bound, type NotBound } from './bound.js';
import { BuildError } from './build-error.js';
import { requireReach, type Place } from './origin.js';
import type { AnySchema, Schema, SchemaIdentity } from './witness.js';

export type Scalar = null | boolean | number | string;

/**
 * What a consumer of the schema `S` takes: an expression of that very schema; an expression without identity whose type
 * fits; or a value that is put together: a plain scalar is a `literal` binding, a plain object an `object` binding and a
 * plain array an `array` binding, each with expressions or plain values inside. `literal(value)` writes a whole value out.
 */
export type Input<S extends AnySchema> = S extends Schema<infer Id, infer Value> ? Source<Id, Value> : never;

/** `Input` by identity and type. Items of arrays and tuples are bindings of their own, with identity. */
export type Source<Id extends SchemaIdentity, Value> = Bound<Id | null, Value> | Composed<Id, Value>;

type Composed<Id extends SchemaIdentity, Value> = Id extends { readonly array: infer Item extends SchemaIdentity }
  ? Value extends readonly (infer V)[]
    ? readonly Source<Item, V>[]
    : never
  : Id extends { readonly tuple: infer Items extends readonly SchemaIdentity[] }
    ? { readonly [K in keyof Items]: K extends keyof Value ? Source<Items[K], Value[K]> : never }
    : Template<Value>;

/** A value put together at a place inside a named schema, where nothing has an identity. Open places take anything. */
export type Template<Value> = [Json] extends [Value]
  ? OpenTemplate
  : Value extends Scalar
    ? Value
    : Value extends readonly unknown[]
      ? { readonly [K in keyof Value]: Part<Value[K]> }
      : Value extends object
        ? { readonly [K in keyof Value]: Part<Value[K]> } & NotBound
        : never;

type Part<Value> = Bound<SchemaIdentity | null, Exclude<Value, undefined>> | Template<Exclude<Value, undefined>>;

type OpenTemplate = Scalar | readonly OpenPart[] | { readonly [member: string]: OpenPart };
type OpenPart = Bound<SchemaIdentity | null, unknown> | OpenTemplate;

// -------------------------------------------------------------------------------------------------------- bindings

/** The binding of an input, after checking that all it reads is in reach. Throws `BuildError`. */
export function bindingOf(input: unknown, place: Place): Json {
  if (input instanceof Term) {
    if (input.origin !== null) requireReach(input.origin, place);
    return input.binding;
  }
  if (Array.isArray(input)) return { array: input.map((item: unknown) => bindingOf(item, place)) };
  if (typeof input === 'object' && input !== null) {
    // A member that is undefined is left out, as JavaScript does everywhere else.
    const members = Object.entries(input).filter(([, member]) => member !== undefined);
    return { object: Object.fromEntries(members.map(([key, member]) => [key, bindingOf(member, place)])) };
  }
  const issue = checkValue(input);
  if (issue !== null) throw new BuildError(`${place.reader} uses a value that ${issue.message}`);
  // `checkValue` has found it to be JSON.
  return { literal: input as Json };
}
