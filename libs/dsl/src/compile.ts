/** From YAML to an artifact: reads, checks everything, and says all that is wrong at once. */
import { buildArtifact } from './artifact.js';
import { byteLength, canonicalize } from './canonical.js';
import type { Catalog } from './catalog/catalog.js';
import type { CompileContext } from './context.js';
import { Reporter, type Diagnostic } from './diagnostic.js';
import { compileDocument } from './document.js';
import type { Artifact, Definition } from './ir.js';
import { LIMITS } from './limits.js';
import { SchemaShapes } from './schema/shape.js';
import type { Tree } from './source/tree.js';
import { readYaml } from './source/yaml.js';
import type { Json } from './value.js';

export interface CompileOptions {
  readonly catalog: Catalog;
  /** Shown in diagnostics; default `workflow.yaml`. */
  readonly file?: string;
}

export type CompileResult =
  | { readonly ok: true; readonly artifact: Artifact; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Compiles a workflow document. Never throws, whatever the source holds. */
export function compileYaml(source: string, options: CompileOptions): CompileResult {
  const reporter = new Reporter();
  const tree = readYaml(source, reporter);
  const artifact = tree === null ? undefined : compileTree(tree, options.catalog, reporter);
  const diagnostics = reporter.diagnostics(source, options.file ?? 'workflow.yaml');
  return artifact === undefined ? { ok: false, diagnostics } : { ok: true, artifact, warnings: diagnostics };
}

/** The part that all front ends share. Undefined after reporting errors. */
export function compileTree(tree: Tree, catalog: Catalog, reporter: Reporter): Artifact | undefined {
  const context: CompileContext = { catalog, reporter, shapes: new SchemaShapes(catalog.schemas), nodeCount: 0 };
  const definition = compileDocument(tree, context);
  if (definition === undefined || !fits(definition, tree, reporter)) return undefined;
  return buildArtifact(definition, catalog);
}

function fits(definition: Definition, tree: Tree, reporter: Reporter): boolean {
  // Plain data; interfaces lack the index signature that `Json` asks for.
  const bytes = byteLength(canonicalize(definition as unknown as Json));
  if (bytes <= LIMITS.definitionBytes) return true;
  const id = tree.kind === 'map' ? tree.members.get('id')?.value.span : undefined;
  const message = `the normal form of the definition has ${bytes} bytes, more than ${LIMITS.definitionBytes}`;
  reporter.error('GR1113', id ?? tree.span, message, 'move a part into a workflow of its own');
  return false;
}
