/** How a node's binding becomes a value that may be recorded. */
import {
  checkValue,
  evaluate,
  evaluateCondition,
  type Binding,
  type Condition,
  type Frame,
  type Json,
  type SchemaRef,
} from '@graphrun/dsl';
import type { Failure } from '../events.js';
import { engineFailure, schemaFailure } from '../failures.js';
import { frameOf } from '../frame.js';
import type { Run, Scope, ScopeFrame } from '../state.js';

export type Bound<T extends Json = Json> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

/**
 * Evaluates `binding` in its scope and checks the value against its schema. `what` names the value in messages. Whatever
 * goes wrong fails the scope, never the command (spec 01 "Bindings").
 */
export function bind(run: Run, scope: Scope, binding: Binding, schema: SchemaRef, what: string): Bound {
  return bindIn(run, frameOf(run, scope), binding, schema, what);
}

/** The same in a frame that is no scope's: the input of a compensation. */
export function bindIn(run: Run, frame: Frame, binding: Binding, schema: SchemaRef, what: string): Bound {
  const evaluated = evaluate(binding, frame);
  if (!evaluated.ok) return { ok: false, failure: engineFailure(evaluated.code, `${what}: ${evaluated.message}`) };
  const { value } = evaluated;
  if (composes(binding)) {
    const issue = checkValue(value);
    if (issue !== null) {
      const where = issue.pointer === '' ? '' : ` at ${issue.pointer}`;
      return { ok: false, failure: engineFailure('limit.value', `${what}${where} ${issue.message}`) };
    }
  }
  const issue = run.program.validate(schema, value);
  if (issue !== null) return { ok: false, failure: schemaFailure(what, issue) };
  return { ok: true, value };
}

/** An integer in a range: a count, a duration, a moment. Anything else is `binding.kind` or `binding.range`. */
export function bindInteger(
  run: Run,
  scope: Scope,
  binding: Binding,
  range: { readonly min: number; readonly max: number },
  what: string,
): Bound<number> {
  const evaluated = evaluate(binding, frameOf(run, scope));
  if (!evaluated.ok) return { ok: false, failure: engineFailure(evaluated.code, `${what}: ${evaluated.message}`) };
  const { value } = evaluated;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    return { ok: false, failure: engineFailure('binding.kind', `${what} is not an integer`) };
  }
  if (value < range.min || value > range.max) {
    const message = `${what} is ${value}, which is not from ${range.min} to ${range.max}`;
    return { ok: false, failure: engineFailure('binding.range', message) };
  }
  return { ok: true, value };
}

/** Whether a condition holds; `inherited` is the frame of the loop whose condition it is. */
export function decideCondition(
  run: Run,
  scope: Scope,
  condition: Condition,
  what: string,
  inherited?: ScopeFrame,
): Bound<boolean> {
  const result = evaluateCondition(condition, frameOf(run, scope, inherited));
  return result.ok ? result : { ok: false, failure: engineFailure(result.code, `${what}: ${result.message}`) };
}

/** A part of a good value is a good value; only what is put together can become too large or too deep. */
function composes(binding: Binding): boolean {
  return 'object' in binding || 'array' in binding;
}
