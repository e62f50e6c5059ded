/** Typical mistakes: what the schema says of each, and that the compiler refuses it as well. */
import { describe, expect, it } from '@jest/globals';
import { compileYaml } from '../compile.js';
import { schemaFaultsOfText } from '../testing/editor-schema.js';
import { BUMP, CATALOG, documentOf } from '../testing/order-catalog.js';

function bump(from: string, to: string): string {
  if (!BUMP.includes(from)) throw new Error(`The example has no ${from}`);
  return BUMP.replace(from, to);
}

/** The example with more fields on its activity. */
const inc = (more: string): string => bump('    next: done\n', `    next: done\n    ${more}\n`);
/** The example with another input of its activity. */
const input = (binding: string): string => bump('    input: {from: workflow.input}', `    input: ${binding}`);
/** A document whose first node has these fields. */
const first = (fields: string): string =>
  documentOf({
    nodes: `  first: {${fields}, next: done}\n  done: {kind: complete, output: {from: workflow.input}}\n`,
  });

const ECHO = '{start: a, nodes: {a: {kind: complete, output: {from: scope.input}}}}';
const FULL = `{input_schema: counter/v1, output_schema: counter/v1, ${ECHO.slice(1)}`;
const STATE = `state: {from: workflow.input}, state_schema: counter/v1`;
const loop = (more: string): string => first(`kind: while, ${STATE}, body: ${ECHO}, ${more}`);
const when = (condition: string): string => loop(`max_iterations: 5, condition: ${condition}`);
const wait = (more: string): string =>
  `${first(`kind: wait_signal, signal: go, key: {literal: a}, ${more}`)}signals: {go: {schema: counter/v1}}\n`;

const MISTAKES: readonly (readonly [what: string, source: string, faults: readonly string[]])[] = [
  // Document
  ['a document that is a list', '- dsl: graphrun/v1\n', ['type']],
  ['an unknown field', `${BUMP}timeout: 5m\n`, ['additionalProperties timeout']],
  ['a missing field', bump('id: bump\n', ''), ['required id']],
  ['another language', bump('graphrun/v1', 'graphrun/v2'), ['/dsl const']],
  ['a name with a space', bump('id: bump', 'id: my bump'), ['/id pattern']],
  ['a name that is too long', bump('id: bump', `id: ${'x'.repeat(65)}`), ['/id pattern']],
  ['version zero', bump('version: 1', 'version: 0'), ['/version minimum']],
  ['a version as text', bump('version: 1', 'version: "1"'), ['/version type']],
  ['a version that is a fraction', bump('version: 1', 'version: 1.5'), ['/version type']],
  [
    'a schema without a version',
    bump('input_schema: counter/v1', 'input_schema: counter'),
    ['/input_schema type', '/input_schema pattern'],
  ],
  [
    'a schema of two forms',
    bump('input_schema: counter/v1', 'input_schema: {array: counter/v1, tuple: []}'),
    ['/input_schema additionalProperties tuple', '/input_schema type'],
  ],
  [
    'a schema of an unknown form',
    bump('input_schema: counter/v1', 'input_schema: {list: counter/v1}'),
    ['/input_schema additionalProperties list', '/input_schema type'],
  ],
  [
    'an empty tuple',
    bump('output_schema: counter/v1', 'output_schema: {tuple: []}'),
    ['/output_schema/tuple minItems', '/output_schema type'],
  ],
  ['no nodes', `${BUMP.slice(0, BUMP.indexOf('nodes:'))}nodes: {}\n`, ['/nodes minProperties']],
  ['a description that is a list', `${BUMP}description: [a]\n`, ['/description type']],
  ['a label that is a map', `${BUMP}labels: {team: {name: a}}\n`, ['/labels/team type']],
  ['a run timeout without a unit', `${BUMP}run_timeout: 30\n`, ['/run_timeout type']],
  ['a run timeout of two units', `${BUMP}run_timeout: 1h30m\n`, ['/run_timeout pattern']],
  ['a signal without a schema', `${BUMP}signals: {go: {}}\n`, ['/signals/go required schema']],
  ['a signal with a space in its name', `${BUMP}signals: {go on: {schema: counter/v1}}\n`, ['/signals pattern']],
  [
    'a search attribute of another reference',
    `${BUMP}search_attributes: {a: {from: scope.input, path: /value}}\n`,
    ['/search_attributes/a/from const'],
  ],
  [
    'a search attribute that is a literal',
    `${BUMP}search_attributes: {a: {literal: 1}}\n`,
    ['/search_attributes/a required from', '/search_attributes/a additionalProperties literal'],
  ],
  // Nodes
  [
    'a node key with a capital',
    bump('  done:\n', '  Done:\n').replace('next: done', 'next: Done'),
    ['/nodes pattern', '/nodes/inc/next pattern'],
  ],
  ['a node that is text', documentOf({ nodes: '  first: hello\n' }), ['/nodes/first type']],
  ['a node without a kind', bump('    kind: complete\n', ''), ['/nodes/done required kind']],
  ['an unknown kind', bump('kind: complete', 'kind: complet'), ['/nodes/done/kind enum']],
  ['a field of another kind', inc('output: {from: workflow.input}'), ['/nodes/inc additionalProperties output']],
  ['a misspelt field', inc('timeot: 5m'), ['/nodes/inc additionalProperties timeot']],
  ['a missing field of a node', bump('    next: done\n', ''), ['/nodes/inc required next']],
  ['a target that is a list', bump('next: done', 'next: [done]'), ['/nodes/inc/next type']],
  [
    'an activity without a version',
    bump('version: 1}', 'versoin: 1}'),
    ['/nodes/inc/activity required version', '/nodes/inc/activity additionalProperties versoin'],
  ],
  ['a timeout in words', inc('timeout: 5 minutes'), ['/nodes/inc/timeout pattern']],
  ['a budget of eleven', inc('retry: {max_attempts: 11}'), ['/nodes/inc/retry/max_attempts maximum']],
  ['a code twice', inc('retry: {errors: [busy, busy]}'), ['/nodes/inc/retry/errors uniqueItems']],
  [
    'a backoff that shrinks',
    inc('retry: {backoff: {multiplier: 0.5}}'),
    ['/nodes/inc/retry/backoff/multiplier minimum'],
  ],
  [
    'an unknown field of a backoff',
    inc('retry: {backoff: {cap: 5s}}'),
    ['/nodes/inc/retry/backoff additionalProperties cap'],
  ],
  ['a compensation of an unknown kind', inc('compensation: {kind: undo}'), ['/nodes/inc/compensation/kind enum']],
  [
    'a compensation without a reason',
    inc('compensation: {kind: irreversible}'),
    ['/nodes/inc/compensation required reason'],
  ],
  [
    'a compensation that reads the workflow',
    inc('compensation: {kind: activity, activity: {name: a, version: 1}, input: {from: workflow.input}}'),
    ['/nodes/inc/compensation/input/from enum'],
  ],
  ['an error route without codes', inc('on_error: [{next: done}]'), ['/nodes/inc/on_error/0 required codes']],
  ['error routes that are a map', inc('on_error: {codes: any, next: done}'), ['/nodes/inc/on_error type']],
  ['an empty list of error routes', inc('on_error: []'), ['/nodes/inc/on_error minItems']],
  [
    'a failure without a message',
    documentOf({ nodes: '  first: {kind: fail, error: {code: a}}\n' }),
    ['/nodes/first/error required message'],
  ],
  [
    'a failure with a long message',
    documentOf({ nodes: `  first: {kind: fail, error: {code: a, message: ${'m'.repeat(1025)}}}\n` }),
    ['/nodes/first/error/message maxLength'],
  ],
  // Bindings
  ['a binding that is text', input('workflow.input'), ['/nodes/inc/input type']],
  [
    'a binding of two forms',
    input('{from: workflow.input, literal: 1}'),
    ['/nodes/inc/input additionalProperties literal'],
  ],
  ['a binding of no form', input('{form: workflow.input}'), ['/nodes/inc/input additionalProperties form']],
  ['an empty binding', input('{}'), ['/nodes/inc/input minProperties']],
  [
    'a path beside a literal',
    input('{literal: {value: 1}, path: /value}'),
    ['/nodes/inc/input additionalProperties path'],
  ],
  [
    'an unknown reference',
    input('{from: workflow.imput}'),
    ['/nodes/inc/input/from enum', '/nodes/inc/input/from pattern'],
  ],
  [
    'a path inside of a reference',
    input('{from: workflow.input.value}'),
    ['/nodes/inc/input/from enum', '/nodes/inc/input/from pattern'],
  ],
  ['a pointer without a slash', input('{from: workflow.input, path: value}'), ['/nodes/inc/input/path pattern']],
  ['a pointer with a bare tilde', input('{from: workflow.input, path: /a~b}'), ['/nodes/inc/input/path pattern']],
  ['a member that is no binding', input('{object: {value: 1}}'), ['/nodes/inc/input/object/value type']],
  ['an item that is no binding', input('{array: [1]}'), ['/nodes/inc/input/array/0 type']],
  // Conditions
  [
    'a condition of two operators',
    when('{eq: [{literal: 1}, {literal: 1}], not: {exists: {from: loop.state}}}'),
    ['/nodes/first/condition additionalProperties not'],
  ],
  [
    'an unknown operator',
    when('{equals: [{literal: 1}, {literal: 1}]}'),
    ['/nodes/first/condition additionalProperties equals'],
  ],
  ['a comparison of one', when('{eq: [{literal: 1}]}'), ['/nodes/first/condition/eq minItems']],
  [
    'a comparison of three',
    when('{eq: [{literal: 1}, {literal: 1}, {literal: 1}]}'),
    ['/nodes/first/condition/eq maxItems'],
  ],
  ['an empty all', when('{all: []}'), ['/nodes/first/condition/all minItems']],
  ['a not of a list', when('{not: [{exists: {from: loop.state}}]}'), ['/nodes/first/condition/not type']],
  [
    'an exists with a default',
    when('{exists: {from: loop.state, path: /value, default: 1}}'),
    ['/nodes/first/condition/exists additionalProperties default'],
  ],
  // Containers
  [
    'too many iterations',
    loop('max_iterations: 1001, condition: {exists: {from: loop.state}}'),
    ['/nodes/first/max_iterations maximum'],
  ],
  ['a loop without a limit', loop('condition: {exists: {from: loop.state}}'), ['/nodes/first required max_iterations']],
  [
    'a body without a start',
    first(`kind: saga, input: {from: workflow.input}, body: ${FULL.replace('start: a, ', '')}`),
    ['/nodes/first/body required start'],
  ],
  [
    'a body of a saga without schemas',
    first(`kind: saga, input: {from: workflow.input}, body: ${ECHO}`),
    ['/nodes/first/body required input_schema', '/nodes/first/body required output_schema'],
  ],
  [
    'a used region with more fields',
    first('kind: saga, input: {from: workflow.input}, body: {use: a, start: b}'),
    ['/nodes/first/body additionalProperties start'],
  ],
  [
    'a body of a foreach without its output',
    first(`kind: foreach, items: {literal: []}, item_schema: counter/v1, max_items: 5, body: ${ECHO}`),
    ['/nodes/first/body required output_schema'],
  ],
  ['no branches', first('kind: parallel, branches: []'), ['/nodes/first/branches minItems']],
  [
    'a case without a condition',
    first(`kind: choose, input: {from: workflow.input}, cases: [{name: a, body: ${FULL}}], default: ${FULL}`),
    ['/nodes/first/cases/0 required when'],
  ],
  // Waiting
  [
    'a delay that is a number',
    first('kind: delay, duration: 5'),
    ['/nodes/first/duration type', '/nodes/first/duration type', '/nodes/first/duration type'],
  ],
  [
    'a delay of an unknown unit',
    first('kind: delay, duration: 5w'),
    ['/nodes/first/duration type', '/nodes/first/duration pattern'],
  ],
  ['a moment that is a duration', first('kind: wait_until, at: 5m'), ['/nodes/first/at type']],
  ['a finite wait without a way on', wait('timeout: 5m'), ['/nodes/first required on_timeout']],
  ['an endless wait with a way on', wait('timeout: null, on_timeout: done'), ['/nodes/first/on_timeout false schema']],
  ['an unknown way to consume', wait('timeout: null, consume_from: all'), ['/nodes/first/consume_from enum']],
];

describe('the schema of workflows', () => {
  it.each(MISTAKES.map(([what, source, faults]): [string, string, readonly string[]] => [what, source, faults]))(
    'refuses %s where it stands, as the compiler does',
    (_what, source, faults) => {
      expect(compileYaml(source, { catalog: CATALOG }).ok).toBe(false);
      expect(schemaFaultsOfText('workflow', source)).toEqual(faults);
    },
  );
});
