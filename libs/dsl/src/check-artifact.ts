/**
 * The door for artifacts: from the store, or sent by a client in place of YAML. The definition is written back as a
 * document, compiled against the contracts and schemas that came with it, and must come out as it went in. So an
 * artifact passes exactly if the compiler could have made it, and there is no second set of checks that could differ.
 */
import { artifactDigest, ARTIFACT_FORMAT } from './artifact.js';
import { canonicalize, isObject } from './canonical.js';
import { CATALOG_FORMAT } from './catalog/fields.js';
import { readCatalog } from './catalog/parse.js';
import { compileTree } from './compile.js';
import { Reporter } from './diagnostic.js';
import type { Artifact } from './ir.js';
import { restoreDocument } from './restore-document.js';
import { fromJson, SOURCE_DEPTH, type Span } from './source/tree.js';
import { checkValue, type ValueIssue } from './value-check.js';
import type { Json, JsonObject } from './value.js';

/** Why an artifact is refused. `'message' in result` tells it from an artifact. */
export type ArtifactIssue = ValueIssue;

const NOWHERE: Span = { start: 0, end: 0 };

/** The artifact itself if it is sound and its digest is right, or what is wrong with it. Never throws. */
export function checkArtifact(value: unknown): Artifact | ArtifactIssue {
  const issue = checkValue(value, { maxBytes: Number.MAX_SAFE_INTEGER, maxDepth: SOURCE_DEPTH });
  if (issue !== null) return issue;
  const json = value as Json;
  if (!isObject(json)) return { pointer: '', message: 'an artifact is an object' };
  const { format, digest, definition, contracts, schemas } = json;
  if (format !== ARTIFACT_FORMAT) return { pointer: '/format', message: `must be "${ARTIFACT_FORMAT}"` };
  if (!isObject(definition)) return { pointer: '/definition', message: 'must be an object' };
  if (!isObject(contracts)) return { pointer: '/contracts', message: 'must be an object' };
  if (!isObject(schemas)) return { pointer: '/schemas', message: 'must be an object' };

  const reporter = new Reporter();
  const catalog = readCatalog(fromJson(restoreCatalog(contracts, schemas), NOWHERE), reporter);
  if (catalog === undefined || reporter.errorCount > 0) return firstIssue('', reporter);
  const compiled = compileTree(fromJson(restoreDocument(definition), NOWHERE), catalog, reporter);
  if (compiled === undefined) return firstIssue('/definition', reporter);
  const { artifact } = compiled;
  if (digest !== artifactDigest(json as unknown as Artifact)) {
    return { pointer: '/digest', message: 'does not match the content of the artifact' };
  }
  if (canonicalize(artifact as unknown as Json) !== canonicalize(json)) {
    return { pointer: '', message: 'is not in normal form; compile the definition again' };
  }
  return artifact;
}

function firstIssue(pointer: string, reporter: Reporter): ArtifactIssue {
  const [first] = reporter.diagnostics('', 'artifact');
  return { pointer, message: first === undefined ? 'is not sound' : `is not sound: ${first.message} (${first.code})` };
}

// -------------------------------------------------------------------------------- from the normal form to documents

function restoreCatalog(contracts: JsonObject, schemas: JsonObject): Json {
  const reconcilers = new Map<string, Json>();
  const activities = Object.values(contracts).map((contract): Json => {
    if (!isObject(contract)) return contract;
    const { inputSchema, outputSchema, errorCodes, reconciler, ...rest } = contract;
    if (isObject(reconciler)) {
      const forward = { name: contract['name'] ?? null, version: contract['version'] ?? null };
      reconcilers.set(canonicalize(reconciler), { ...reconciler, forward_activity: forward });
    }
    return {
      ...rest,
      input_schema: inputSchema ?? null,
      output_schema: outputSchema ?? null,
      error_codes: errorCodes ?? null,
      reconciler: reconciler ?? null,
    };
  });
  return { format: CATALOG_FORMAT, schemas, activities, reconcilers: [...reconcilers.values()] };
}
