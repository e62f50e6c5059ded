/** What is said: one clear sentence for each fault, and what was probably meant. */
import { describe, expect, it } from '@jest/globals';
import { parseCatalog } from '../catalog/parse.js';
import type { DiagnosticCode } from '../codes.js';
import { compile } from '../testing/order-catalog.js';
import { SHOP_CATALOG } from './catalog.js';
import { body, bump, call, ECHO, echo, flow, give, INPUT, quote, returns } from './snippets.js';

/** The first complaint with the code, and its hint, as they are printed. */
function said(code: DiagnosticCode, source: string): string {
  const result = source.startsWith('{') ? parseCatalog(source) : compile(source, SHOP_CATALOG);
  const list = !result.ok ? result.diagnostics : 'warnings' in result ? result.warnings : [];
  const found = list.find((diagnostic) => diagnostic.code === code);
  if (found === undefined) return `nothing with ${code}`;
  return found.hint === undefined ? found.message : `${found.message}; ${found.hint}`;
}

const reserve = (more: string): string => flow(`  n: ${call('inventory.reserve', INPUT, `${more}, next: done`)}`);
const when = (condition: string): string =>
  flow(
    `  n: {kind: choose, input: ${INPUT}, cases: [{name: a, when: ${condition}, body: ${ECHO}}], default: ${echo('order/v1')}, next: done}`,
  );
const saga = (nodes: string): string =>
  flow(`  n: {kind: saga, input: ${INPUT}, body: ${body('order/v1', 'order/v1', nodes)}, next: done}`);
const regions = (text: string, use: string): string =>
  flow(`  n: {kind: saga, input: ${INPUT}, body: {use: ${use}}, next: done}`, { header: `regions: ${text}\n` });
const wait = (fields: string): string =>
  flow(`  n: {kind: wait_signal, key: {literal: k}, ${fields}, next: done}`, {
    header: 'signals: {paid: {schema: integer/v1}}\n',
  });
const contract = (more: string): string =>
  `{"format": "graphrun.catalog/v1", "activities": [{"name": "a", "version": 1, "input_schema": "unit/v1", "output_schema": "unit/v1", "execution": "async", "effects": "pure", "recovery": "Manual"${more}}]}`;
const schema = (text: string): string => `{"format": "graphrun.catalog/v1", "schemas": {"x/v1": ${text}}}`;

describe('a message', () => {
  it.each<[DiagnosticCode, string, string]>([
    ['GR1003', '', 'there is no document here; a workflow begins with "dsl: graphrun/v1"'],
    [
      'GR1004',
      bump(['id: bump', 'id: &x bump']),
      'the anchor "&x" is not allowed; write the value out where it is needed',
    ],
    ['GR1005', bump(['id: bump', 'id: bump\nid: b']), 'the key "id" is here twice; remove one'],
    [
      'GR1006',
      bump(['version: 1\n', 'version: 01\n']),
      '01 is an odd spelling of a number; quote it or write it plainly',
    ],
    [
      'GR1007',
      returns('{literal: 9007199254740992}'),
      'the number is an integer beyond 9007199254740991; send it as a string',
    ],
    ['GR1101', reserve('timeuot: 5s'), 'an activity node has no field "timeuot"; did you mean "timeout"?'],
    [
      'GR1101',
      reserve('retry: {tries: 5}'),
      'a retry policy has no field "tries"; its fields are errors, max_attempts, backoff',
    ],
    [
      'GR1101',
      regions(`{r: ${echo('order/v1')}}`, 'r, colour: red'),
      'a body that uses a region has no field "colour"; its only field is use',
    ],
    ['GR1102', flow('  n: {kind: delay, next: done}'), 'a delay node needs the field "duration"'],
    [
      'GR1102',
      flow('  n: {knid: delay, next: done}'),
      'the node "n" needs the field "kind"; is "knid" meant to be "kind"?',
    ],
    [
      'GR1102',
      saga('').replace(body('order/v1', 'order/v1', ''), ECHO),
      'the body needs the field "input_schema": nothing else says it',
    ],
    ['GR1103', reserve('retry: 5'), '"retry" is a map; this is a number'],
    ['GR1103', reserve('timeout: null'), '"timeout" is a duration, as in "30s"; this is null'],
    [
      'GR1104',
      flow('  n: {kind: delay, duration: 1s, next: done, at: {literal: 1}}'),
      'a delay node has no field "at"; it belongs to a wait_until node',
    ],
    [
      'GR1104',
      flow(`  n: ${give('{literal: 1, path: /a}')}`),
      'a "literal" binding has no field "path"; "path" goes with "from"',
    ],
    [
      'GR1104',
      when('{exists: {from: workflow.input, path: /note, default: 1}}'),
      '"exists" has no field "default"; with one it would always hold',
    ],
    ['GR1106', bump(['id: bump', 'id: my bump']), '"my bump" is not a name: 1 to 64 letters, digits, "_", "." and "-"'],
    [
      'GR1106',
      flow(`  n: ${quote('Done')}\n  Done: ${give(INPUT)}`),
      '"Done" is not a node key: a lower-case letter, then lower-case letters, digits and "_", at most 64',
    ],
    ['GR1107', flow('  n: {kind: parralel}'), 'there is no node kind "parralel"; did you mean "parallel"?'],
    [
      'GR1107',
      flow('  n: {kind: task}'),
      'there is no node kind "task"; the kinds are activity, choose, while, do_while, repeat, foreach, parallel, saga, delay, wait_until, wait_signal, complete, fail, continue_as_new',
    ],
    ['GR1108', bump(['graphrun/v1', 'graphrun/v2']), 'the language "graphrun/v2" is unknown; write "dsl: graphrun/v1"'],
    [
      'GR1109',
      reserve('timeout: 30'),
      '"timeout" is a duration; this is a number; write the unit, as in "30s" or "30ms"',
    ],
    [
      'GR1109',
      reserve('timeout: 1m30s'),
      '"1m30s" is not a duration; write a positive integer and ms, s, m, h or d, as in "30s"',
    ],
    ['GR1110', reserve('timeout: 25h'), '"timeout" is a duration from 1s to 1d; this is 25h'],
    [
      'GR1110',
      wait('signal: paid, timeout: null, consume_from: bufferd'),
      '"consume_from" is "buffered" or "after_activation"; this is "bufferd"; did you mean "buffered"?',
    ],
    ['GR1111', reserve('retry: {errors: [busy, busy]}'), 'the code "busy" is listed twice'],
    [
      'GR1112',
      wait(`signal: paid, timeout: null`).replace('literal: k', `literal: ${'k'.repeat(300)}`),
      'the key of a signal has at most 256 bytes; this has 300',
    ],
    ['GR1115', when('{all: []}'), '"all" needs at least one entry'],
    ['GR1115', when('{eq: []}'), '"eq" compares two bindings; this has 0'],
    ['GR1201', bump(['next: done', 'next: dnoe']), 'there is no node "dnoe" in this region; did you mean "done"?'],
    [
      'GR1201',
      saga(`b: ${quote('done')}`),
      'there is no node "done" in this region; it is outside of this body, which only a "complete" leaves',
    ],
    [
      'GR1202',
      flow(`  n: ${quote('a')}\n  a: ${quote('n')}`),
      'this goes back to "n" and closes a cycle (n -> a -> n); repeat work with a loop',
    ],
    ['GR1203', `${bump()}  lost: ${give(INPUT)}\n`, 'no path from the start leads to the node "lost"'],
    [
      'GR1204',
      regions(`{shared: ${echo('order/v1')}}`, 'shraed'),
      'the document has no region "shraed"; did you mean "shared"?',
    ],
    [
      'GR1205',
      regions(
        `{r: ${body('order/v1', 'order/v1', 'b: {kind: saga, input: {from: scope.input}, body: {use: r}, next: e}')}}`,
        'r',
      ),
      'the region "r" would be inside itself (r -> r)',
    ],
    [
      'GR1206',
      flow('  n: {kind: delay, duration: 1s, next: done}', { header: 'regions: {r: {}}\n' }),
      'no body uses the region "r", so it was not checked; remove it',
    ],
    [
      'GR1207',
      saga(`b: {kind: continue_as_new, input: ${INPUT}}`),
      'a body cannot continue as new: its container is still under way; complete the body, and continue in the root region',
    ],
    ['GR1208', wait('signal: piad, timeout: null'), 'the document declares no signal "piad"; did you mean "paid"?'],
    [
      'GR1208',
      wait('signal: shipment, timeout: null'),
      'the document declares no signal "shipment"; declare it under "signals"',
    ],
    ['GR1209', wait('signal: paid, timeout: 5m'), 'a wait with a timeout needs "on_timeout"; or write "timeout: null"'],
    [
      'GR1209',
      wait('signal: paid, timeout: null, on_timeout: done'),
      'a wait without a timeout never takes "on_timeout"; remove it',
    ],
    [
      'GR1210',
      reserve('on_error: [{codes: any, next: done}, {codes: [busy], next: done}]'),
      'this route is never taken: one before it takes any code',
    ],
    ['GR1301', returns('workflow.input'), 'a binding is a map; this is a string; write {from: workflow.input}'],
    [
      'GR1301',
      returns('pending'),
      'a binding is a map; this is a string; write {literal: ...} around a value, and {from: ...} around a reference',
    ],
    [
      'GR1301',
      returns('{form: workflow.input}'),
      'a binding has exactly one of from, literal, object and array; this has none of them; did you mean "from"?',
    ],
    [
      'GR1301',
      returns('{from: workflow.input, literal: 1}'),
      'a binding has exactly one of from, literal, object and array; this has from and literal',
    ],
    [
      'GR1302',
      returns('{from: workflow.imput}'),
      '"workflow.imput" is not a reference; did you mean "workflow.input"?',
    ],
    ['GR1302', returns('{from: nodes.n}'), '"nodes.n" is not a reference; did you mean "nodes.n.output"?'],
    [
      'GR1302',
      returns('{from: nodes.n.result}'),
      '"nodes.n.result" is not a reference; did you mean "nodes.n.output"?',
    ],
    [
      'GR1302',
      returns('{from: workflow.input.address.city}'),
      '"workflow.input.address.city" is not a reference; what is inside of a value goes into "path": {from: workflow.input, path: /address/city}',
    ],
    [
      'GR1302',
      returns('{from: nodes.n.output.id}'),
      '"nodes.n.output.id" is not a reference; what is inside of a value goes into "path": {from: nodes.n.output, path: /id}',
    ],
    [
      'GR1302',
      returns('{from: input}'),
      '"input" is not a reference; references are workflow.input, scope.input, scope.id, loop.state, loop.index, item.value, item.index, forward.input, forward.output, nodes.<key>.output and nodes.<key>.error',
    ],
    ['GR1303', bump(['nodes.inc', 'nodes.ink']), 'there is no node "ink" in this region; did you mean "inc"?'],
    [
      'GR1303',
      saga(`b: ${give('{from: nodes.done.output}')}`),
      'there is no node "done" in this region; it is outside of this body; pass what is needed from it as the input',
    ],
    ['GR1304', bump(['workflow.input', 'nodes.done.output']), 'the node "done" has no output'],
    [
      'GR1304',
      bump(['workflow.input', 'nodes.inc.error']),
      'the node "inc" has no "on_error", so its error is never seen here',
    ],
    ['GR1305', bump(['workflow.input', 'nodes.inc.output']), 'a node cannot read its own output'],
    [
      'GR1305',
      flow(`  n: ${call('math.sum', '{array: [{from: nodes.a.output}]}', 'next: a')}\n  a: ${quote('done')}`),
      'the success of "a" is not guaranteed on every path from the start to "n"',
    ],
    [
      'GR1306',
      returns('{from: workflow.input, path: note}'),
      '"note" is not a JSON pointer; it begins with "/", and "~" is written "~0"',
    ],
    ['GR1307', returns(`{literal: ${'['.repeat(33)}${']'.repeat(33)}}`), 'the value is nested deeper than 32 levels'],
    [
      'GR1308',
      returns('{from: workflow.input, default: {order_id: a, amount: 1}}'),
      'this default is never taken: a whole value is always there; remove it, or add a "path"',
    ],
    ['GR1309', returns('{from: item.value}'), '"item.value" exists only inside a foreach'],
    [
      'GR1310',
      saga(
        `b: ${call('inventory.reserve', INPUT, 'compensation: {kind: activity, activity: {name: inventory.release, version: 1}, input: {from: scope.input}}, next: e')}, e: ${give(INPUT)}`,
      ),
      'the input of a compensation reads forward.input, forward.output and literals only',
    ],
    [
      'GR1311',
      when('{equals: []}'),
      'a condition has exactly one operator of eq, ne, lt, le, gt, ge, all, any, not, exists; this has "equals"',
    ],
    [
      'GR1311',
      when('{exsits: {}}'),
      'a condition has exactly one operator of eq, ne, lt, le, gt, ge, all, any, not, exists; this has "exsits"; did you mean "exists"?',
    ],
    [
      'GR1312',
      when('{eq: [{from: scope.id}, {literal: 5}]}'),
      '"eq" compares scalars of one kind; this is number, and the other is string',
    ],
    [
      'GR1312',
      when('{lt: [{from: workflow.input, path: /amount}, {from: workflow.input, path: /rate}]}'),
      '"lt" compares numbers of one kind; this is number, and the other is integer',
    ],
    ['GR1313', when('{lt: [{from: scope.id}, {literal: 5}]}'), '"lt" compares numbers; this is string'],
    [
      'GR1315',
      flow('  n: {kind: delay, duration: 1s, next: done}', { header: 'search_attributes: {a: {from: scope.id}}\n' }),
      'a search attribute reads workflow.input only',
    ],
    [
      'GR1316',
      flow('  n: {kind: delay, duration: 1s, next: done}', {
        header: 'search_attributes: {a: {from: workflow.input}}\n',
      }),
      'the search attribute "a" is a scalar; this is object',
    ],
    [
      'GR1401',
      bump(['input_schema: counter/v1', 'input_schema: conter/v1']),
      'the catalog has no schema "conter/v1"; did you mean "counter/v1"?',
    ],
    [
      'GR1402',
      bump(['input_schema: counter/v1', 'input_schema: counter']),
      '"counter" is not a schema name; write name/vN, as in "order/v1"',
    ],
    [
      'GR1402',
      bump(['input_schema: counter/v1', 'input_schema: {list: counter/v1}']),
      'a schema is a name like "order/v1", {array: schema} or {tuple: [schema, ...]}; this is a map with list',
    ],
    ['GR1403', returns('{from: scope.id}'), 'this is string/v1, but order/v1 is expected here'],
    ['GR1404', returns('{literal: {order_id: 1, amount: 1}}'), 'the literal is number, but string is expected here'],
    [
      'GR1405',
      returns('{object: {order_id: {literal: a}}}'),
      'the member "amount", which is required here, is missing',
    ],
    [
      'GR1406',
      returns('{literal: {order_id: a, amount: 1, adress: {}}}'),
      'the member "adress" is not allowed here; did you mean "address"?',
    ],
    [
      'GR1407',
      returns('{from: workflow.input, path: /adress}'),
      'order/v1 has no "adress", so "/adress" can never exist; did you mean "address"?',
    ],
    [
      'GR1407',
      returns('{from: workflow.input, path: /address/ctiy}'),
      '"/address" of order/v1 has no "ctiy", so "/address/ctiy" can never exist; did you mean "city"?',
    ],
    [
      'GR1408',
      flow(`  n: ${call('math.add', '{array: [{literal: 1}]}', 'next: done')}`),
      'this has 1 item, but tuple of (integer/v1, number/v1) has 2',
    ],
    [
      'GR1409',
      flow(
        `  n: {kind: repeat, count: {literal: 1}, state: ${INPUT}, state_schema: order/v1, max_iterations: 1, body: ${echo('unit/v1')}, next: done}`,
      ),
      'the input_schema of the body is unit/v1, but the state_schema is order/v1',
    ],
    [
      'GR1501',
      bump(['counter.increment', 'counter.incremnt']),
      'the catalog has no activity "counter.incremnt" in version 1; did you mean "counter.increment"?',
    ],
    [
      'GR1501',
      bump(['version: 1}', 'version: 2}']),
      'the catalog has no activity "counter.increment" in version 2; its only version is 1',
    ],
    [
      'GR1502',
      reserve('retry: {errors: [bsuy]}'),
      'inventory.reserve/v1 declares no error code "bsuy"; did you mean "busy"?',
    ],
    [
      'GR1502',
      reserve('retry: {errors: [activity.unhandled]}'),
      'inventory.reserve/v1 declares no error code "activity.unhandled"; only pure work can retry what its handler throws',
    ],
    ['GR1503', reserve('retry: {errors: [sold_out]}'), 'inventory.reserve/v1 declares "sold_out" as not retryable'],
    [
      'GR1504',
      reserve('retry: {backoff: {initial: 5m}}'),
      'the backoff begins with 5m, above its cap of 1m; set "max" as well',
    ],
    [
      'GR1504',
      reserve('retry: {backoff: {max: 100ms}}'),
      'the backoff begins with 1s, above its cap of 100ms; set "initial" as well',
    ],
    [
      'GR1505',
      flow('  n: {kind: fail, error: {code: run.timeout, message: x}}'),
      '"run.timeout" is a code of the engine itself; choose one of your own',
    ],
    [
      'GR1506',
      reserve('on_error: [{codes: [run.cancelled], next: done}]'),
      '"run.cancelled" ends the run, so no route can be taken after it',
    ],
    [
      'GR1507',
      saga(`b: ${call('inventory.reserve', INPUT, 'next: e')}, e: ${give(INPUT)}`),
      'inventory.reserve/v1 is external, so inside a saga it needs a "compensation"; say how to undo it, or that it is irreversible',
    ],
    [
      'GR1508',
      reserve('compensation: {kind: irreversible, reason: x}'),
      'a compensation is only possible inside a saga',
    ],
    [
      'GR1601',
      schema('{"type": "int"}'),
      '"/type" of the schema is not JSON Schema 2020-12: it must fit one of the forms it may have',
    ],
    [
      'GR1602',
      schema('{"$ref": "order/v1"}'),
      '"order/v1" is outside this schema; references go to "#/$defs/..."; copy the part into "$defs"',
    ],
    [
      'GR1603',
      schema('{"pattern": "a"}'),
      '"pattern" is not allowed: regular expressions can take for ever; use "enum", "const" or "format"',
    ],
    ['GR1604', schema('{"format": "email"}'), 'the format "email" is unknown; the formats are uuid and date-time'],
    ['GR1608', contract(', "reconciler": {"name": "r", "version": 1}'), 'the catalog has no reconciler r/v1'],
  ])('of %s (%#) says what is wrong and what was meant', (code, source, expected) => {
    expect(said(code, source)).toBe(expected);
  });

  it('says nothing of what was meant where nothing is close', () => {
    expect(said('GR1201', bump(['next: done', 'next: shipping']))).toBe('there is no node "shipping" in this region');
    expect(said('GR1201', bump(['next: done', 'next: x']))).toBe('there is no node "x" in this region');
  });

  it('shortens what is absurdly long', () => {
    const long = 'x'.repeat(500);
    expect(said('GR1201', bump(['next: done', `next: ${long}`]))).toBe(
      `there is no node "${'x'.repeat(77)}..." in this region`,
    );
    expect(said('GR1302', returns(`{from: ${long}}`))).toMatch(/^"x{77}\.\.\." is not a reference/);
    expect(said('GR1301', returns(`{from: workflow.input.${long}}`.replace('from', 'form')))).not.toContain(long);
    expect(said('GR1302', returns(`{from: workflow.input.${long}}`))).not.toContain(long);
  });
});
