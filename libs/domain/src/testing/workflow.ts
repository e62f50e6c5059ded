/** Whole workflows for tests: nodes written as in a document, with a catalog of their own, and really compiled. */
import { compileYaml, loadProgram, parseCatalog, type Program } from '@graphrun/dsl';

/** A node or a part of one, as a document has it. */
export interface Part {
  readonly [field: string]: unknown;
}

export interface Nodes {
  readonly [key: string]: Part;
}

const VALUE = 'value/v1';
const ERRORS = [
  { code: 'busy', retryable: true },
  { code: 'broken', retryable: false },
];

/** Every value goes everywhere, but `counted` and `undo_counted` want an integer `n`, and `counted` returns one. */
const SCHEMAS = {
  [VALUE]: {},
  'count/v1': { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
};

function contract(name: string, effects: string, recovery: string, more: Part = {}): Part {
  return {
    name,
    version: 1,
    input_schema: VALUE,
    output_schema: VALUE,
    execution: 'async',
    effects,
    recovery,
    error_codes: ERRORS,
    ...more,
  };
}

const ACTIVITIES = [
  contract('pure', 'pure', 'RetrySafe'),
  contract('counted', 'pure', 'RetrySafe', { input_schema: 'count/v1', output_schema: 'count/v1' }),
  contract('safe', 'external', 'RetrySafe'),
  contract('manual', 'external', 'Manual'),
  contract('asked', 'external', 'Manual', {
    output_schema: 'count/v1',
    reconciler: { name: 'ask', version: 1 },
  }),
  contract('undo', 'external', 'RetrySafe'),
  contract('undo_counted', 'external', 'RetrySafe', { input_schema: 'count/v1' }),
  contract('undo_manual', 'external', 'Manual'),
  contract('undo_asked', 'external', 'Manual', { reconciler: { name: 'ask_undo', version: 1 } }),
];

const CATALOG = parseCatalog(
  JSON.stringify({
    format: 'graphrun.catalog/v1',
    schemas: SCHEMAS,
    activities: ACTIVITIES,
    reconcilers: [
      { name: 'ask', version: 1, forward_activity: { name: 'asked', version: 1 } },
      { name: 'ask_undo', version: 1, forward_activity: { name: 'undo_asked', version: 1 } },
    ],
  }),
);

/** A workflow with these nodes, which begins at the first. */
export function workflow(nodes: Nodes, fields: Part = {}): Program {
  const document = {
    dsl: 'graphrun/v1',
    id: 'flow',
    version: 1,
    input_schema: VALUE,
    output_schema: VALUE,
    start: Object.keys(nodes)[0],
    nodes,
    ...fields,
  };
  if (!CATALOG.ok) throw new Error(JSON.stringify(CATALOG.diagnostics, null, 2));
  // JSON is YAML, so the document needs no writer of its own.
  const compiled = compileYaml(JSON.stringify(document), { catalog: CATALOG.catalog });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics, null, 2));
  return loadProgram(compiled.artifact);
}

/** A body, which begins at the first of its nodes. */
export function body(nodes: Nodes): Part {
  return { input_schema: VALUE, output_schema: VALUE, start: Object.keys(nodes)[0], nodes };
}

/** A reference, as a binding. */
export function from(reference: string, path?: string): Part {
  return { from: reference, ...(path === undefined ? {} : { path }) };
}

export function literal(value: unknown): Part {
  return { literal: value };
}

/** An object of bindings: it fits everywhere, while whole values only go where their own schema is wanted. */
export function object(members: Nodes): Part {
  return { object: members };
}

export function activity(name: string, next: string, fields: Part = {}): Part {
  return { kind: 'activity', activity: { name, version: 1 }, input: from('scope.input'), next, ...fields };
}

/**
 * The compensation of an activity by another, which is given what the activity has returned. `undo_counted` wants its `n`:
 * without one its input cannot be built.
 */
export function undo(name = 'undo', fields: Part = {}): Part {
  const undone = from('forward.output');
  const input = object(name === 'undo_counted' ? { undone, n: from('forward.output', '/n') } : { undone });
  return { kind: 'activity', activity: { name, version: 1 }, input, ...fields };
}

export function irreversible(reason: string): Part {
  return { kind: 'irreversible', reason };
}

/** An external activity inside a saga, with its compensation. */
export function effect(next: string, fields: Part = {}): Part {
  return activity('safe', next, { compensation: undo(), ...fields });
}

export function complete(output: Part = from('scope.input')): Part {
  return { kind: 'complete', output };
}

export function fail(code: string): Part {
  return { kind: 'fail', error: { code, message: `${code} as written` } };
}

/** Takes any failure of a node. */
export function onError(next: string, codes: readonly string[] | 'any' = 'any'): Part {
  return { on_error: [{ codes, next }] };
}
