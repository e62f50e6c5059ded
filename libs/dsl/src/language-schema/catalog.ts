/** What stands in a catalog. */
import { CONTRACT_FIELDS, ERROR_CODE_FIELDS, RECONCILER_FIELDS } from '../catalog/fields.js';
import type { FieldTable } from '../fields.js';
import type { Syntax } from '../syntax.js';
import { mapSchema } from './table.js';

function listOf(title: string, table: FieldTable): Syntax {
  return { title, type: 'array', items: mapSchema(table) };
}

export const CONTRACTS = listOf('activities', CONTRACT_FIELDS);
export const ERROR_CODES = listOf('error codes', ERROR_CODE_FIELDS);
export const RECONCILERS = listOf('reconcilers', RECONCILER_FIELDS);
