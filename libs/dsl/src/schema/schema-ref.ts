/** Schema references: `order/v1`, `{array: ref}` or `{tuple: [ref, ...]}` (spec 01 "Catalog"). */
import type { CompileContext } from '../context.js';
import { required, shorten, type FieldTable } from '../fields.js';
import type { SchemaRef } from '../ir.js';
import { LIMITS } from '../limits.js';
import { parseVersionedName } from '../names.js';
import { describeTree, type Tree } from '../source/tree.js';
import { didYouMean } from '../suggest.js';
import { listSyntax, SYNTAX } from '../syntax.js';

/** What a schema may be put together with; one of them at a time. */
export const SCHEMA_CONSTRUCTORS = {
  array: required(SYNTAX.schemaRef, 'An array of any number of these.'),
  tuple: required(listSyntax(SYNTAX.schemaRef, LIMITS.tupleItems), 'An array of exactly these, in this order.'),
} as const satisfies FieldTable;

/** Reads a reference and checks that its schemas exist; undefined after reporting. */
export function readSchemaRef(tree: Tree, context: CompileContext, depth = 0): SchemaRef | undefined {
  if (tree.kind === 'broken') return undefined;
  if (tree.kind === 'scalar' && typeof tree.value === 'string') return readName(tree.value, tree, context);
  const [member, ...others] = tree.kind === 'map' ? tree.members.values() : [];
  if (member === undefined || others.length > 0 || (member.key !== 'array' && member.key !== 'tuple')) {
    const message = `a schema is a name like "order/v1", {array: schema} or {tuple: [schema, ...]}; this is ${describe(tree)}`;
    context.reporter.error('GR1402', tree.span, message);
    return undefined;
  }
  if (depth >= LIMITS.depth) {
    context.reporter.error('GR1402', member.keySpan, `schemas are nested deeper than ${LIMITS.depth} levels`);
    return undefined;
  }
  if (member.key === 'array') {
    const item = readSchemaRef(member.value, context, depth + 1);
    return item === undefined ? undefined : { array: item };
  }
  return readTuple(member.value, context, depth);
}

function readTuple(tree: Tree, context: CompileContext, depth: number): SchemaRef | undefined {
  if (tree.kind === 'broken') return undefined;
  const items = tree.kind === 'list' ? tree.items : [];
  if (items.length < 1 || items.length > LIMITS.tupleItems) {
    const found = tree.kind === 'list' ? `has ${items.length}` : `is ${describeTree(tree)}`;
    const message = `a tuple is a list of 1 to ${LIMITS.tupleItems} schemas; this ${found}`;
    context.reporter.error('GR1402', tree.span, message);
    return undefined;
  }
  const refs = items.map((item) => readSchemaRef(item, context, depth + 1));
  const known = refs.filter((ref) => ref !== undefined);
  return known.length === refs.length ? { tuple: known } : undefined;
}

function describe(tree: Tree): string {
  if (tree.kind !== 'map') return describeTree(tree);
  return tree.members.size === 0 ? 'an empty map' : `a map with ${shorten([...tree.members.keys()].join(', '))}`;
}

function readName(name: string, tree: Tree, context: CompileContext): SchemaRef | undefined {
  if (parseVersionedName(name) === null) {
    const message = `"${shorten(name)}" is not a schema name; write name/vN, as in "order/v1"`;
    context.reporter.error('GR1402', tree.span, message);
    return undefined;
  }
  if (!Object.hasOwn(context.catalog.schemas, name)) {
    const hint = (): string | null => didYouMean(name, Object.keys(context.catalog.schemas));
    context.reporter.error('GR1401', tree.span, `the catalog has no schema "${name}"`, hint);
    return undefined;
  }
  return name;
}

/** Nominal identity: the same constructors over the same names. */
export function sameSchema(a: SchemaRef, b: SchemaRef): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  if ('array' in a) return 'array' in b && sameSchema(a.array, b.array);
  if (!('tuple' in b) || a.tuple.length !== b.tuple.length) return false;
  return a.tuple.every((item, index) => {
    const other = b.tuple[index];
    return other !== undefined && sameSchema(item, other);
  });
}

/**
 * As a person writes it: `[order/v1]` would hide the constructor, so `array of order/v1`, `tuple of (a, b)`. Cut where it is
 * too long for a message: a reference may name thousands of schemas.
 */
export function formatSchemaRef(ref: SchemaRef): string {
  return shorten(format(ref, 0), SHOWN_CHARS);
}

const SHOWN_CHARS = 160;
const SHOWN_ITEMS = 6;
const SHOWN_DEPTH = 3;

function format(ref: SchemaRef, depth: number): string {
  if (typeof ref === 'string') return ref;
  if (depth === SHOWN_DEPTH) return '...';
  if ('array' in ref) return `array of ${format(ref.array, depth + 1)}`;
  const items = ref.tuple.slice(0, SHOWN_ITEMS).map((item) => format(item, depth + 1));
  return `tuple of (${items.join(', ')}${ref.tuple.length > SHOWN_ITEMS ? ', ...' : ''})`;
}

/** Adds the names of all schemas that `ref` is made of. */
export function collectSchemaNames(ref: SchemaRef, names: Set<string>): void {
  if (typeof ref === 'string') names.add(ref);
  else if ('array' in ref) collectSchemaNames(ref.array, names);
  else for (const item of ref.tuple) collectSchemaNames(item, names);
}
