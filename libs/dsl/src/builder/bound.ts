/** Typed bindings: expressions over what is in reach of a node, and literals (spec 01 "Bindings"). */
import { escapeToken } from '../pointer.js';
import { checkValue } from '../value-check.js';
import type { Json, JsonObject } from '../value.js';
import { BuildError } from './build-error.js';
import type { Origin } from './origin.js';
import type { IdentityAt, KeyOf, MemberOf } from './projection.js';
import type { SchemaIdentity } from './witness.js';

declare const BOUND: unique symbol;

/**
 * Something with a value of type `Value` when the workflow runs: `Id` is the identity of its schema, or null when it has
 * none, because it was picked out of a named schema or written out.
 */
export interface Bound<out Id extends SchemaIdentity | null, out Value> {
  /** Exists in types only. */
  readonly [BOUND]: () => readonly [Id, Value];
}

/** Keeps expressions from being taken for values that are put together. */
export interface NotBound {
  readonly [BOUND]?: never;
}

/** A place in a value in reach, which may hold nothing. */
export interface Located<out Id extends SchemaIdentity | null, out Value> extends Bound<Id, Value> {
  /** As a document writes it, for example `nodes.charge.output`. */
  readonly reference: string;
  /** JSON pointer into its value; empty for the whole of it. */
  readonly path: string;
}

/** A reference to a value in reach, or a projection of one. */
export interface Expression<Id extends SchemaIdentity | null, Value> extends Located<Id, Value> {
  /**
   * Picks out a member or an item: `order.at('address', 'city')`, `lines.at(0)`. The type has `undefined` where there may
   * be nothing. A projection into a named schema has no identity; one into an array or a tuple has its item's.
   */
  at<const A extends KeyOf<Value>>(a: A): Expression<IdentityAt<Id, A>, MemberOf<Value, A>>;
  at<const A extends KeyOf<Value>, const B extends KeyOf<MemberOf<Value, A>>>(
    a: A,
    b: B,
  ): Expression<IdentityAt<IdentityAt<Id, A>, B>, MemberOf<MemberOf<Value, A>, B>>;
  at<
    const A extends KeyOf<Value>,
    const B extends KeyOf<MemberOf<Value, A>>,
    const C extends KeyOf<MemberOf<MemberOf<Value, A>, B>>,
  >(
    a: A,
    b: B,
    c: C,
  ): Expression<IdentityAt<IdentityAt<IdentityAt<Id, A>, B>, C>, MemberOf<MemberOf<MemberOf<Value, A>, B>, C>>;

  /** The value to take when nothing is found (`default`). */
  or<const Fallback extends Json>(fallback: Fallback): Bound<Id, Exclude<Value, undefined> | Written<Fallback>>;

  /** Says that something will be found. If not, the scope fails with `binding.missing`. */
  required(): Expression<Id, Exclude<Value, undefined>>;

  /**
   * Says that the value will be of a narrower type. The place that takes it checks that when the workflow runs, so a
   * wrong promise fails the scope and never gets through. Not for whole values: their schema says what they are.
   */
  narrow<Narrow extends Value>(this: Expression<null, Value>): Expression<null, Narrow>;
}

/** The type of a value that is written out. Arrays of it fit readonly and other arrays. */
export type Written<T> = [Json] extends [T]
  ? T
  : T extends readonly unknown[] | { readonly [member: string]: unknown }
    ? { -readonly [K in keyof T]: Written<T[K]> }
    : T;

/**
 * A value written out (`literal`), whatever it holds: `literal({ cents: 5 })` is one literal, while `{ cents: 5 }` alone
 * is an object put together from one. Throws `BuildError` when it is not JSON within the limits of a value.
 */
export function literal<const T extends Json>(value: T): Bound<null, Written<T>> {
  requireJson('the literal', value);
  return new Literal(value);
}

function requireJson(what: string, value: unknown): void {
  const issue = checkValue(value);
  if (issue === null) return;
  throw new BuildError(`${what}${issue.pointer === '' ? '' : ` at "${issue.pointer}"`} ${issue.message}`);
}

// ---------------------------------------------------------------------------------------------------- at run time

/** What every `Bound` is when the builder runs. */
export abstract class Term {
  /** The binding as the document says it. */
  abstract readonly binding: JsonObject;
  /** What must be in reach of the reader; null for literals. */
  abstract readonly origin: Origin | null;
}

class Literal<out Value> extends Term implements Bound<null, Value> {
  declare readonly [BOUND]: () => readonly [null, Value];
  readonly origin = null;
  readonly binding: JsonObject;

  constructor(value: Json) {
    super();
    this.binding = { literal: value };
  }
}

class Defaulted<out Id extends SchemaIdentity | null, out Value> extends Term implements Bound<Id, Value> {
  declare readonly [BOUND]: () => readonly [Id, Value];

  constructor(
    readonly origin: Origin,
    readonly binding: JsonObject,
  ) {
    super();
  }
}

/** A reference and the way into its value. */
export class Projected<Id extends SchemaIdentity | null, Value> extends Term implements Expression<Id, Value> {
  declare readonly [BOUND]: () => readonly [Id, Value];

  constructor(
    readonly origin: Origin,
    readonly reference: string,
    readonly path = '',
  ) {
    super();
  }

  get binding(): JsonObject {
    return { from: this.reference, ...(this.path === '' ? {} : { path: this.path }) };
  }

  at<A>(a: A): Projected<IdentityAt<Id, A>, MemberOf<Value, A>>;
  at<A, B>(a: A, b: B): Projected<IdentityAt<IdentityAt<Id, A>, B>, MemberOf<MemberOf<Value, A>, B>>;
  at<A, B, C>(
    a: A,
    b: B,
    c: C,
  ): Projected<IdentityAt<IdentityAt<IdentityAt<Id, A>, B>, C>, MemberOf<MemberOf<MemberOf<Value, A>, B>, C>>;
  at(...keys: readonly (string | number)[]): Projected<SchemaIdentity | null, unknown> {
    return new Projected(this.origin, this.reference, this.path + keys.map(pointerToken).join(''));
  }

  or<const Fallback extends Json>(fallback: Fallback): Bound<Id, Exclude<Value, undefined> | Written<Fallback>> {
    requireJson(`the default of "${this.reference}${this.path}"`, fallback);
    return new Defaulted(this.origin, { ...this.binding, default: fallback });
  }

  required(): Projected<Id, Exclude<Value, undefined>> {
    return new Projected(this.origin, this.reference, this.path);
  }

  narrow<Narrow extends Value>(): Projected<null, Narrow> {
    return new Projected(this.origin, this.reference, this.path);
  }
}

function pointerToken(key: string | number): string {
  if (typeof key === 'number' && !(Number.isSafeInteger(key) && key >= 0)) {
    throw new BuildError(`${key} is not an index; items are counted from 0`);
  }
  return `/${escapeToken(String(key))}`;
}
