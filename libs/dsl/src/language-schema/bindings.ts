/** Bindings and conditions. */
import { CONDITION_FIELDS, PROJECTION_FIELDS } from '../bindings/condition.js';
import { BINDING_FIELDS } from '../bindings/parse.js';
import { isArray, isObject } from '../canonical.js';
import { shapePointer, SYNTAX, type ShapeName, type Syntax } from '../syntax.js';
import type { Json } from '../value.js';
import { alone, exactlyOne } from './alternatives.js';
import { mapSchema } from './table.js';

export const BINDING: Syntax = { title: 'binding', ...exactlyOne('A binding', BINDING_FIELDS) };

/** The same binding with other references, which its parts have as well. */
export const FORWARD_BINDING = exchange(BINDING, { binding: 'forwardBinding', reference: 'forwardReference' });

type Exchange = Readonly<Partial<Record<ShapeName, ShapeName>>>;

function exchange(syntax: Syntax, shapes: Exchange): Syntax {
  return Object.fromEntries(Object.entries(syntax).map(([key, value]) => [key, exchangeIn(value, shapes)]));
}

function exchangeIn(value: Json, shapes: Exchange): Json {
  if (isArray(value)) return value.map((item) => exchangeIn(item, shapes));
  if (isObject(value)) return exchange(value, shapes);
  for (const [from, to] of Object.entries(shapes)) if (value === shapePointer(from)) return shapePointer(to);
  return value;
}

export const CONDITION: Syntax = { title: 'condition', ...exactlyOne('A condition', alone(CONDITION_FIELDS)) };

export const OPERANDS: Syntax = {
  title: 'two bindings',
  type: 'array',
  items: SYNTAX.binding,
  minItems: 2,
  maxItems: 2,
};

export const PROJECTION: Syntax = { title: 'projection', ...mapSchema(PROJECTION_FIELDS) };
