/**
 * Which parts of the language this engine cannot run yet. The compiler knows the whole language, so a definition may be
 * published before an engine can run it; `start` refuses it then, and the run would have been a promise nobody keeps.
 *
 * A node kind becomes executable by its line in `nodes/registry.ts`, anything else by deleting its line here.
 */
import { nodesOf, type Definition, type Node, type PlacedNode, type Program } from '@graphrun/dsl';
import { isExecutableKind } from './nodes/registry.js';

/** What a node may have that is not executed yet, by the name of its field in a document. */
const NODE_FEATURES: { readonly [field: string]: (node: Node) => boolean } = {};

/** The same for the workflow as a whole. */
const DEFINITION_FEATURES: { readonly [field: string]: (definition: Definition) => boolean } = {
  search_attributes: ({ searchAttributes }) => searchAttributes !== undefined,
};

/** A node kind or a feature that this engine cannot run, and where the definition uses it first. */
export interface UnexecutablePart {
  /** A node kind (`foreach`) or the field of a feature (`on_error`). */
  readonly what: string;
  /** For a sentence: `the node "items" (foreach)`, `the on_error of the node "pay"`, `the search_attributes`. */
  readonly where: string;
}

const NONE: readonly UnexecutablePart[] = [];
/** Programs are shared by all runs of their digest, and looked at with each start. */
const KNOWN = new WeakMap<Program, readonly UnexecutablePart[]>();

/** Each part once: nodes in their order, a container before what it holds, then the workflow as a whole. */
export function unexecutableParts(program: Program): readonly UnexecutablePart[] {
  let parts = KNOWN.get(program);
  if (parts === undefined) {
    parts = find(program.definition);
    KNOWN.set(program, parts);
  }
  return parts;
}

/** Why runs of a program cannot be started, as a sentence without its full stop, or null when they can. */
export function executionObstacle(program: Program): string | null {
  const [first, ...others] = unexecutableParts(program);
  if (first === undefined) return null;
  const { id, version } = program.definition;
  const more = others.length === 0 ? '' : `, nor can its ${list(others.map(({ what }) => what))}`;
  return `${first.where} of ${id} version ${version} cannot be executed by this version of the engine${more}`;
}

function find(definition: Definition): readonly UnexecutablePart[] {
  const found = new Map<string, UnexecutablePart>();
  const note = (what: string, where: string): void => {
    if (!found.has(what)) found.set(what, { what, where });
  };
  for (const placed of nodesOf(definition)) noteNode(placed, note);
  for (const [field, uses] of Object.entries(DEFINITION_FEATURES)) if (uses(definition)) note(field, `the ${field}`);
  return found.size === 0 ? NONE : [...found.values()];
}

function noteNode({ key, node }: PlacedNode, note: (what: string, where: string) => void): void {
  if (!isExecutableKind(node.kind)) note(node.kind, `the node "${key}" (${node.kind})`);
  for (const [field, uses] of Object.entries(NODE_FEATURES)) {
    if (uses(node)) note(field, `the ${field} of the node "${key}"`);
  }
}

/** `a`, `a and b`, `a, b and c`. */
function list(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}
