/** Regions and nodes of a definition by their place, built once for each program. */
import { bodiesOf, type ActivityNode, type Node, type Program, type Region } from '@graphrun/dsl';

interface ProgramIndex {
  readonly regions: ReadonlyMap<string, Region>;
  readonly nodes: ReadonlyMap<string, Node>;
}

export const ROOT_REGION = '/root';

const INDEXES = new WeakMap<Program, ProgramIndex>();

function indexOf(program: Program): ProgramIndex {
  let index = INDEXES.get(program);
  if (index === undefined) {
    const regions = new Map<string, Region>();
    const nodes = new Map<string, Node>();
    addRegion(program.definition.root, ROOT_REGION, regions, nodes);
    index = { regions, nodes };
    INDEXES.set(program, index);
  }
  return index;
}

function addRegion(region: Region, pointer: string, regions: Map<string, Region>, nodes: Map<string, Node>): void {
  regions.set(pointer, region);
  for (const [key, node] of Object.entries(region.nodes)) {
    const at = nodePointer(pointer, key);
    nodes.set(at, node);
    for (const body of bodiesOf(node)) addRegion(body.region, at + body.pointer, regions, nodes);
  }
}

/** Keys of nodes need no escaping in a pointer: they are lower-case letters, digits and `_`. */
export function nodePointer(region: string, key: string): string {
  return `${region}/nodes/${key}`;
}

/** The place of a body below its container, by slot; -1 is the default of a choice. */
export function bodyPointer(node: Node, slot: number): string {
  switch (node.kind) {
    case 'choose':
      return slot < 0 ? '/default' : `/cases/${slot}/body`;
    case 'parallel':
      return `/branches/${slot}/body`;
    default:
      return '/body';
  }
}

export function findRegion(program: Program, pointer: string): Region | undefined {
  return indexOf(program).regions.get(pointer);
}

export function findNode(program: Program, pointer: string): Node | undefined {
  return indexOf(program).nodes.get(pointer);
}

/** Throws when there is none: a pointer in a run's state always comes from its own program. */
export function regionAt(program: Program, pointer: string): Region {
  const region = indexOf(program).regions.get(pointer);
  if (region === undefined) throw new Error(`the definition ${program.digest} has no region at ${pointer}`);
  return region;
}

export function nodeAt(program: Program, pointer: string): Node {
  const node = indexOf(program).nodes.get(pointer);
  if (node === undefined) throw new Error(`the definition ${program.digest} has no node at ${pointer}`);
  return node;
}

export function activityAt(program: Program, pointer: string): ActivityNode {
  const node = nodeAt(program, pointer);
  if (node.kind !== 'activity') throw new Error(`the node at ${pointer} is a ${node.kind}, not an activity`);
  return node;
}
