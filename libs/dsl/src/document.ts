/** The workflow document: the header around the root region (spec 01 "Workflow document"). */
import type { CompileContext } from './context.js';
import { ANNOTATIONS, Fields, shorten, type FieldTable } from './fields.js';
import type { Definition } from './ir.js';
import { POLICIES } from './limits.js';
import { kindWithField } from './nodes/index.js';
import { sound } from './nodes/node-kind.js';
import { readRegion, REGION_FIELDS } from './region.js';
import { describeTree, type MapTree, type Span, type Tree } from './source/tree.js';

const LANGUAGE = 'graphrun/v1';

const DOCUMENT_FIELDS: FieldTable = {
  dsl: 'required',
  id: 'required',
  version: 'required',
  ...REGION_FIELDS,
  run_timeout: 'optional',
  signals: 'later',
  search_attributes: 'later',
  regions: 'later',
  ...ANNOTATIONS,
};

/** The definition of a document, or undefined when there were errors. */
export function compileDocument(tree: Tree, context: CompileContext): Definition | undefined {
  const { reporter } = context;
  if (tree.kind !== 'map') {
    if (tree.kind !== 'broken') {
      reporter.error('GR1103', tree.span, `a workflow document is a map; this is ${describeTree(tree)}`);
    }
    return undefined;
  }
  const place = { what: 'a workflow document', anchor: firstKey(tree), elsewhere: kindWithField };
  const fields = new Fields(tree, DOCUMENT_FIELDS, place, reporter);
  fields.checkAnnotations();
  checkLanguage(fields);
  const id = fields.name('id');
  const version = fields.integer('version', 1, Number.MAX_SAFE_INTEGER);
  const runTimeoutMs = fields.has('run_timeout') ? fields.durationMs('run_timeout', 1, POLICIES.runTimeoutMaxMs) : null;
  const region = readRegion(fields, context);
  region.check({ workflowInput: region.inputSchema });
  if (reporter.errorCount > 0) return undefined;
  return {
    dsl: LANGUAGE,
    id: sound(id),
    version: sound(version),
    runTimeoutMs: sound(runTimeoutMs),
    root: region.normalize(),
  };
}

function checkLanguage(fields: Fields): void {
  const dsl = fields.string('dsl');
  if (dsl === undefined || dsl.text === LANGUAGE) return;
  fields.reporter.error(
    'GR1108',
    dsl.span,
    `the language "${shorten(dsl.text)}" is unknown`,
    `write "dsl: ${LANGUAGE}"`,
  );
}

/** A document has no key of its own, so what it lacks is said at its first one. */
function firstKey(tree: MapTree): Span {
  const [first] = tree.members.values();
  return first?.keySpan ?? { start: tree.span.start, end: Math.min(tree.span.end, tree.span.start + 1) };
}
