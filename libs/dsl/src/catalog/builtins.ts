import type { Json } from '../value.js';

/** Schemas that every catalog has (spec 01 "Catalog"). */
export const BUILTIN_SCHEMAS: { readonly [nameAndVersion: string]: Json } = {
  'unit/v1': { type: 'null' },
  'string/v1': { type: 'string' },
  'integer/v1': { type: 'integer' },
  'number/v1': { type: 'number' },
  'boolean/v1': { type: 'boolean' },
};
