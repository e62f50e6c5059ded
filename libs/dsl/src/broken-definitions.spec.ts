import { describe, expect, it } from '@jest/globals';
import { BUMP, compile, documentOf } from './testing/order-catalog.js';

/** `line:column-endColumn code`, all on one line. */
function faults(source: string): readonly string[] {
  const result = compile(source);
  return result.ok ? [] : result.diagnostics.map((d) => `${d.line}:${d.column}-${d.endColumn} ${d.code}`);
}

function bump(from: string, to: string): string {
  if (!BUMP.includes(from)) throw new Error(`The example has no ${from}`);
  return BUMP.replace(from, to);
}

const done = '  done:\n    kind: complete\n    output: {from: workflow.input}\n';
const complete = (output: string): string => `  first:\n    kind: complete\n    output: ${output}\n`;
const reserve = (more: string): string =>
  documentOf({
    input: 'order/v1',
    output: 'reservation/v1',
    nodes: `  first:
    kind: activity
    activity: {name: inventory.reserve, version: 1}
    input: {from: workflow.input}
    next: done
${more}  done:
    kind: complete
    output: {from: nodes.first.output}
`,
  });

const BROKEN: readonly (readonly [what: string, source: string, expected: readonly string[]])[] = [
  // Source
  ['a key without a value separator', bump('start: inc', 'start inc'), ['6:1-10 GR1001']],
  ['a list that does not end', bump('{from: workflow.input}', '[1, 2'), ['12:5-6 GR1001']],
  ['a tab for indentation', bump('    next: done', '\tnext: done'), ['12:1-2 GR1001']],
  ['two documents', `${BUMP}---\n${BUMP}`, ['16:1-4 GR1003']],
  ['an empty source', '', ['1:1-1 GR1003']],
  [
    'an anchor and its alias',
    bump('version: 1\n', 'version: &v 1\nrun_timeout: *v\n'),
    ['3:10-12 GR1004', '4:14-16 GR1004'],
  ],
  ['a tag', bump('version: 1\n', 'version: !!int 1\n'), ['3:10-15 GR1004']],
  ['a merge key', bump('    next: done', '    next: done\n    <<: {timeout: 5s}'), ['13:5-7 GR1004']],
  ['a directive', `%YAML 1.1\n---\n${BUMP}`, ['1:1-10 GR1004']],
  ['a duplicate key', bump('version: 1\n', 'version: 1\nversion: 2\n'), ['4:1-8 GR1005']],
  [
    'a duplicate key in a flow map',
    bump('{from: workflow.input}', '{from: workflow.input, from: scope.input}'),
    ['11:35-39 GR1005'],
  ],
  ['a hexadecimal number', bump('version: 1\n', 'version: 0x10\n'), ['3:10-14 GR1006']],
  ['an octal number', bump('version: 1\n', 'version: 0o7\n'), ['3:10-13 GR1006']],
  ['a number with a leading zero', bump('version: 1\n', 'version: 012\n'), ['3:10-13 GR1006']],
  [
    'an integer that cannot be kept',
    documentOf({ nodes: complete('{literal: {value: 9007199254740993}}') }),
    ['10:31-47 GR1007'],
  ],
  ['minus zero', documentOf({ nodes: complete('{literal: {value: -0}}') }), ['10:31-33 GR1007']],
  ['a NUL character', documentOf({ nodes: complete('{literal: {value: "a\\0"}}') }), ['10:31-36 GR1009']],
  [
    'a key that is a number',
    documentOf({ nodes: `${complete('{from: workflow.input}')}  1: {}\n` }),
    ['11:3-4 GR1010'],
  ],
  // Document
  ['an unknown field', bump('    next: done', '    nxt: done\n    next: done'), ['12:5-8 GR1101']],
  ['a missing field of the document', bump('id: bump\n', ''), ['1:1-4 GR1102']],
  ['a missing field of a node', bump('    input: {from: workflow.input}\n', ''), ['8:3-6 GR1102']],
  ['a node without a kind', bump('    kind: complete\n', ''), ['13:3-7 GR1102']],
  ['a node that is a string', documentOf({ nodes: '  first: hello\n' }), ['8:10-15 GR1103']],
  [
    'a field of another kind',
    bump('    next: done', '    next: done\n    output: {from: workflow.input}'),
    ['13:5-11 GR1104'],
  ],
  ['a name with a space', bump('id: bump', 'id: my bump'), ['2:5-12 GR1106']],
  ['a node key with a capital', bump('  done:\n', '  Done:\n').replace('next: done', 'next: Done'), ['13:3-7 GR1106']],
  ['an unknown kind', bump('kind: complete', 'kind: complet'), ['14:11-18 GR1107']],
  ['another language', bump('graphrun/v1', 'graphrun/v2'), ['1:6-17 GR1108']],
  ['a duration without a unit', reserve('    timeout: 30\n'), ['13:14-16 GR1109']],
  ['a duration with two units', reserve('    timeout: 1m30s\n'), ['13:14-19 GR1109']],
  ['a timeout under a second', reserve('    timeout: 999ms\n'), ['13:14-19 GR1110']],
  ['a timeout over a day', reserve('    timeout: 25h\n'), ['13:14-17 GR1110']],
  ['a run timeout over a year', `${BUMP}run_timeout: 366d\n`, ['16:14-18 GR1110']],
  ['a budget of eleven', reserve('    retry: {max_attempts: 11}\n'), ['13:27-29 GR1110']],
  ['a budget of zero', reserve('    retry: {max_attempts: 0}\n'), ['13:27-28 GR1110']],
  ['a multiplier below one', reserve('    retry: {backoff: {multiplier: 0.5}}\n'), ['13:35-38 GR1110']],
  ['a backoff over an hour', reserve('    retry: {backoff: {max: 61m}}\n'), ['13:28-31 GR1110']],
  ['version zero', bump('version: 1\n', 'version: 0\n'), ['3:10-11 GR1110']],
  ['a version as text', bump('version: 1\n', 'version: "1"\n'), ['3:10-13 GR1103']],
  ['an error code listed twice', reserve('    retry: {errors: [busy, busy]}\n'), ['13:28-32 GR1111']],
  [
    'a long failure message',
    documentOf({ nodes: `  first:\n    kind: fail\n    error: {code: a, message: ${'m'.repeat(1025)}}\n` }),
    ['10:31-1056 GR1112'],
  ],
  // Graph
  ['a missing start', bump('start: inc', 'start: ink'), ['6:8-11 GR1201']],
  ['a missing target', bump('next: done', 'next: dnoe'), ['12:11-15 GR1201']],
  [
    'a cycle',
    documentOf({ nodes: ['first', 'second'].map((key, i) => step(key, i === 0 ? 'second' : 'first')).join('') + done }),
    ['17:11-16 GR1202', '18:3-7 GR1203'],
  ],
  ['a node that follows itself', documentOf({ nodes: step('first', 'first') }), ['12:11-16 GR1202']],
  ['an unreachable node', `${BUMP}  lost:\n    kind: fail\n    error: {code: a, message: b}\n`, ['16:3-7 GR1203']],
  // Bindings
  ['a binding that is a string', bump('input: {from: workflow.input}', 'input: workflow.input'), ['11:12-26 GR1301']],
  ['a binding of two forms', bump('{from: workflow.input}', '{from: workflow.input, literal: 1}'), ['11:12-46 GR1301']],
  ['a binding of no form', bump('{from: workflow.input}', '{form: workflow.input}'), ['11:12-34 GR1301']],
  ['a path beside a literal', documentOf({ nodes: complete('{literal: {value: 1}, path: /a}') }), ['10:35-39 GR1104']],
  ['an unknown reference', bump('from: workflow.input', 'from: workflow.imput'), ['11:19-33 GR1302']],
  ['a reference outside its frame', bump('from: workflow.input', 'from: loop.state'), ['11:19-29 GR1309']],
  ['a path inside a reference', bump('from: workflow.input', 'from: workflow.input.value'), ['11:19-39 GR1302']],
  ['a reference to an unknown node', bump('nodes.inc.output', 'nodes.ink.output'), ['15:20-36 GR1303']],
  [
    'a reference to a node without output',
    bump('from: workflow.input', 'from: nodes.done.output'),
    ['11:19-36 GR1304'],
  ],
  ['a node that reads itself', bump('from: workflow.input', 'from: nodes.inc.output'), ['11:19-35 GR1305']],
  [
    'an output that comes later',
    documentOf({ nodes: step('first', 'second', 'nodes.second.output') + step('second', 'done') + done }),
    ['11:19-38 GR1305'],
  ],
  ['a pointer without a slash', bump('from: workflow.input', 'from: workflow.input, path: value'), ['11:41-46 GR1306']],
  [
    'a literal too deep',
    documentOf({ nodes: complete(`{literal: ${'['.repeat(33)}${']'.repeat(33)}}`) }),
    ['10:23-89 GR1307'],
  ],
  // Types
  ['an unknown schema', bump('input_schema: counter/v1', 'input_schema: conter/v1'), ['4:15-24 GR1401']],
  ['a schema without a version', bump('input_schema: counter/v1', 'input_schema: counter'), ['4:15-22 GR1402']],
  ['a tuple without items', bump('input_schema: counter/v1', 'input_schema: {tuple: []}'), ['4:23-25 GR1402']],
  ['equal JSON under another name', bump('input_schema: counter/v1', 'input_schema: twin/v1'), ['11:12-34 GR1403']],
  ['integer where number is expected', numbers('{from: workflow.input}'), ['10:13-35 GR1403']],
  ['text for an object', documentOf({ nodes: complete('{literal: hello}') }), ['10:23-28 GR1404']],
  [
    'a number where an integer is expected',
    order('{object: {value: {from: workflow.input, path: /rate}}}'),
    ['10:30-65 GR1404'],
  ],
  [
    'a fraction where an integer is expected',
    documentOf({ nodes: complete('{literal: {value: 1.5}}') }),
    ['10:31-34 GR1404'],
  ],
  [
    'a default of the wrong type',
    order('{object: {value: {from: workflow.input, path: /amount, default: x}}}'),
    ['10:77-78 GR1404'],
  ],
  ['a required member missing', documentOf({ nodes: complete('{object: {}}') }), ['10:13-25 GR1405']],
  ['a projection without a required member', order('{from: workflow.input, path: /address}'), ['10:13-51 GR1405']],
  ['a forbidden member', documentOf({ nodes: complete('{literal: {value: 1, valeu: 2}}') }), ['10:34-39 GR1406']],
  [
    'a pointer that cannot exist',
    order('{object: {value: {from: workflow.input, path: /amuont}}}'),
    ['10:59-66 GR1407'],
  ],
  ['a pointer into a scalar', order('{object: {value: {from: workflow.input, path: /amount/x}}}'), ['10:59-68 GR1407']],
  ['a tuple of the wrong length', add('{array: [{literal: 1}]}'), ['11:12-35 GR1408']],
  ['an item of the wrong schema', add('{array: [{literal: 1}, {from: scope.id}]}'), ['11:35-51 GR1403']],
  // Activities
  ['an unknown activity', bump('name: counter.increment', 'name: counter.incremnt'), ['10:15-51 GR1501']],
  ['an unknown version', bump('increment, version: 1', 'increment, version: 2'), ['10:15-52 GR1501']],
  ['an undeclared error code', reserve('    retry: {errors: [bsuy]}\n'), ['13:22-26 GR1502']],
  ['an error code that is not retryable', reserve('    retry: {errors: [sold_out]}\n'), ['13:22-30 GR1503']],
  [
    'what a handler throws, for external work',
    reserve('    retry: {errors: [activity.unhandled]}\n'),
    ['13:22-40 GR1502'],
  ],
  ['a backoff above its cap', reserve('    retry: {backoff: {initial: 5m}}\n'), ['13:32-34 GR1504']],
  [
    'a code of the engine',
    documentOf({ nodes: '  first:\n    kind: fail\n    error: {code: run.timeout, message: x}\n' }),
    ['10:19-30 GR1505'],
  ],
  [
    'a limit code of the engine',
    documentOf({ nodes: '  first:\n    kind: fail\n    error: {code: limit.mine, message: x}\n' }),
    ['10:19-29 GR1505'],
  ],
];

function step(key: string, next: string, from = 'workflow.input'): string {
  return `  ${key}:
    kind: activity
    activity: {name: counter.increment, version: 1}
    input: {from: ${from}}
    next: ${next}
`;
}

function order(output: string): string {
  return documentOf({ input: 'order/v1', nodes: complete(output) });
}

function numbers(output: string): string {
  return documentOf({ input: 'integer/v1', output: 'number/v1', nodes: complete(output) });
}

function add(input: string): string {
  return documentOf({
    output: 'integer/v1',
    nodes: `  first:
    kind: activity
    activity: {name: math.add, version: 1}
    input: ${input}
    next: done
  done:
    kind: complete
    output: {from: nodes.first.output}
`,
  });
}

describe('a broken definition', () => {
  it.each(BROKEN)('with %s is refused at its place', (_what, source, expected) => {
    expect(faults(source)).toEqual(expected);
  });

  it('has a diagnostic of each kind that a workflow can have among these', () => {
    const seen = new Set(BROKEN.flatMap(([, , expected]) => expected.map((fault) => fault.split(' ')[1])));
    expect(seen.size).toBeGreaterThanOrEqual(36);
  });
});

describe('all errors at once', () => {
  it('reports exactly three for a document with three', () => {
    const source = bump('version: 1\n', 'version: 0\n')
      .replace('next: done', 'next: dnoe')
      .replace('nodes.inc', 'nodes.ink');
    expect(faults(source)).toEqual(['3:10-11 GR1110', '12:11-15 GR1201', '15:20-36 GR1303']);
  });

  it('reports one for a node of an unknown kind, not its consequences', () => {
    expect(faults(bump('kind: activity', 'kind: activty'))).toEqual(['9:11-18 GR1107']);
  });

  it('reports one for an unknown activity although its output is used', () => {
    expect(faults(bump('name: counter.increment', 'name: nobody.knows'))).toEqual(['10:15-47 GR1501']);
  });

  it('reports one for a broken input schema although bindings use it', () => {
    expect(faults(bump('input_schema: counter/v1', 'input_schema: nobody/v1'))).toEqual(['4:15-24 GR1401']);
  });

  it('reports the node limit once, at "nodes"', () => {
    const nodes = Array.from({ length: 513 }, (_, index) => step(`n${index}`, `n${index + 1}`)).join('');
    expect(faults(documentOf({ start: 'n0', nodes: nodes }))).toEqual(['7:1-6 GR1113']);
  });

  it('refuses a source over 256 KiB at its beginning', () => {
    expect(faults(`${BUMP}#${'x'.repeat(256 * 1024)}`)).toEqual(['1:1-2 GR1002']);
  });

  it('refuses nesting that no document needs', () => {
    expect(faults(`a: ${'['.repeat(1000)}`)).toEqual(['1:259-260 GR1008']);
  });

  it('stops listing after a thousand', () => {
    const source = Array.from({ length: 1500 }, (_, index) => `k${index}: 1`).join('\n');
    const result = compile(source);
    const list = result.ok ? [] : result.diagnostics;
    expect(list).toHaveLength(1001);
    expect(list.at(-1)?.code).toBe('GR1000');
    expect(list.at(-1)?.message).toBe('507 more errors are not shown; repair the ones above first');
  });
});
