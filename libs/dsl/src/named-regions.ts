/** `regions` of a document: bodies by name, put in place of every `{use: name}` (spec 01 "Beyond the original"). */
import type { CompileContext } from './context.js';
import { shorten, type Fields } from './fields.js';
import { isName } from './names.js';
import { describeTree, type Member, type Tree } from './source/tree.js';

/** A region as it is written, and its size as compact JSON, nearly. */
export interface NamedRegion extends Member {
  readonly bytes: number;
}

/** Keeps the regions as they are written: what they mean depends on where they are used. */
export function readNamedRegions(fields: Fields, context: CompileContext): void {
  const { reporter } = context;
  if (!fields.has('regions')) return;
  context.extensions.add('regions');
  const found = fields.map('regions');
  if (found === undefined) context.unreadable.add('regions');
  for (const member of found?.map.members.values() ?? []) {
    const { key, keySpan, value } = member;
    if (!isName(key)) {
      const message = `"${shorten(key)}" is not a region name: 1 to 64 letters, digits, "_", "." and "-"`;
      reporter.error('GR1106', keySpan, message);
    }
    if (value.kind !== 'map' && value.kind !== 'broken') {
      reporter.error('GR1103', value.span, `the region "${shorten(key)}" is a map; this is ${describeTree(value)}`);
    }
    context.regions.set(key, { ...member, bytes: sizeOf(value) });
  }
}

/**
 * A region that nothing uses is not checked, so it is at least pointed out. After errors nothing is known: what uses it
 * may stand in a node that could not be read.
 */
export function checkNamedRegions({ regions, usedRegions, reporter }: CompileContext): void {
  if (reporter.errorCount > 0) return;
  for (const { key, keySpan } of regions.values()) {
    if (usedRegions.has(key)) continue;
    reporter.warning(
      'GR1206',
      keySpan,
      `no body uses the region "${shorten(key)}", so it was not checked`,
      'remove it',
    );
  }
}

/** Roughly, in characters: what matters is by how much a region multiplies a document. */
function sizeOf(tree: Tree): number {
  switch (tree.kind) {
    case 'scalar':
      return typeof tree.value === 'string' ? tree.value.length + 3 : 5;
    case 'list':
      return tree.items.reduce((size, item) => size + sizeOf(item), 3);
    case 'map':
      return [...tree.members.values()].reduce((size, { key, value }) => size + key.length + 3 + sizeOf(value), 3);
    case 'broken':
      return 1;
  }
}
