/** JSON Schemas of a catalog. */
import { catalogTopic } from './case.js';

const schema = (text: string, name = 'x/v1'): string =>
  `{"format": "graphrun.catalog/v1", "schemas": {"${name}": ${text}}}`;
/** A complaint about the schema as a whole stands at its name. */
const named = (code: string, text: string): string => schema(text).replace('"x/v1"', `«${code} "x/v1"»`);
const list = (count: number, entry: string): string => `[${Array(count).fill(entry).join(', ')}]`;
const members = (count: number, entry: string): string =>
  `{${Array.from({ length: count }, (_, index) => `"m${index}": ${entry}`).join(', ')}}`;
/** A schema of so many bytes. */
const sized = (bytes: number): string => `{"description":"${'x'.repeat(bytes - 18)}"}`;
/** A schema of so many values, all of them told. */
const parts = (count: number): string => `{"examples": ${list(count - 2, '1')}}`;
const doubling = (levels: number): string => {
  const steps = Array.from({ length: levels }, (_, index) => {
    const half = `{"$ref": "#/$defs/d${index}"}`;
    return `"d${index + 1}": {"allOf": [${half}, ${half}]}`;
  });
  return `{"$defs": {"d0": {"type": "string"}, ${steps.join(', ')}}}`;
};
const refused = (keyword: string, value: string, code: string): [string, string] => [
  `the keyword ${keyword}`,
  schema(`{«${code} "${keyword}"»: ${value}}`),
];
/** A reference to elsewhere, wherever a schema may stand inside of a schema. */
const INSIDE = [
  '"additionalProperties": S',
  '"unevaluatedProperties": S',
  '"propertyNames": S',
  '"items": S',
  '"unevaluatedItems": S',
  '"contains": S',
  '"not": S',
  '"if": S',
  '"then": S',
  '"else": S',
  '"contentSchema": S',
  '"allOf": [S]',
  '"anyOf": [S]',
  '"oneOf": [S]',
  '"prefixItems": [S]',
  '"properties": {"a": S}',
  '"$defs": {"a": S}',
  '"definitions": {"a": S}',
  '"dependentSchemas": {"a": S}',
  '"dependencies": {"a": S}',
];

export const SCHEMAS = catalogTopic(
  'schemas',
  [
    ['a schema that is a number', schema('«GR1601 5»')],
    ['a schema that is a list', schema('«GR1601 []»')],
    ['a type that does not exist', schema('{"type": «GR1601 "int"»}')],
    ['a keyword of the wrong type', schema('{"properties": {"a": {"minimum": «GR1601 "x"»}}}')],
    ['an empty enum', schema('«GR1601 {"enum": []}»')],
    ['a member that every object seems to have', schema('{"properties": {«GR1601 "__proto__"»: {"type": "string"}}}')],
    ['another draft', schema('{"$schema": «GR1601 "http://json-schema.org/draft-07/schema#"»}')],
    refused('nullable', 'true', 'GR1601'),
    refused('$async', 'true', 'GR1601'),
    refused('$dynamicRef', '"#x"', 'GR1602'),
    refused('$dynamicAnchor', '"x"', 'GR1602'),
    refused('$recursiveRef', '"#"', 'GR1602'),
    refused('$recursiveAnchor', 'true', 'GR1602'),
    refused('$anchor', '"x"', 'GR1602'),
    refused('pattern', '"a"', 'GR1603'),
    refused('patternProperties', '{}', 'GR1603'),
    ['an identity inside of a schema', schema('{"properties": {"a": {«GR1602 "$id"»: "x"}}}')],
    ['a remote reference', schema('{"$ref": «GR1602 "https://example.com/x"»}')],
    ['a reference to another schema of the catalog', schema('{"$ref": «GR1602 "order/v1"»}')],
    ['a reference to nothing', schema('{"$ref": «GR1602 "#/$defs/a"»}')],
    ['a reference to what is no schema', schema('{"$ref": «GR1602 "#/x"», "x": {}}')],
    ['a reference that is no pointer', schema('{"$ref": «GR1602 "#%"»}')],
    ['a reference to itself', schema('{"properties": {"a": {"$ref": «GR1602 "#"»}}}')],
    [
      'references in a circle',
      schema('{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"items": {"$ref": «GR1602 "#/$defs/a"»}}}}'),
    ],
    ['an unknown format', schema('{"format": «GR1604 "email"»}')],
    ...INSIDE.map((place): [string, string] => [
      `a remote reference in ${(/\w+/.exec(place) ?? [''])[0]}`,
      schema(`{${place.replace(/S(?=[\]}]*$)/, '{"$ref": «GR1602 "y"»}')}}`),
    ]),
    ['more than 256 KiB', named('GR1605', sized(256 * 1024 + 1))],
    ['more than 100,000 parts', named('GR1605', parts(100_001))],
    ['too many parts by its references', named('GR1605', doubling(29))],
    ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword): [string, string] => [
      `more than a thousand of ${keyword}`,
      named('GR1605', `{"${keyword}": ${list(1001, '{"const": 1}')}}`),
    ]),
    ...['properties', 'dependentRequired', 'dependentSchemas', 'dependencies'].map((keyword): [string, string] => [
      `more than a thousand of ${keyword}`,
      named('GR1605', `{"${keyword}": ${members(1001, keyword === 'dependentRequired' ? '["a"]' : '{}')}}`),
    ]),
    [
      'more than a thousand members along one path',
      named('GR1605', `{"properties": {"a": {"anyOf": ${list(1000, 'true')}}}}`),
    ],
    [
      'a built-in schema declared differently',
      schema('{"type": "number"}', 'integer/v1').replace('"integer/v1"', '«GR1606 "integer/v1"»'),
    ],
    ['a number that cannot be kept, which is one mistake', schema('{"minimum": «GR1007 1e999»}')],
    ['two mistakes, which are both said', schema('{"items": {«GR1603 "pattern"»: "a"}, "format": «GR1604 "email"»}')],
  ],
  [
    ['true', schema('true')],
    ['256 KiB', schema(sized(256 * 1024))],
    ['100,000 parts', schema(parts(100_000))],
    [
      'an identity of the whole, a draft and words nobody knows',
      schema(
        '{"$id": "https://example.com/x", "$schema": "https://json-schema.org/draft/2020-12/schema", "x-owner": "sales"}',
      ),
    ],
    [
      'references to its own parts',
      schema('{"$defs": {"a/b": {"type": "string"}}, "items": {"$ref": "#/$defs/a~1b"}}'),
    ],
    ['the formats that are asserted', schema('{"anyOf": [{"format": "uuid"}, {"format": "date-time"}]}')],
    [
      'data that looks like a schema',
      schema(
        '{"const": {"pattern": "a"}, "enum": [{"pattern": "a"}], "default": {"$ref": "x"}, "examples": [{"format": "email"}]}',
      ),
    ],
    ['a thousand branches', schema(`{"anyOf": ${list(1000, '{"const": 1}')}}`)],
    ['a built-in schema declared again', schema('{"type": "integer"}', 'integer/v1')],
  ],
);
