/** Diagnostics of a definition against a catalog: draws nothing, stores nothing. */
import type { Catalog, CompileResult } from '@graphrun/dsl';
import { compileYaml, parseCatalog } from '@graphrun/dsl';
import { diagnosticView } from './diagnostic-view.js';
import type { DiagnosticView } from './diagnostic-view.js';

export interface Validation {
  readonly valid: boolean;
  /** Digest of the artifact, null when it is not valid. */
  readonly digest: string | null;
  readonly diagnostics: readonly DiagnosticView[];
}

export function validate(yaml: string, file: string, catalog: Catalog): Validation {
  return validationOf(compileYaml(yaml, { catalog, file }));
}

/** The same with a catalog that is text: its own errors are reported alone, for nothing can be judged against it. */
export function validateText(yaml: string, file: string, catalogText: string, catalogFile: string): Validation {
  const parsed = parseCatalog(catalogText, catalogFile);
  if (parsed.ok) return validate(yaml, file, parsed.catalog);
  return { valid: false, digest: null, diagnostics: parsed.diagnostics.map(diagnosticView) };
}

function validationOf(result: CompileResult): Validation {
  if (result.ok)
    return { valid: true, digest: result.artifact.digest, diagnostics: result.warnings.map(diagnosticView) };
  return { valid: false, digest: null, diagnostics: result.diagnostics.map(diagnosticView) };
}
