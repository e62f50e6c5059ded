/** How a node's binding becomes a value that may be recorded. */
import { checkValue, evaluate, type Binding, type Json, type SchemaRef } from '@graphrun/dsl';
import type { Failure } from '../events.js';
import { engineFailure, schemaFailure } from '../failures.js';
import { frameOf } from '../frame.js';
import type { Run, Scope } from '../state.js';

export type Bound = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly failure: Failure };

/**
 * Evaluates `binding` in its scope and checks the value against its schema. `what` names the value in messages. Whatever
 * goes wrong fails the scope, never the command (spec 01 "Bindings").
 */
export function bind(run: Run, scope: Scope, binding: Binding, schema: SchemaRef, what: string): Bound {
  const evaluated = evaluate(binding, frameOf(run, scope));
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

/** A part of a good value is a good value; only what is put together can become too large or too deep. */
function composes(binding: Binding): boolean {
  return 'object' in binding || 'array' in binding;
}
