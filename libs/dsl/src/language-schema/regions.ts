/** Regions: bodies of containers, written out or used by name, and the regions that are used. */
import { BODY_FIELDS, USE_FIELDS } from '../region.js';
import { SYNTAX, type Syntax } from '../syntax.js';
import { byField } from './alternatives.js';
import { dictionarySchema, mapSchema, propertiesOf } from './table.js';

type SchemaField = 'input_schema' | 'output_schema';

/** A body; `stated` are the schemas that nothing but the body itself can say. */
function body(stated: readonly SchemaField[]): Syntax {
  const written = mapSchema({
    ...BODY_FIELDS,
    ...Object.fromEntries(stated.map((field) => [field, { ...BODY_FIELDS[field], use: 'required' as const }])),
  });
  const properties = { ...propertiesOf(BODY_FIELDS), ...propertiesOf(USE_FIELDS) };
  return { title: 'body', type: 'object', ...byField('use', mapSchema(USE_FIELDS), { ...written, properties }) };
}

export const BODY = body(['input_schema', 'output_schema']);
export const CASE_BODY = body([]);
export const LOOP_BODY = body([]);
export const FOREACH_BODY = body(['output_schema']);

/** What a region may leave out depends on where it is used. */
export const REGIONS: Syntax = {
  title: 'regions',
  ...dictionarySchema(SYNTAX.name, { title: 'region', ...mapSchema(BODY_FIELDS) }),
};
