/** Catalogs: contracts and reconcilers. */
import { catalogTopic } from './case.js';

const catalog = (parts: string): string => `{"format": "graphrun.catalog/v1", ${parts}}`;
const contract = (more = '', name = '"a"'): string =>
  `{"name": ${name}, "version": 1, "input_schema": "unit/v1", "output_schema": "unit/v1", "execution": "async", "effects": "external", "recovery": "Manual"${more}}`;
const activities = (...list: readonly string[]): string => catalog(`"activities": [${list.join(', ')}]`);
const reconciler = (more = '', name = '"r"'): string =>
  `{"name": ${name}, "version": 1, "forward_activity": {"name": "a", "version": 1}${more}}`;
const reconcilers = (...list: readonly string[]): string =>
  catalog(`"activities": [${contract()}], "reconcilers": [${list.join(', ')}]`);
const codes = (list: string): string => activities(contract(`, "error_codes": ${list}`));
const replaced = (from: string, to: string): string => {
  const whole = contract();
  if (!whole.includes(from)) throw new Error(`The contract has no ${from}`);
  return activities(whole.replace(from, to));
};

export const CATALOGS = catalogTopic(
  'catalogs',
  [
    ['a list for a catalog', '«GR1103 []»'],
    ['text for a catalog', '«GR1103 "x"»'],
    ['nothing', '«GR1001 »'],
    ['JSON that does not end', '{"format": "graphrun.catalog/v1"«GR1001 »'],
    ['more than JSON', '{"format": "graphrun.catalog/v1"} «GR1001 x»'],
    ['a comma too many', '{"format": "graphrun.catalog/v1", «GR1001 }»'],
    ['a string that does not end', catalog('"activities": [«GR1001 "»a]')],
    ['a duplicate key', catalog('"schemas": {}, «GR1005 "schemas"»: {}')],
    ['a NUL character in a key', catalog('«GR1009 "a\\u0000"»: 1')],
    ['an integer that cannot be kept', catalog('"schemas": {"x/v1": {"minimum": «GR1007 9007199254740993»}}')],
    ['a NUL character in text', catalog('"schemas": {"x/v1": {"title": «GR1009 "a\\u0000"»}}')],
    ['nesting that no catalog needs', catalog(`"schemas": ${'['.repeat(256)}«GR1008 [»`)],
    ['no format', '«GR1102 {»}'],
    ['another format', '{"format": «GR1108 "graphrun.catalog/v2"»}'],
    ['a format that is a number', '{"format": «GR1103 1»}'],
    ['an unknown field', catalog('«GR1101 "activites"»: []')],
    ['schemas that are a list', catalog('"schemas": «GR1103 []»')],
    ['a schema without a version', catalog('"schemas": {«GR1106 "order"»: {}}')],
    ['activities that are a map', catalog('"activities": «GR1103 {}»')],
    ['an activity that is text', activities('«GR1103 "a"»')],
    ['an activity that is no number', activities('«GR1007 -0»')],
    ['an unknown field of a contract', activities(contract(', «GR1101 "queue"»: "x"'))],
    [
      'a contract without a name',
      replaced('"name": "a", "version"', '«GR1102 "version"»')
        .replace('[{«GR1102 "version"»', '[«GR1102 {"version"')
        .replace('"Manual"}', '"Manual"}»'),
    ],
    ['a contract without a version', replaced('"name": "a", "version": 1', '"name": «GR1102 "a"»')],
    [
      'a contract without an input',
      replaced('"name": "a"', '"name": «GR1102 "a"»').replace('"input_schema": "unit/v1", ', ''),
    ],
    [
      'a contract without an output',
      replaced('"name": "a"', '"name": «GR1102 "a"»').replace('"output_schema": "unit/v1", ', ''),
    ],
    [
      'a contract without an execution',
      replaced('"name": "a"', '"name": «GR1102 "a"»').replace('"execution": "async", ', ''),
    ],
    [
      'a contract without effects',
      replaced('"name": "a"', '"name": «GR1102 "a"»').replace('"effects": "external", ', ''),
    ],
    [
      'a contract without a recovery',
      replaced('"name": "a"', '"name": «GR1102 "a"»').replace(', "recovery": "Manual"', ''),
    ],
    ['a name that is none', replaced('"name": "a"', '"name": «GR1106 "a b"»')],
    ['a version of zero', replaced('"version": 1', '"version": «GR1110 0»')],
    ['an unknown input schema', replaced('"input_schema": "unit/v1"', '"input_schema": «GR1401 "unti/v1"»')],
    [
      'an output schema that is none',
      replaced('"output_schema": "unit/v1"', '"output_schema": «GR1402 {"array": "unit/v1", "tuple": []}»'),
    ],
    ['an unknown execution', replaced('"async"', '«GR1110 "sync"»')],
    ['unknown effects', replaced('"external"', '«GR1110 "none"»')],
    ['an unknown recovery', replaced('"Manual"', '«GR1110 "retry"»')],
    ['a description that is a number', activities(contract(', "description": «GR1103 5»'))],
    ['a contract twice', activities(contract(), contract('', '«GR1607 "a"»'))],
    ['error codes that are a map', codes('«GR1103 {}»')],
    ['an error code that is text', codes('[«GR1103 "busy"»]')],
    ['an error code that cannot be kept, which is one mistake', codes('[«GR1007 -0»]')],
    ['an error code without a code', codes('[«GR1102 {"retryable": true}»]')],
    ['an error code without retryable', codes('[«GR1102 {"code": "busy"}»]')],
    ['an error code that is retryable in words', codes('[{"code": "busy", "retryable": «GR1103 "yes"»}]')],
    ['an error code with a name that is none', codes('[{"code": «GR1106 "a b"», "retryable": true}]')],
    ['an unknown field of an error code', codes('[{"code": "busy", "retryable": true, «GR1101 "delay"»: 1}]')],
    ['an error code twice', codes('[{"code": "e", "retryable": true}, {"code": «GR1111 "e"», "retryable": false}]')],
    ['a reconciler that is text', activities(contract(', "reconciler": «GR1103 "r"»'))],
    ['a reconciler without a version', activities(contract(', «GR1102 "reconciler"»: {"name": "r"}'))],
    ['an unknown reconciler', activities(contract(', "reconciler": «GR1608 {"name": "r", "version": 1}»'))],
    ['a reconciler in the list that is text', reconcilers('«GR1103 "r"»')],
    ['a reconciler in the list without an activity', reconcilers('{"name": «GR1102 "r"», "version": 1}')],
    ['a reconciler in the list with an unknown field', reconcilers(reconciler(', «GR1101 "probes"»: 3'))],
    [
      'a reconciler in the list with a description that is null',
      reconcilers(reconciler(', "description": «GR1103 null»')),
    ],
    ['a reconciler twice', reconcilers(reconciler(), reconciler('', '«GR1607 "r"»'))],
    [
      'a reconciler of nothing',
      catalog(
        `"reconcilers": [${reconciler().replace('{"name": "a", "version": 1}', '«GR1608 {"name": "a", "version": 1}»')}]`,
      ),
    ],
    [
      'a broken contract that a reconciler names, which is one mistake',
      catalog(
        `"activities": [${contract().replace('"external"', '«GR1110 "none"»')}], "reconcilers": [${reconciler()}]`,
      ),
    ],
    [
      'a broken schema that a contract names, which is one mistake',
      catalog(
        `"schemas": {"x/v1": {«GR1603 "pattern"»: "a"}}, "activities": [${contract().replace('"unit/v1"', '"x/v1"')}]`,
      ),
    ],
    [
      'three mistakes, which are all said',
      catalog(
        `"schemas": {"x/v1": {«GR1603 "pattern"»: "a"}}, "activities": [${contract().replace('1,', '«GR1110 0»,').replace('"async"', '«GR1110 "sync"»')}]`,
      ),
    ],
  ],
  [
    ['nothing in it', '{"format": "graphrun.catalog/v1"}'],
    [
      'everything in it',
      catalog(
        `"schemas": {"x/v1": {}}, "activities": [${contract(', "error_codes": [{"code": "e", "retryable": true}], "reconciler": {"name": "r", "version": 1}, "description": "x"')}, ${contract(', "reconciler": null', '"b"')}], "reconcilers": [${reconciler(', "description": "x"')}]`,
      ),
    ],
  ],
);
