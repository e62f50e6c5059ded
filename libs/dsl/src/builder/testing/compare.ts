/** Compiling what a test has built, and what it has written as YAML. */
import { compileYaml } from '../../compile.js';
import { renderDiagnostic } from '../../diagnostic.js';
import type { Artifact } from '../../ir.js';
import type { AnySchema } from '../witness.js';
import type { Workflow } from '../workflow.js';
import { SHOP } from './shop.js';

/** The artifact of a document that must be sound. */
export function artifactOfYaml(source: string): Artifact {
  const result = compileYaml(source, { catalog: SHOP, file: 'written.yaml' });
  if (result.ok) return result.artifact;
  throw new Error(result.diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, source)).join('\n'));
}

/** The artifact of a workflow that must be sound. */
export function artifactOf(workflow: Workflow<AnySchema, AnySchema>): Artifact {
  return artifactOfYaml(workflow.text);
}
