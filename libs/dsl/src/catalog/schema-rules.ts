/**
 * What schemas of a catalog may not do (spec 01 "Catalog"): refer to other documents or to themselves, use dynamic
 * references, regular expressions or formats nobody asserts, or be so large that validating costs more than the work.
 */
import { byteLength, canonicalize } from '../canonical.js';
import { shorten } from '../fields.js';
import type { Reporter } from '../diagnostic.js';
import { LIMITS } from '../limits.js';
import { resolveLocal } from '../schema/shape.js';
import { FORMATS, schemaIssue } from '../schema/validator.js';
import { toJson, type MapTree, type Member, type Span, type Tree } from '../source/tree.js';
import { parsePointer } from '../pointer.js';
import type { Json } from '../value.js';

/** Subschemas a schema may have once its references are followed: references multiply. */
const MAX_EXPANDED = 20_000;

const DYNAMIC = new Set(['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor']);
/** Names inside a schema would change what "#/..." means. An `$id` of the whole schema is an annotation here. */
const NAMED = new Set(['$id', '$anchor']);
const REGEX = new Set(['pattern', 'patternProperties']);
/** Keywords whose value is one schema, a list of schemas, or a map of schemas. */
const ONE = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'unevaluatedItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]);
const LIST = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const MAP = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);

/** Checks one schema; `key` is where its name stands. True if it may be used. */
export function checkSchema(tree: Tree, key: Span, reporter: Reporter): boolean {
  const before = reporter.errorCount;
  const schema = toJson(tree);
  const bytes = byteLength(canonicalize(schema));
  if (bytes > LIMITS.schemaBytes) {
    reporter.error('GR1605', key, `the schema has ${bytes} bytes, more than ${LIMITS.schemaBytes}`);
    return false;
  }
  const found: Found = { references: [], count: 0 };
  walk(tree, key, found, reporter);
  if (reporter.errorCount === before) checkExpansion(tree, schema, found.references, key, reporter);
  if (reporter.errorCount === before) checkMetaschema(tree, schema, key, reporter);
  return reporter.errorCount === before;
}

interface Found {
  readonly references: { readonly owner: MapTree; readonly member: Member; readonly ref: string }[];
  count: number;
}

/** Visits a schema and its subschemas. Values of `const`, `enum`, `default` and `examples` are data, not schemas. */
function walk(tree: Tree, key: Span, found: Found, reporter: Reporter): void {
  if (tree.kind !== 'map') return;
  found.count += 1;
  for (const member of tree.members.values()) {
    const { key: keyword, keySpan, value } = member;
    if (DYNAMIC.has(keyword)) {
      reporter.error('GR1602', keySpan, `"${keyword}" is not allowed: references are fixed and stay inside the schema`);
    } else if (NAMED.has(keyword) && !(keyword === '$id' && found.count === 1)) {
      reporter.error(
        'GR1602',
        keySpan,
        `"${keyword}" is not allowed; the catalog names the schema, and "#/$defs/..." its parts`,
      );
    } else if (REGEX.has(keyword)) {
      reporter.error(
        'GR1603',
        keySpan,
        `"${keyword}" is not allowed: regular expressions can take for ever`,
        'use "enum", "const" or "format"',
      );
    } else if (keyword === '$ref') readReference(tree, member, found, reporter);
    else if (keyword === 'format') checkFormat(value, reporter);
    else walkKeyword(keyword, value, key, found, reporter);
  }
}

function walkKeyword(keyword: string, value: Tree, key: Span, found: Found, reporter: Reporter): void {
  if (ONE.has(keyword)) walk(value, key, found, reporter);
  else if (LIST.has(keyword) && value.kind === 'list') for (const item of value.items) walk(item, key, found, reporter);
  else if (MAP.has(keyword) && value.kind === 'map') {
    for (const member of value.members.values()) walk(member.value, member.keySpan, found, reporter);
  }
}

function checkFormat(value: Tree, reporter: Reporter): void {
  if (value.kind !== 'scalar' || typeof value.value !== 'string') return;
  if ((FORMATS as readonly string[]).includes(value.value)) return;
  const message = `the format "${shorten(value.value)}" is unknown; the formats are ${FORMATS.join(' and ')}`;
  reporter.error('GR1604', value.span, message);
}

function readReference(owner: MapTree, member: Member, found: Found, reporter: Reporter): void {
  const { value } = member;
  if (value.kind !== 'scalar' || typeof value.value !== 'string') return;
  const ref = value.value;
  if (ref.startsWith('#')) found.references.push({ owner, member, ref });
  else {
    const message = `"${shorten(ref)}" is outside this schema; references go to "#/$defs/..."`;
    reporter.error('GR1602', value.span, message, 'copy the part into "$defs"');
  }
}

/**
 * Follows all local references, and refuses those that lead nowhere or back to themselves, and a schema that grows too
 * large when they are followed: twenty definitions that each use the one before twice are a million.
 */
function checkExpansion(
  tree: Tree,
  schema: Json,
  references: Found['references'],
  key: Span,
  reporter: Reporter,
): void {
  const targets = new Map<MapTree, { readonly target: Tree; readonly span: Span; readonly ref: string }>();
  for (const { owner, member, ref } of references) {
    const target = resolveLocal(ref, schema) === undefined ? undefined : treeAt(tree, ref);
    if (target === undefined)
      reporter.error('GR1602', member.value.span, `"${shorten(ref)}" leads nowhere in this schema`);
    else targets.set(owner, { target, span: member.value.span, ref });
  }
  const sizes = new Map<Tree, number>();
  const open = new Set<Tree>();
  const size = (at: Tree): number => {
    const known = sizes.get(at);
    if (known !== undefined) return known;
    open.add(at);
    let total = 1;
    if (at.kind === 'list') for (const item of at.items) total += size(item);
    if (at.kind === 'map') {
      for (const member of at.members.values()) total += size(member.value);
      const reference = targets.get(at);
      if (reference !== undefined && open.has(reference.target)) {
        reporter.error(
          'GR1602',
          reference.span,
          `"${shorten(reference.ref)}" leads back to itself; schemas are not recursive`,
        );
      } else if (reference !== undefined) total += size(reference.target);
    }
    open.delete(at);
    sizes.set(at, total);
    return total;
  };
  if (size(tree) > MAX_EXPANDED) {
    reporter.error('GR1605', key, `the schema has more than ${MAX_EXPANDED} parts once its references are followed`);
  }
}

function treeAt(tree: Tree, ref: string): Tree | undefined {
  let current: Tree | undefined = tree;
  for (const token of parsePointer(decodeURIComponent(ref.slice(1))) ?? []) {
    if (current?.kind === 'map') current = current.members.get(token)?.value;
    else if (current?.kind === 'list') current = current.items[Number(token)];
    else return undefined;
  }
  return current;
}

function checkMetaschema(tree: Tree, schema: Json, key: Span, reporter: Reporter): void {
  if (typeof schema !== 'boolean' && tree.kind !== 'map') {
    reporter.error('GR1601', tree.span, 'a JSON Schema is an object, true or false');
    return;
  }
  const issue = schemaIssue(schema);
  if (issue === null) return;
  const at = treeAt(tree, `#${issue.pointer}`);
  const where = issue.pointer === '' ? 'the schema' : `"${shorten(issue.pointer)}" of the schema`;
  reporter.error('GR1601', at?.span ?? key, `${where} is not JSON Schema 2020-12: it ${issue.message}`);
}
