/** Schema references: `order/v1`, `{array: ref}` or `{tuple: [ref, ...]}` (spec 01 "Catalog"). */
import type { CompileContext } from '../context.js';
import type { SchemaRef } from '../ir.js';
import { LIMITS } from '../limits.js';
import { parseVersionedName } from '../names.js';
import { describeTree, type Tree } from '../source/tree.js';
import { didYouMean } from '../suggest.js';

/** Reads a reference and checks that its schemas exist; undefined after reporting. */
export function readSchemaRef(tree: Tree, context: CompileContext, depth = 0): SchemaRef | undefined {
  if (tree.kind === 'broken') return undefined;
  if (tree.kind === 'scalar' && typeof tree.value === 'string') return readName(tree.value, tree, context);
  const [member, ...others] = tree.kind === 'map' ? tree.members.values() : [];
  if (member === undefined || others.length > 0 || (member.key !== 'array' && member.key !== 'tuple')) {
    const message = `a schema is a name like "order/v1", {array: schema} or {tuple: [schema, ...]}; this is ${describeTree(tree)}`;
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
  const items = member.value.kind === 'list' ? member.value.items : [];
  if (items.length < 1 || items.length > LIMITS.tupleItems) {
    const message = `a tuple is a list of 1 to ${LIMITS.tupleItems} schemas; this has ${items.length}`;
    context.reporter.error('GR1402', member.value.span, message);
    return undefined;
  }
  const refs = items.map((item) => readSchemaRef(item, context, depth + 1));
  const known = refs.filter((ref) => ref !== undefined);
  return known.length === refs.length ? { tuple: known } : undefined;
}

function readName(name: string, tree: Tree, context: CompileContext): SchemaRef | undefined {
  if (parseVersionedName(name) === null) {
    context.reporter.error(
      'GR1402',
      tree.span,
      `"${name.slice(0, 80)}" is not a schema name; write name/vN, as in "order/v1"`,
    );
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

/** As a person writes it: `[order/v1]` would hide the constructor, so `array of order/v1`, `tuple of (a, b)`. */
export function formatSchemaRef(ref: SchemaRef): string {
  if (typeof ref === 'string') return ref;
  return 'array' in ref
    ? `array of ${formatSchemaRef(ref.array)}`
    : `tuple of (${ref.tuple.map(formatSchemaRef).join(', ')})`;
}

/** Adds the names of all schemas that `ref` is made of. */
export function collectSchemaNames(ref: SchemaRef, names: Set<string>): void {
  if (typeof ref === 'string') names.add(ref);
  else if ('array' in ref) collectSchemaNames(ref.array, names);
  else for (const item of ref.tuple) collectSchemaNames(item, names);
}
