/** Diagnostics of a definition against a catalog: draws nothing, stores nothing. */
import type { Catalog, CompileResult, Extension } from '@graphrun/dsl';
import { compileYaml, parseCatalog } from '@graphrun/dsl';
import { diagnosticView } from './diagnostic-view.js';
import type { DiagnosticView } from './diagnostic-view.js';

export interface Validation {
  readonly valid: boolean;
  /** Digest of the artifact, null when it is not valid. */
  readonly digest: string | null;
  readonly diagnostics: readonly DiagnosticView[];
  /** What a valid document uses beyond the original `graphrun/v1`; without any, every implementation reads it alike. */
  readonly extensions: readonly Extension[];
}

export function validate(yaml: string, file: string, catalog: Catalog): Validation {
  return validationOf(compileYaml(yaml, { catalog, file }));
}

/** The same with a catalog that is text: its own errors are reported alone, for nothing can be judged against it. */
export function validateText(yaml: string, file: string, catalogText: string, catalogFile: string): Validation {
  const parsed = parseCatalog(catalogText, catalogFile);
  return parsed.ok ? validate(yaml, file, parsed.catalog) : validationOf(parsed);
}

function validationOf(result: CompileResult): Validation {
  if (!result.ok) {
    return { valid: false, digest: null, diagnostics: result.diagnostics.map(diagnosticView), extensions: [] };
  }
  const { artifact, warnings, extensions } = result;
  return { valid: true, digest: artifact.digest, diagnostics: warnings.map(diagnosticView), extensions };
}
