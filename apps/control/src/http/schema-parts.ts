/** What the schemas of answers are put together from. */
import type { JsonSchema } from './shape/shape.js';

export const text = { type: 'string' } as const;
export const integer = { type: 'integer' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const time = { type: 'integer', minimum: 0, description: 'UTC milliseconds.' } as const;
export const value = { description: 'Any JSON value.' } as const;

export function oneOf(...members: readonly string[]): JsonSchema {
  return { type: 'string', enum: members };
}

/** The members of a union type, each named: one that is added there and not here does not compile. */
export function membersOf<T extends string>(members: Readonly<Record<T, true>>): JsonSchema {
  return oneOf(...Object.keys(members));
}

export function nullable(schema: JsonSchema): JsonSchema {
  return { oneOf: [schema, { type: 'null' }] };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** An object with exactly these members; all but the `optional` ones are there. */
export function closed(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  };
}
