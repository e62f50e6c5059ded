/**
 * A catalog declared in code (spec 01 "Catalog"): schemas by their witnesses, activities and reconcilers. It becomes the
 * same `graphrun.catalog/v1` document that one would write by hand, and passes the same checks.
 */
import { canonicalize } from '../canonical.js';
import { BUILTIN_SCHEMAS } from '../catalog/builtins.js';
import type { Catalog, Reconciler } from '../catalog/catalog.js';
import { CATALOG_FORMAT } from '../catalog/fields.js';
import { parseCatalog } from '../catalog/parse.js';
import type { Json, JsonObject } from '../value.js';
import type { ActivityDeclaration } from './activity.js';
import { CatalogError, issuesOf } from './catalog-error.js';
import type { AnySchema } from './witness.js';

export { activity } from './activity.js';
export type { ActivityDeclaration, ActivityTerms, ErrorCodes } from './activity.js';
export { CatalogError } from './catalog-error.js';
export type { CatalogIssue } from './catalog-error.js';
export { schemaFrom, schemaFromJson } from './schema-from.js';
export type { SchemaSource, SourceValue, StandardSource, StaticSource } from './schema-from.js';

export interface CatalogParts {
  /** Witnesses with their JSON Schema. Those that activities take or give as they are need not be listed. */
  readonly schemas?: readonly AnySchema[];
  readonly activities?: readonly ActivityDeclaration[];
  /** `forwardActivity` may be the declaration of the activity. */
  readonly reconcilers?: readonly Reconciler[];
}

/** A checked catalog, ready to compile against, and the document to publish. */
export interface DeclaredCatalog extends Catalog {
  /** `graphrun.catalog/v1`. */
  readonly document: JsonObject;
}

/** Puts a catalog together. Throws `CatalogError` with all that is wrong with it. */
export function catalog(parts: CatalogParts): DeclaredCatalog {
  const { activities = [], reconcilers = [] } = parts;
  const document = {
    format: CATALOG_FORMAT,
    schemas: schemasOf(parts.schemas ?? [], activities),
    activities: activities.map(contractJson),
    reconcilers: reconcilers.map(({ name, version, forwardActivity }) => ({
      name,
      version,
      forward_activity: { name: forwardActivity.name, version: forwardActivity.version },
    })),
  };
  const text = JSON.stringify(document, null, 1);
  const result = parseCatalog(text);
  if (!result.ok) throw new CatalogError('the catalog', issuesOf(result.diagnostics, text));
  return { ...result.catalog, document };
}

/** JSON Schemas by name, of the listed witnesses and of those that activities use. */
function schemasOf(listed: readonly AnySchema[], activities: readonly ActivityDeclaration[]): Record<string, Json> {
  const schemas = new Map<string, Json>();
  const used = activities.flatMap(({ input, output }) => [input, output]);
  const add = ({ ref, json }: AnySchema): void => {
    if (typeof ref !== 'string' || json === undefined) return;
    const before = schemas.get(ref);
    if (before === undefined) schemas.set(ref, json);
    else if (canonicalize(before) !== canonicalize(json)) {
      throw refused(`the schema "${ref}" is declared twice, with different JSON Schemas`, 'GR1607');
    }
  };
  for (const witness of listed) {
    requireJson(witness);
    add(witness);
  }
  for (const witness of used) add(witness);
  return Object.fromEntries(schemas);
}

function requireJson({ ref, json }: AnySchema): void {
  if (typeof ref !== 'string') {
    throw refused('the catalog lists named schemas; what arrays and tuples are made of is listed by itself', 'GR1402');
  }
  if (json !== undefined || Object.hasOwn(BUILTIN_SCHEMAS, ref)) return;
  throw refused(`the witness of "${ref}" has no JSON Schema; make it with schemaFrom, or schema(name, json)`, 'GR1401');
}

function refused(message: string, code: 'GR1401' | 'GR1402' | 'GR1607'): CatalogError {
  return new CatalogError('the catalog', [{ pointer: '/schemas', message, code }]);
}

function contractJson({ contract, description }: ActivityDeclaration): JsonObject {
  const { name, version, inputSchema, outputSchema, execution, effects, recovery, errorCodes, reconciler } = contract;
  return {
    name,
    version,
    ...(description === undefined ? {} : { description }),
    input_schema: inputSchema,
    output_schema: outputSchema,
    execution,
    effects,
    recovery,
    error_codes: errorCodes,
    ...(reconciler === null ? {} : { reconciler: { name: reconciler.name, version: reconciler.version } }),
  };
}
