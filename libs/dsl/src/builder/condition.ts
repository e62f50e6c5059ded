/** Typed conditions: exactly one operator each (spec 01 "Conditions"). */
import type { ComparisonOperator } from '../ir.js';
import type { Json } from '../value.js';
import { Projected, type Bound, type Located } from './bound.js';
import { BuildError } from './build-error.js';
import { bindingOf, type Scalar } from './input.js';
import type { Place } from './origin.js';
import type { SchemaIdentity } from './witness.js';

/** A truth value over what is in reach of the place that uses it. */
export interface Condition {
  /** The condition as a document says it. Throws `BuildError` when something it reads is out of reach. */
  toJson(place: Place): Json;
}

type Operand<Value> = Bound<SchemaIdentity | null, Value> | Value;

/** Kinds that a scalar of type `A` can be compared with; null is a kind of its own. */
type Comparable<A extends Scalar> = A extends string
  ? string
  : A extends number
    ? number
    : A extends boolean
      ? boolean
      : null;

/**
 * True when both are the same scalar. Null equals null only; any other difference of kinds fails with `binding.kind` when
 * the workflow runs. A plain value on the right must be one that the left can have.
 */
export function eq<const A extends Scalar>(
  left: Operand<A>,
  right: NoInfer<A> | Bound<SchemaIdentity | null, Comparable<NoInfer<A>>>,
): Condition {
  return comparison('eq', left, right);
}

/** The reverse of `eq`. */
export function ne<const A extends Scalar>(
  left: Operand<A>,
  right: NoInfer<A> | Bound<SchemaIdentity | null, Comparable<NoInfer<A>>>,
): Condition {
  return comparison('ne', left, right);
}

/** Less than. Both are numbers of one kind: two integers, or two decimals. */
export function lt(left: Operand<number>, right: Operand<number>): Condition {
  return comparison('lt', left, right);
}

/** Less than or equal. */
export function le(left: Operand<number>, right: Operand<number>): Condition {
  return comparison('le', left, right);
}

/** Greater than. */
export function gt(left: Operand<number>, right: Operand<number>): Condition {
  return comparison('gt', left, right);
}

/** Greater than or equal. */
export function ge(left: Operand<number>, right: Operand<number>): Condition {
  return comparison('ge', left, right);
}

/** True when all are, from left to right; the first that is false ends it. */
export function all(...conditions: readonly [Condition, ...Condition[]]): Condition {
  return { toJson: (place) => ({ all: conditions.map((condition) => condition.toJson(place)) }) };
}

/** True when one is, from left to right; the first that is true ends it. */
export function any(...conditions: readonly [Condition, ...Condition[]]): Condition {
  return { toJson: (place) => ({ any: conditions.map((condition) => condition.toJson(place)) }) };
}

export function not(condition: Condition): Condition {
  return { toJson: (place) => ({ not: condition.toJson(place) }) };
}

/** True when the projection finds something; null is something. */
export function exists(projection: Located<SchemaIdentity | null, unknown>): Condition {
  if (!(projection instanceof Projected)) throw new BuildError('"exists" takes a projection without a default');
  return { toJson: (place) => ({ exists: bindingOf(projection, place) }) };
}

function comparison(operator: ComparisonOperator, left: unknown, right: unknown): Condition {
  return { toJson: (place) => ({ [operator]: [bindingOf(left, place), bindingOf(right, place)] }) };
}
