/** The truth of a condition at run time: pure, exact, nothing coerced (spec 01 "Conditions"). */
import type { Binding, ComparisonOperator, Condition } from '../ir.js';
import type { Json } from '../value.js';
import { evaluate, find, type Frame } from './evaluate.js';

export type ConditionResult =
  | { readonly ok: true; readonly value: boolean }
  | { readonly ok: false; readonly code: 'binding.missing' | 'binding.kind'; readonly message: string };

/**
 * Whether `condition` holds. `all` and `any` are checked in order and stop as soon as they are decided: an operand after
 * that cannot fail. A missing operand fails with `binding.missing`; operands of kinds that cannot be compared fail with
 * `binding.kind`; null equals null and nothing else. `exists` never fails.
 */
export function evaluateCondition(condition: Condition, frame: Frame): ConditionResult {
  if ('all' in condition) return every(condition.all, frame, true);
  if ('any' in condition) return every(condition.any, frame, false);
  if ('not' in condition) {
    const inner = evaluateCondition(condition.not, frame);
    return inner.ok ? truth(!inner.value) : inner;
  }
  if ('exists' in condition) return truth(find(condition.exists, frame) !== undefined);
  if ('eq' in condition) return compare('eq', condition.eq, frame);
  if ('ne' in condition) return compare('ne', condition.ne, frame);
  if ('lt' in condition) return compare('lt', condition.lt, frame);
  if ('le' in condition) return compare('le', condition.le, frame);
  if ('gt' in condition) return compare('gt', condition.gt, frame);
  return compare('ge', condition.ge, frame);
}

const TRUE: ConditionResult = { ok: true, value: true };
const FALSE: ConditionResult = { ok: true, value: false };

function truth(value: boolean): ConditionResult {
  return value ? TRUE : FALSE;
}

/** `all` goes on while conditions hold, `any` while they do not. */
function every(conditions: readonly Condition[], frame: Frame, goesOn: boolean): ConditionResult {
  for (const condition of conditions) {
    const result = evaluateCondition(condition, frame);
    if (!result.ok || result.value !== goesOn) return result;
  }
  return truth(goesOn);
}

function compare(operator: ComparisonOperator, operands: readonly [Binding, Binding], frame: Frame): ConditionResult {
  const left = evaluate(operands[0], frame);
  if (!left.ok) return left;
  const right = evaluate(operands[1], frame);
  if (!right.ok) return right;
  if (operator === 'eq' || operator === 'ne') return equality(operator, left.value, right.value);
  if (typeof left.value !== 'number' || typeof right.value !== 'number') {
    return mismatch(operator, 'numbers', left.value, right.value);
  }
  return truth(ordered(operator, left.value, right.value));
}

function equality(operator: 'eq' | 'ne', left: Json, right: Json): ConditionResult {
  const scalars = isScalar(left) && isScalar(right);
  if (!scalars || (left !== null && right !== null && typeof left !== typeof right)) {
    return mismatch(operator, 'scalars of one kind', left, right);
  }
  return truth((left === right) === (operator === 'eq'));
}

function ordered(operator: 'lt' | 'le' | 'gt' | 'ge', left: number, right: number): boolean {
  switch (operator) {
    case 'lt':
      return left < right;
    case 'le':
      return left <= right;
    case 'gt':
      return left > right;
    case 'ge':
      return left >= right;
  }
}

function isScalar(value: Json): value is null | boolean | number | string {
  return value === null || typeof value !== 'object';
}

function mismatch(operator: ComparisonOperator, what: string, left: Json, right: Json): ConditionResult {
  const message = `"${operator}" compares ${what}, but found ${kindOf(left)} and ${kindOf(right)}`;
  return { ok: false, code: 'binding.kind', message };
}

/** The kind of a value, never the value: messages end up in histories and logs. */
function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
