/** Lists of named entries, such as the cases of a choice and the branches of a parallel. */
import { Fields, type FieldTable } from '../fields.js';
import { describeTree, type Span } from '../source/tree.js';

export interface NamedEntry {
  readonly index: number;
  readonly name: string | undefined;
  readonly entry: Fields;
}

export interface NamedEntries {
  readonly entries: readonly NamedEntry[];
  /** False when some entries could not be read: nothing follows from what is not there. */
  readonly whole: boolean;
}

/**
 * The entries of a list of maps that each have a `name`, which must be unique in the list. The list needs at least one
 * entry and takes at most `most`.
 */
export function readNamedEntries(
  owner: Fields,
  field: string,
  table: FieldTable,
  what: string,
  most = Infinity,
): NamedEntries {
  const trees = owner.list(field);
  if (trees === undefined) return NOT_READ;
  const { reporter } = owner;
  const span = owner.get(field)?.keySpan ?? owner.anchor;
  if (trees.length === 0) reporter.error('GR1115', span, `"${field}" needs at least one entry`);
  if (trees.length > most) {
    reporter.error('GR1115', span, `"${field}" has at most ${most} entries; this has ${trees.length}`);
    return NOT_READ;
  }
  const names = new Set<string>();
  const entries: NamedEntry[] = [];
  for (const [index, tree] of trees.entries()) {
    if (tree.kind !== 'map') {
      if (tree.kind !== 'broken') {
        reporter.error('GR1103', tree.span, `each of "${field}" is a map; this is ${describeTree(tree)}`);
      }
      continue;
    }
    const entry = new Fields(tree, table, { what, anchor: anchorOf(tree.members, tree.span) }, reporter);
    const name = entry.name('name');
    if (name !== undefined && names.has(name)) {
      reporter.error('GR1111', entry.tree('name')?.span ?? tree.span, `the name "${name}" is listed twice`);
    }
    if (name !== undefined) names.add(name);
    entries.push({ index, name, entry });
  }
  return { entries, whole: trees.length > 0 && entries.length === trees.length };
}

const NOT_READ: NamedEntries = { entries: [], whole: false };

/** An entry has no key of its own: what it lacks is said at its name, or at its first field. */
function anchorOf(
  members: ReadonlyMap<string, { readonly keySpan: Span; readonly value: { readonly span: Span } }>,
  span: Span,
): Span {
  const name = members.get('name');
  if (name !== undefined) return name.value.span;
  const [first] = members.values();
  return first?.keySpan ?? span;
}
