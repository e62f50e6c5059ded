/**
 * The syntax of the language's values as JSON Schema fragments. The compiler's field tables name them, and the JSON Schema
 * that editors use is generated from those tables: what is written here is all that it knows beyond them.
 */
import type { Json, JsonObject } from './value.js';

/** A JSON Schema fragment; shared shapes are references into `$defs`. */
export type Syntax = JsonObject;

/** Shapes that stand under `$defs` of the language's JSON Schemas; `language-schema` defines each of them. */
const SHAPES = [
  'name',
  'nodeKey',
  'version',
  'duration',
  'schemaRef',
  'reference',
  'pointer',
  'binding',
  // A binding that sees nothing but the activity it undoes.
  'forwardBinding',
  'forwardReference',
  'condition',
  'operands',
  'projection',
  'activityRef',
  'retry',
  'backoff',
  // The same with the defaults of compensations.
  'compensationRetry',
  'compensationBackoff',
  'compensation',
  'errorRoutes',
  'failure',
  'nodes',
  'cases',
  'branches',
  'signals',
  'searchAttributes',
  'regions',
  'labels',
  'body',
  // A body of a choice, whose schemas any body beside it may say.
  'caseBody',
  // A body whose container fixes both of its schemas.
  'loopBody',
  // A body whose container fixes its input schema.
  'foreachBody',
  'jsonSchemas',
  'contracts',
  'errorCodes',
  'reconcilers',
] as const;

export type ShapeName = (typeof SHAPES)[number];

/** Where a shape stands. */
export function shapePointer(name: string): string {
  return `#/$defs/${name}`;
}

/** A reference to a shape. */
export function shapeSyntax(name: string): Syntax {
  return { $ref: shapePointer(name) };
}

const references = Object.fromEntries(SHAPES.map((name) => [name, shapeSyntax(name)])) as Readonly<
  Record<ShapeName, Syntax>
>;

export const SYNTAX = {
  ...references,
  text: { type: 'string' },
  boolean: { type: 'boolean' },
  // Every type there is, since editors write a colon after a field whose type they know.
  anything: { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] },
} as const satisfies Readonly<Record<string, Syntax>>;

export function integerSyntax(minimum: number, maximum: number): Syntax {
  return { type: 'integer', minimum, maximum };
}

export function numberSyntax(minimum: number, maximum: number): Syntax {
  return { type: 'number', minimum, maximum };
}

export function choiceSyntax(choices: readonly string[]): Syntax {
  return { enum: choices };
}

export function constantSyntax(value: string): Syntax {
  return { const: value };
}

/** Bytes are what counts, and no character has less than one. */
export function textSyntax(maxBytes: number): Syntax {
  return { type: 'string', maxLength: maxBytes };
}

/** A list with at least one entry. */
export function listSyntax(items: Syntax, maxItems?: number): Syntax {
  return { type: 'array', items, minItems: 1, ...(maxItems === undefined ? {} : { maxItems }) };
}

/** What a field that is left out means. */
export function withDefault(syntax: Syntax, value: Json): Syntax {
  return { ...syntax, default: value };
}
