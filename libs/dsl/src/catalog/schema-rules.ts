/**
 * What schemas of a catalog may not do (spec 01 "Catalog"): refer to other documents or to themselves, use dynamic
 * references, regular expressions or formats nobody asserts, or be so large that validating costs more than the work.
 */
import { byteLength, canonicalize } from '../canonical.js';
import type { Reporter } from '../diagnostic.js';
import { shorten } from '../fields.js';
import { LIMITS } from '../limits.js';
import { arrayIndex } from '../pointer.js';
import type { SchemaIssue } from '../program.js';
import { FORMATS } from '../schema/formats.js';
import { ONE_SCHEMA, SCHEMA_LIST, SCHEMA_MAP } from '../schema/keywords.js';
import { localTokens } from '../schema/shape.js';
import { compileSchema, schemaIssue } from '../schema/validator.js';
import { isWhole, toJson, type MapTree, type Member, type Span, type Tree } from '../source/tree.js';
import type { Json } from '../value.js';

/** Parts a schema may have once its references are followed: references multiply. */
const MAX_PARTS = 100_000;
/**
 * How many members, branches and items may lie around one place of a schema. Each becomes a level of nesting in the code
 * that Ajv writes, and V8 gives up on code that is nested some thousands deep.
 */
const MAX_NESTING = 1_000;
const WIDE = new Set([
  'properties',
  'prefixItems',
  'allOf',
  'anyOf',
  'oneOf',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
]);

const DYNAMIC = new Set(['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor']);
/** Names inside a schema would change what "#/..." means. An `$id` of the whole schema is an annotation here. */
const NAMED = new Set(['$id', '$anchor']);
const REGEX = new Set(['pattern', 'patternProperties']);
/** Words that Ajv gives a meaning which JSON Schema does not have. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['nullable', 'list "null" among the types'],
  ['$async', 'remove it'],
]);

/** Keywords that no part of a schema may have. */
export const REFUSED_KEYWORDS: readonly string[] = [...DYNAMIC, '$anchor', ...REGEX, ...FOREIGN.keys()];

/** Checks one schema; `key` is where its name stands. True if it may be used. */
export function checkSchema(tree: Tree, key: Span, reporter: Reporter): boolean {
  const before = reporter.errorCount;
  const schema = toJson(tree);
  const bytes = byteLength(canonicalize(schema));
  if (bytes > LIMITS.schemaBytes) {
    reporter.error('GR1605', key, `the schema has ${bytes} bytes, more than ${LIMITS.schemaBytes}`);
    return false;
  }
  const found: Found = { schemas: new Set(), references: [], count: 0 };
  walk(tree, key, found, reporter);
  // What the reader refused is null here, which the metaschema would mind as well.
  if (!isWhole(tree)) return false;
  if (reporter.errorCount === before) checkExpansion(tree, found, key, reporter);
  if (reporter.errorCount === before) checkMetaschema(tree, schema, key, reporter);
  return reporter.errorCount === before;
}

interface Found {
  /** Every place that is a schema: only these may be referred to. */
  readonly schemas: Set<Tree>;
  readonly references: { readonly owner: MapTree; readonly member: Member; readonly ref: string }[];
  count: number;
}

/** Visits a schema and its subschemas. Values of `const`, `enum`, `default` and `examples` are data, not schemas. */
function walk(tree: Tree, key: Span, found: Found, reporter: Reporter): void {
  found.schemas.add(tree);
  if (tree.kind !== 'map') return;
  found.count += 1;
  for (const member of tree.members.values()) {
    const { key: keyword, keySpan, value } = member;
    const advice = FOREIGN.get(keyword);
    if (advice !== undefined) {
      reporter.error('GR1601', keySpan, `"${keyword}" is not a keyword of JSON Schema 2020-12`, advice);
    } else if (DYNAMIC.has(keyword)) {
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
  if (ONE_SCHEMA.has(keyword)) walk(value, key, found, reporter);
  else if (SCHEMA_LIST.has(keyword) && value.kind === 'list')
    for (const item of value.items) walk(item, key, found, reporter);
  else if (SCHEMA_MAP.has(keyword) && value.kind === 'map') {
    const proto = keyword === 'properties' ? value.members.get('__proto__') : undefined;
    if (proto !== undefined) {
      reporter.error('GR1601', proto.keySpan, 'a member "__proto__" cannot be checked', 'choose another name');
    }
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
function checkExpansion(tree: Tree, { schemas, references }: Found, key: Span, reporter: Reporter): void {
  const targets = new Map<MapTree, { readonly target: Tree; readonly span: Span; readonly ref: string }>();
  for (const { owner, member, ref } of references) {
    const target = treeAt(tree, ref);
    if (target === undefined || !schemas.has(target)) {
      reporter.error('GR1602', member.value.span, `"${shorten(ref)}" leads to no schema in here`);
    } else targets.set(owner, { target, span: member.value.span, ref });
  }
  const known = new Map<Tree, Extent>();
  const open = new Set<Tree>();
  const extentOf = (at: Tree): Extent => {
    const before = known.get(at);
    if (before !== undefined) return before;
    open.add(at);
    let parts = 1;
    let inner = 0;
    let width = 0;
    const visit = (child: Tree): void => {
      const extent = extentOf(child);
      parts += extent.parts;
      inner = Math.max(inner, extent.nesting);
    };
    if (at.kind === 'list') at.items.forEach(visit);
    if (at.kind === 'map') {
      for (const { key: keyword, value } of at.members.values()) {
        visit(value);
        if (WIDE.has(keyword))
          width += value.kind === 'map' ? value.members.size : value.kind === 'list' ? value.items.length : 0;
      }
      const reference = targets.get(at);
      if (reference !== undefined && open.has(reference.target)) {
        reporter.error(
          'GR1602',
          reference.span,
          `"${shorten(reference.ref)}" leads back to itself; schemas are not recursive`,
        );
      } else if (reference !== undefined) visit(reference.target);
    }
    open.delete(at);
    const extent = { parts, nesting: inner + width };
    known.set(at, extent);
    return extent;
  };
  const { parts, nesting } = extentOf(tree);
  if (parts > MAX_PARTS) {
    reporter.error('GR1605', key, `the schema has more than ${MAX_PARTS} parts once its references are followed`);
  } else if (nesting > MAX_NESTING) {
    const message = `the schema has more than ${MAX_NESTING} members and branches along one path`;
    reporter.error('GR1605', key, message, 'use "enum" for many values, or "additionalProperties" for many members');
  }
}

interface Extent {
  readonly parts: number;
  readonly nesting: number;
}

/** What a local reference leads to, by the same rules that `resolveLocal` follows in plain JSON. */
function treeAt(tree: Tree, ref: string): Tree | undefined {
  let current: Tree | undefined = tree;
  const tokens = localTokens(ref);
  if (tokens === null) return undefined;
  for (const token of tokens) {
    if (current?.kind === 'map') current = current.members.get(token)?.value;
    else if (current?.kind === 'list') current = current.items[arrayIndex(token) ?? -1];
    else return undefined;
  }
  return current;
}

function checkMetaschema(tree: Tree, schema: Json, key: Span, reporter: Reporter): void {
  if (typeof schema !== 'boolean' && tree.kind !== 'map') {
    reporter.error('GR1601', tree.span, 'a JSON Schema is an object, true or false');
    return;
  }
  const issue = schemaIssue(schema) ?? compileIssue(schema);
  if (issue === null) return;
  const at = treeAt(tree, `#${encodeURI(issue.pointer)}`);
  const where = issue.pointer === '' ? 'the schema' : `"${shorten(issue.pointer)}" of the schema`;
  reporter.error('GR1601', at?.span ?? key, `${where} is not JSON Schema 2020-12: it ${issue.message}`);
}

/** Ajv refuses some schemas only when it compiles them, an empty `enum` for one. */
function compileIssue(schema: Json): SchemaIssue | null {
  try {
    compileSchema(schema);
    return null;
  } catch (error) {
    return { pointer: '', message: `cannot be compiled (${error instanceof Error ? error.message : String(error)})` };
  }
}
