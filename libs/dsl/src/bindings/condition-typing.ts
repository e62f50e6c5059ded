/**
 * Can the operands of a comparison ever be compared? `eq` and `ne` take scalars whose kinds intersect, the others numbers
 * of one kind (spec 01 "Conditions"). An integral literal is of both number kinds; `integer` and `number` never meet.
 */
import { TYPE, typeNames, typeOf } from '../schema/json-types.js';
import type { ParsedCondition } from './condition.js';
import type { ParsedBinding } from './parse.js';
import { checkProjection, shapeOf, type BindingScope } from './typing.js';

const NUMERIC = TYPE.integer | TYPE.number;
const SCALAR = TYPE.null | TYPE.boolean | TYPE.string | NUMERIC;

export function checkCondition(condition: ParsedCondition, scope: BindingScope): void {
  switch (condition.form) {
    case 'compare':
      checkComparison(condition, scope);
      return;
    case 'all':
    case 'any':
      for (const inner of condition.conditions) checkCondition(inner, scope);
      return;
    case 'not':
      checkCondition(condition.condition, scope);
      return;
    case 'exists':
      checkProjection(condition.projection, scope);
      return;
    case 'broken':
  }
}

type Comparison = Extract<ParsedCondition, { form: 'compare' }>;

function checkComparison({ operator, left, right }: Comparison, scope: BindingScope): void {
  const equality = operator === 'eq' || operator === 'ne';
  const what = `"${operator}" compares ${equality ? 'scalars' : 'numbers'}`;
  const comparable = equality ? SCALAR : NUMERIC;
  const [first, second] = [left, right].map((operand) => comparableTypes(operand, { what, comparable }, scope));
  if (first === undefined || second === undefined || (first & second) !== 0) return;
  const message = `${what} of one kind; this is ${kindNames(second)}, and the other is ${kindNames(first)}`;
  scope.context.reporter.error('GR1312', right.span, message);
}

/** Integer and number told apart, which `typeNames` does not do for literals of both kinds. */
function kindNames(types: number): string {
  return typeNames((types & NUMERIC) === NUMERIC ? types & ~TYPE.integer : types);
}

interface Comparable {
  readonly comparable: number;
  /** What is compared, for messages. */
  readonly what: string;
}

/** The types of an operand that can be compared, or undefined when there are none, after reporting. */
function comparableTypes(operand: ParsedBinding, { what, comparable }: Comparable, scope: BindingScope) {
  const { reporter } = scope.context;
  const types = operandTypes(operand, scope);
  const fallback = operand.form === 'from' ? operand.fallback : null;
  const fallbackTypes = fallback === null ? 0 : typeOf(fallback.value);
  if (fallback !== null && (fallbackTypes & comparable) === 0) {
    reporter.error('GR1313', fallback.tree.span, `${what}; this default is ${typeNames(fallbackTypes)}`);
  }
  if (types === undefined) return undefined;
  if ((types & comparable) !== 0) return (types | fallbackTypes) & comparable;
  reporter.error('GR1313', operand.span, `${what}; this is ${typeNames(types)}`);
  return undefined;
}

/** The JSON types an operand has where it is found, or undefined when it is at fault itself. */
function operandTypes(operand: ParsedBinding, scope: BindingScope): number | undefined {
  switch (operand.form) {
    case 'broken':
      return undefined;
    case 'literal':
      return typeOf(operand.literal.value);
    case 'object':
      return TYPE.object;
    case 'array':
      return TYPE.array;
    case 'from': {
      const found = checkProjection(operand, scope);
      return found === undefined ? undefined : scope.context.shapes.types(shapeOf(found, scope.context));
    }
  }
}
