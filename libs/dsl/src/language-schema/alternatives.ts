/**
 * Maps of several forms. `oneOf` would do, but an editor that meets a fault in such a map has to guess which form was
 * meant, and complains about the wrong one. So the form is decided first, by one field, and only then checked.
 */
import type { FieldTable } from '../fields.js';
import type { Syntax } from '../syntax.js';
import { mapSchema, propertiesOf } from './table.js';

export interface KindOf {
  readonly kind: string;
  readonly about: string;
  readonly schema: Syntax;
}

/** A map whose field `kind` says which of several forms it has. */
export function byKind(kinds: readonly KindOf[], about: string): Syntax {
  return {
    type: 'object',
    properties: {
      kind: { enum: kinds.map(({ kind }) => kind), enumDescriptions: kinds.map((of) => of.about), description: about },
    },
    required: ['kind'],
    allOf: kinds.map(({ kind, schema }) => ({
      // Without its type, null is what the condition says as well, and an editor would offer the fields of all kinds.
      if: { type: 'object', properties: { kind: { const: kind } }, required: ['kind'] },
      then: schema,
    })),
  };
}

/** A map that has one form if it has a field, and another if not. */
export function byField(field: string, form: Syntax, otherwise: Syntax): Syntax {
  return { if: { type: 'object', required: [field] }, then: form, else: otherwise };
}

/**
 * A map with exactly one of several fields, each of which says in its table what may stand beside it. `shape` is what an
 * editor says of something else than a map.
 */
export function exactlyOne(what: string, forms: Readonly<Record<string, FieldTable>>, shape?: string): Syntax {
  const names = Object.keys(forms);
  const rule = `${what} has exactly one of ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}.`;
  const none: Syntax = {
    // Offered to whoever has not decided yet.
    properties: propertiesOf(
      Object.fromEntries(Object.entries(forms).flatMap(([name, table]) => Object.entries(only(name, table)))),
    ),
    minProperties: 1,
    additionalProperties: false,
    errorMessage: rule,
  };
  const chosen = Object.entries(forms).reduceRight<Syntax>(
    (otherwise, [field, table]) => byField(field, mapSchema(table), otherwise),
    none,
  );
  return { type: 'object', errorMessage: shape ?? rule, ...chosen };
}

function only(field: string, table: FieldTable): FieldTable {
  return Object.fromEntries(Object.entries(table).filter(([name]) => name === field));
}

/** The fields of a table, none of which may stand beside another. */
export function alone(table: FieldTable): Readonly<Record<string, FieldTable>> {
  return Object.fromEntries(Object.keys(table).map((field) => [field, only(field, table)]));
}
