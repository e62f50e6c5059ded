/** From YAML to an artifact: reads, checks everything, and says all that is wrong at once. */
import type { Annotations } from './annotations.js';
import { buildArtifact } from './artifact.js';
import type { Catalog } from './catalog/catalog.js';
import { createContext } from './context.js';
import { Reporter, type Diagnostic } from './diagnostic.js';
import { compileDocument } from './document.js';
import { EXTENSIONS, type Extension } from './extensions.js';
import type { Artifact, Definition } from './ir.js';
import { LIMITS } from './limits.js';
import type { Tree } from './source/tree.js';
import { readYaml } from './source/yaml.js';
import { checkValue } from './value-check.js';

export interface CompileOptions {
  readonly catalog: Catalog;
  /** Shown in diagnostics; default `workflow.yaml`. */
  readonly file?: string;
}

export type CompileResult =
  | {
      readonly ok: true;
      readonly artifact: Artifact;
      readonly warnings: readonly Diagnostic[];
      /** Descriptions and labels, which are no part of the artifact. */
      readonly annotations: Annotations;
      /** What the document uses beyond the original language, in the order of `EXTENSIONS`. */
      readonly extensions: readonly Extension[];
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Compiles a workflow document. Never throws, whatever the source holds. */
export function compileYaml(source: string, options: CompileOptions): CompileResult {
  const reporter = new Reporter();
  const tree = readYaml(source, reporter);
  const compiled = tree === null ? undefined : compileTree(tree, options.catalog, reporter);
  const diagnostics = reporter.diagnostics(source, options.file ?? 'workflow.yaml');
  return compiled === undefined ? { ok: false, diagnostics } : { ok: true, ...compiled, warnings: diagnostics };
}

/** What a tree compiles to. */
export interface Compiled {
  readonly artifact: Artifact;
  readonly annotations: Annotations;
  readonly extensions: readonly Extension[];
}

/** The part that all front ends share. Undefined after reporting errors. */
export function compileTree(tree: Tree, catalog: Catalog, reporter: Reporter): Compiled | undefined {
  const context = createContext(catalog, reporter);
  const definition = compileDocument(tree, context);
  if (definition === undefined || !fits(definition, tree, reporter)) return undefined;
  return {
    artifact: buildArtifact(definition, catalog),
    annotations: Object.fromEntries(context.annotations),
    extensions: EXTENSIONS.filter((extension) => context.extensions.has(extension)),
  };
}

function fits(definition: Definition, tree: Tree, reporter: Reporter): boolean {
  const sound = { maxBytes: LIMITS.definitionBytes, maxDepth: Infinity };
  if (checkValue(definition, sound) === null) return true;
  const id = tree.kind === 'map' ? tree.members.get('id')?.value.span : undefined;
  const message = `the normal form of the definition is larger than ${LIMITS.definitionBytes} bytes`;
  reporter.error('GR1113', id ?? tree.span, message, 'move a part into a workflow of its own');
  return false;
}
