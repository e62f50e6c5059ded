/** The workflow document: the header around the root region (spec 01 "Workflow document"). */
import type { CompileContext } from './context.js';
import { ANNOTATIONS, Fields, optional, required, shorten, type FieldTable } from './fields.js';
import type { Definition } from './ir.js';
import { POLICIES } from './limits.js';
import { checkNamedRegions, readNamedRegions } from './named-regions.js';
import { kindWithField } from './nodes/index.js';
import { sound } from './nodes/node-kind.js';
import { readAnnotation } from './read-annotation.js';
import { readRootRegion, REGION_FIELDS } from './region.js';
import { checkSearchAttributes, normalizeSearchAttributes, readSearchAttributes } from './search-attributes.js';
import { normalizeSignals, readSignals } from './signals.js';
import { describeTree, type MapTree, type Span, type Tree } from './source/tree.js';
import { constantSyntax, SYNTAX } from './syntax.js';

const LANGUAGE = 'graphrun/v1';

export const DOCUMENT_FIELDS = {
  dsl: required(constantSyntax(LANGUAGE), 'The language of the document.'),
  id: required(SYNTAX.name, 'Name of the workflow.'),
  version: required(SYNTAX.version, 'Version of the workflow; immutable once published.'),
  ...REGION_FIELDS,
  signals: optional(SYNTAX.signals, 'Signals the workflow waits for, by name.'),
  run_timeout: optional(SYNTAX.duration, 'Time from admission to the end of the run, up to 365d.'),
  search_attributes: optional(SYNTAX.searchAttributes, 'What runs can be found by: scalars of the input, by name.'),
  regions: optional(SYNTAX.regions, 'Bodies that several containers use, by name.'),
  ...ANNOTATIONS,
} as const satisfies FieldTable;

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
  readAnnotation(fields, '', context);
  checkLanguage(fields);
  const id = fields.name('id');
  const version = fields.integer('version', 1, Number.MAX_SAFE_INTEGER);
  const runTimeoutMs = fields.has('run_timeout') ? fields.durationMs('run_timeout', 1, POLICIES.runTimeoutMaxMs) : null;
  readSignals(fields, context);
  readNamedRegions(fields, context);
  const attributes = readSearchAttributes(fields, context);
  const root = readRootRegion(fields, context);
  checkSearchAttributes(attributes, root.inputSchema, context);
  root.check({
    workflowInput: root.inputSchema,
    loopState: null,
    itemValue: null,
    insideSaga: false,
    isRoot: true,
    around: [],
  });
  checkNamedRegions(context);
  if (reporter.errorCount > 0) return undefined;
  return {
    dsl: LANGUAGE,
    id: sound(id),
    version: sound(version),
    runTimeoutMs: sound(runTimeoutMs),
    ...normalizeSignals(context.signals),
    ...normalizeSearchAttributes(attributes),
    root: root.normalize(),
  };
}

function checkLanguage(fields: Fields): void {
  const dsl = fields.string('dsl');
  if (dsl === undefined || dsl.text === LANGUAGE) return;
  const message = `the language "${shorten(dsl.text)}" is unknown`;
  fields.reporter.error('GR1108', dsl.span, message, `write "dsl: ${LANGUAGE}"`);
}

/** A document has no key of its own, so what it lacks is said at its first one. */
function firstKey(tree: MapTree): Span {
  const [first] = tree.members.values();
  return first?.keySpan ?? { start: tree.span.start, end: Math.min(tree.span.end, tree.span.start + 1) };
}
