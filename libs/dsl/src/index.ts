/** The language: catalogs, documents, checks, the normal form and its digest, and what running a definition needs. */
export type { Json, JsonObject } from './value.js';
export type {
  ActivityNode,
  ActivityRef,
  Artifact,
  Backoff,
  Binding,
  ChooseCase,
  ChooseNode,
  ComparisonOperator,
  Compensation,
  CompleteNode,
  Condition,
  ConsumeFrom,
  ContainerNode,
  ContinueAsNewNode,
  Contract,
  Definition,
  DelayNode,
  DoWhileNode,
  Effects,
  ErrorRoute,
  Execution,
  FailNode,
  ForeachNode,
  Node,
  NodeKind,
  ParallelBranch,
  ParallelNode,
  Projection,
  Recovery,
  Reference,
  Region,
  RepeatNode,
  RetryPolicy,
  SagaNode,
  SchemaRef,
  TerminalNode,
  WaitSignalNode,
  WaitUntilNode,
  WhileNode,
} from './ir.js';
export type { Annotation, Annotations } from './annotations.js';
export { EXTENSIONS } from './extensions.js';
export type { Extension } from './extensions.js';
export { bodiesOf, nodesOf, successorsOf } from './walk.js';
export type { Body, PlacedNode, Successor } from './walk.js';
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

export { definitionToDocument } from './restore-document.js';
export { printDocument } from './print.js';
export { checkArtifact } from './check-artifact.js';
export type { ArtifactIssue } from './check-artifact.js';
export { contractDigest, loadProgram, schemaDigest } from './load.js';
export { evaluate } from './bindings/evaluate.js';
export type { Evaluation, Frame } from './bindings/evaluate.js';
export { evaluateCondition } from './bindings/evaluate-condition.js';
export type { ConditionResult } from './bindings/evaluate-condition.js';
