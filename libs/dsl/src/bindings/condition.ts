/** Conditions as written: exactly one operator, with bindings or conditions as operands (spec 01 "Conditions"). */
import type { CompileContext } from '../context.js';
import { Fields, optional, required, shorten, type FieldTable } from '../fields.js';
import type { ComparisonOperator, Condition } from '../ir.js';
import { LIMITS } from '../limits.js';
import { describeTree, type Span, type Tree } from '../source/tree.js';
import { didYouMean } from '../suggest.js';
import { listSyntax, SYNTAX } from '../syntax.js';
import {
  normalizeBinding,
  normalizeProjection,
  readBinding,
  readFrom,
  type ParsedBinding,
  type ParsedProjection,
} from './parse.js';

export const COMPARISONS = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const satisfies readonly ComparisonOperator[];

/** Operators, with what they take. */
export const CONDITION_FIELDS = {
  eq: required(SYNTAX.operands, 'Two scalars are equal.'),
  ne: required(SYNTAX.operands, 'Two scalars differ.'),
  lt: required(SYNTAX.operands, 'The first number is less than the second.'),
  le: required(SYNTAX.operands, 'The first number is not greater than the second.'),
  gt: required(SYNTAX.operands, 'The first number is greater than the second.'),
  ge: required(SYNTAX.operands, 'The first number is not less than the second.'),
  all: required(listSyntax(SYNTAX.condition), 'Every condition holds; checked in order until one does not.'),
  any: required(listSyntax(SYNTAX.condition), 'Some condition holds; checked in order until one does.'),
  not: required(SYNTAX.condition, 'The condition does not hold.'),
  exists: required(SYNTAX.projection, 'There is a value, if only null.'),
} as const satisfies FieldTable;

export const PROJECTION_FIELDS = {
  from: required(SYNTAX.reference, 'Where to look.'),
  path: optional(SYNTAX.pointer, 'JSON pointer into the value.'),
} as const satisfies FieldTable;

type Operator = keyof typeof CONDITION_FIELDS;
const OPERATORS = Object.keys(CONDITION_FIELDS) as readonly Operator[];

export type ParsedCondition =
  | {
      readonly form: 'compare';
      readonly operator: ComparisonOperator;
      readonly span: Span;
      readonly left: ParsedBinding;
      readonly right: ParsedBinding;
    }
  | { readonly form: 'all' | 'any'; readonly span: Span; readonly conditions: readonly ParsedCondition[] }
  | { readonly form: 'not'; readonly span: Span; readonly condition: ParsedCondition }
  | { readonly form: 'exists'; readonly span: Span; readonly projection: ParsedProjection }
  /** Complained about already. */
  | { readonly form: 'broken'; readonly span: Span };

/** Reads the condition of a node's field; a condition that is too large is reported once and broken. */
export function readCondition(tree: Tree, context: CompileContext): ParsedCondition {
  return new ConditionReader(context).read(tree);
}

class ConditionReader {
  readonly #context: CompileContext;
  #operators = 0;

  constructor(context: CompileContext) {
    this.#context = context;
  }

  read(tree: Tree): ParsedCondition {
    const broken: ParsedCondition = { form: 'broken', span: tree.span };
    const { reporter } = this.#context;
    if (tree.kind === 'broken') return broken;
    if (tree.kind !== 'map') {
      const message = `a condition is a map with one operator; this is ${describeTree(tree)}`;
      reporter.error('GR1311', tree.span, message);
      return broken;
    }
    const [member, ...others] = tree.members.values();
    const operator = OPERATORS.find((candidate) => candidate === member?.key);
    if (member === undefined || operator === undefined || others.length > 0) {
      const found = [...tree.members.keys()].join(', ');
      const message = `a condition has exactly one operator of ${OPERATORS.join(', ')}; this has ${found === '' ? 'none' : `"${shorten(found)}"`}`;
      reporter.error('GR1311', member?.keySpan ?? tree.span, message, () =>
        others.length > 0 || member === undefined ? null : didYouMean(member.key, OPERATORS),
      );
      return broken;
    }
    this.#operators += 1;
    if (this.#operators > LIMITS.conditionOperators) {
      // What follows would only be more of the same.
      if (this.#operators === LIMITS.conditionOperators + 1) {
        const message = `a condition has at most ${LIMITS.conditionOperators} operators`;
        reporter.error('GR1314', member.keySpan, message, 'decide in an activity');
      }
      return broken;
    }
    return this.#operands(operator, member.value, tree.span);
  }

  #operands(operator: Operator, value: Tree, span: Span): ParsedCondition {
    switch (operator) {
      case 'not':
        return { form: 'not', span, condition: this.read(value) };
      case 'exists':
        return this.#exists(value, span);
      case 'all':
      case 'any': {
        const items = this.#list(operator, value);
        if (items === undefined) return { form: 'broken', span };
        if (items.length === 0) {
          this.#context.reporter.error('GR1115', value.span, `"${operator}" needs at least one entry`);
        }
        return { form: operator, span, conditions: items.map((item) => this.read(item)) };
      }
      default:
        return this.#comparison(operator, value, span);
    }
  }

  #comparison(operator: ComparisonOperator, value: Tree, span: Span): ParsedCondition {
    const items = this.#list(operator, value);
    if (items === undefined) return { form: 'broken', span };
    const [left, right, ...others] = items;
    if (left === undefined || right === undefined || others.length > 0) {
      const message = `"${operator}" compares two bindings; this has ${items.length}`;
      this.#context.reporter.error('GR1115', value.span, message);
      return { form: 'broken', span };
    }
    const operands = { left: readBinding(left, this.#context), right: readBinding(right, this.#context) };
    return { form: 'compare', operator, span, ...operands };
  }

  #list(operator: Operator, value: Tree): readonly Tree[] | undefined {
    const { reporter } = this.#context;
    if (value.kind === 'broken') return undefined;
    if (value.kind !== 'list') {
      reporter.error('GR1103', value.span, `"${operator}" is a list; this is ${describeTree(value)}`);
      return undefined;
    }
    return value.items;
  }

  #exists(value: Tree, span: Span): ParsedCondition {
    const { reporter } = this.#context;
    if (value.kind === 'broken') return { form: 'broken', span };
    if (value.kind !== 'map') {
      reporter.error('GR1103', value.span, `"exists" is a map with "from" and "path"; this is ${describeTree(value)}`);
      return { form: 'broken', span };
    }
    const place = { what: '"exists"', anchor: value.span, elsewhere: noDefault };
    const fields = new Fields(value, PROJECTION_FIELDS, place, reporter);
    const projection = readFrom(value, fields, this.#context);
    return projection.form === 'broken'
      ? projection
      : { form: 'exists', span, projection: { ...projection, fallback: null } };
  }
}

function noDefault(field: string): string | null {
  return field === 'default' ? 'with one it would always hold' : null;
}

/** The normal form. Only for definitions without errors. */
export function normalizeCondition(condition: ParsedCondition): Condition {
  switch (condition.form) {
    case 'compare': {
      const operands = [normalizeBinding(condition.left), normalizeBinding(condition.right)] as const;
      return comparison(condition.operator, operands);
    }
    case 'all':
      return { all: condition.conditions.map(normalizeCondition) };
    case 'any':
      return { any: condition.conditions.map(normalizeCondition) };
    case 'not':
      return { not: normalizeCondition(condition.condition) };
    case 'exists':
      return { exists: normalizeProjection(condition.projection) };
    case 'broken':
      throw new Error('A condition that was complained about has no normal form; the compiler must stop before');
  }
}

type Operands = readonly [ReturnType<typeof normalizeBinding>, ReturnType<typeof normalizeBinding>];

function comparison(operator: ComparisonOperator, operands: Operands): Condition {
  switch (operator) {
    case 'eq':
      return { eq: operands };
    case 'ne':
      return { ne: operands };
    case 'lt':
      return { lt: operands };
    case 'le':
      return { le: operands };
    case 'gt':
      return { gt: operands };
    case 'ge':
      return { ge: operands };
  }
}
