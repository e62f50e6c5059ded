/** The language: catalogs, documents, checks, the normal form and its digest, and what running a definition needs. */
export type { Json, JsonObject } from './value.js';
export type {
  ActivityNode,
  ActivityRef,
  Artifact,
  Backoff,
  Binding,
  CompleteNode,
  Contract,
  Definition,
  Effects,
  Execution,
  FailNode,
  Node,
  NodeKind,
  Recovery,
  Reference,
  Region,
  RetryPolicy,
  SchemaRef,
} from './ir.js';
export type { Program, SchemaIssue } from './program.js';

export { LIMITS, POLICIES } from './limits.js';
export { isReservedErrorCode, RESERVED_ERROR_CODES } from './error-codes.js';
export { isName, isNodeKey, isVersion, parseVersionedName, versionedName } from './names.js';
export { formatDuration, parseDuration } from './duration.js';

export { checkValue, parseJson } from './value-check.js';
export type { ValueIssue, ValueLimits } from './value-check.js';
export { byteLength, canonicalize } from './canonical.js';
export { sha256Hex } from './digest.js';

export { catalogFromEntries } from './catalog/catalog.js';
export type { Catalog, CatalogEntries, Reconciler } from './catalog/catalog.js';
export { parseCatalog } from './catalog/parse.js';
export type { CatalogResult } from './catalog/parse.js';

export { compileYaml } from './compile.js';
export type { CompileOptions, CompileResult } from './compile.js';
export { renderDiagnostic } from './diagnostic.js';
export type { Diagnostic } from './diagnostic.js';
export { DIAGNOSTIC_CODES } from './codes.js';
export type { DiagnosticCode } from './codes.js';

export { checkArtifact } from './check-artifact.js';
export type { ArtifactIssue } from './check-artifact.js';
export { contractDigest, loadProgram } from './load.js';
export { evaluate } from './bindings/evaluate.js';
export type { Evaluation, Frame } from './bindings/evaluate.js';
