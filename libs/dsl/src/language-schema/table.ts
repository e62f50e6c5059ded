/** JSON Schemas of maps, from the tables by which the compiler reads them. */
import type { FieldRule, FieldTable } from '../fields.js';
import type { Syntax } from '../syntax.js';
import type { JsonObject } from '../value.js';

/** A map with the fields of a table and no others. */
export function mapSchema(table: FieldTable): Syntax {
  const required = Object.keys(table).filter((field) => table[field]?.use === 'required');
  return {
    type: 'object',
    properties: propertiesOf(table),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

export function propertiesOf(table: FieldTable): JsonObject {
  return Object.fromEntries(Object.entries(table).map(([field, rule]) => [field, fieldSchema(rule)]));
}

/** The description stands beside the syntax, where editors look first, also when the syntax is a reference. */
function fieldSchema({ syntax, about }: FieldRule): Syntax {
  const fallback = syntax['default'];
  const known = typeof fallback === 'string' || typeof fallback === 'number';
  return { ...syntax, description: known ? `${about} Default: ${fallback}.` : about };
}

/** A map of any keys that match a shape, all values alike. */
export function dictionarySchema(key: Syntax, value: Syntax): Syntax {
  return { type: 'object', propertyNames: key, additionalProperties: value };
}
