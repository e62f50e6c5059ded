/**
 * JSON Schemas (2020-12) of the language, for editors: generated from the tables by which the compiler itself reads
 * documents and catalogs (spec 01 "Editor support").
 *
 * They say what can be said without looking elsewhere: fields, forms, spellings and ranges. What the compiler accepts,
 * they accept, with one exception: a region that nothing uses, into which the compiler does not look. Whether names mean
 * something, types fit and nodes connect is for the compiler alone.
 */
import { CATALOG_FIELDS } from '../catalog/fields.js';
import { DOCUMENT_FIELDS } from '../document.js';
import type { FieldTable } from '../fields.js';
import type { JsonObject } from '../value.js';
import { shapesOf } from './shapes.js';
import { mapSchema } from './table.js';

/** Of workflow documents, `graphrun/v1`. */
export function languageSchema(): JsonObject {
  return schemaOf('graphrun workflow', 'A workflow of the language graphrun/v1.', DOCUMENT_FIELDS);
}

/** Of catalogs, `graphrun.catalog/v1`. */
export function catalogSchema(): JsonObject {
  return schemaOf('graphrun catalog', 'What workflows refer to: schemas, activities and reconcilers.', CATALOG_FIELDS);
}

/** The schemas by what they are for. */
export const LANGUAGE_SCHEMAS = {
  workflow: { file: 'graphrun-workflow.v1.schema.json', generate: languageSchema },
  catalog: { file: 'graphrun-catalog.v1.schema.json', generate: catalogSchema },
} as const;

export type LanguageSchemaKind = keyof typeof LANGUAGE_SCHEMAS;

/** A schema as its file in `schemas/` holds it. */
export function languageSchemaText(kind: LanguageSchemaKind): string {
  return `${JSON.stringify(LANGUAGE_SCHEMAS[kind].generate(), null, 2)}\n`;
}

function schemaOf(title: string, description: string, table: FieldTable): JsonObject {
  const root = mapSchema(table);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    description,
    ...root,
    $defs: shapesOf(root),
  };
}
