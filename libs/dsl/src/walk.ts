/** Ways through a definition that its readers share: where a node leads, and which regions it owns. */
import type { Definition, Node, Region } from './ir.js';

/** A way to continue after a node, by the field that says so. */
export interface Successor {
  readonly field: 'next' | 'on_timeout' | 'on_error';
  readonly to: string;
}

/** Where a node leads, in the order in which the document says it: `next`, `on_timeout`, then `on_error`. */
export function successorsOf(node: Node): readonly Successor[] {
  const successors: Successor[] = [];
  if ('next' in node) successors.push({ field: 'next', to: node.next });
  if (node.kind === 'wait_signal' && node.onTimeout !== undefined) {
    successors.push({ field: 'on_timeout', to: node.onTimeout });
  }
  if ('onError' in node) {
    for (const { next } of node.onError ?? []) successors.push({ field: 'on_error', to: next });
  }
  return successors;
}

/** A region inside a node, with the place of it below the node as a JSON pointer. */
export interface Body {
  /** Name of the case or branch, `default` for what a choice falls back to, `body` for the only region. */
  readonly name: string;
  readonly pointer: string;
  readonly region: Region;
}

/** The regions a node owns, in the order in which the document says them. */
export function bodiesOf(node: Node): readonly Body[] {
  switch (node.kind) {
    case 'choose':
      return [
        ...node.cases.map(({ name, body }, index) => ({ name, pointer: `/cases/${index}/body`, region: body })),
        { name: 'default', pointer: '/default', region: node.default },
      ];
    case 'parallel':
      return node.branches.map(({ name, body }, index) => ({
        name,
        pointer: `/branches/${index}/body`,
        region: body,
      }));
    case 'while':
    case 'do_while':
    case 'repeat':
    case 'foreach':
    case 'saga':
      return [{ name: 'body', pointer: '/body', region: node.body }];
    default:
      return [];
  }
}

/** A node of a definition, with its place in it as a JSON pointer. */
export interface PlacedNode {
  readonly key: string;
  readonly pointer: string;
  readonly node: Node;
  readonly region: Region;
}

/** Every node of a definition, a container before what it holds. */
export function* nodesOf(definition: Definition): Generator<PlacedNode> {
  yield* nodesBelow(definition.root, '/root');
}

function* nodesBelow(region: Region, pointer: string): Generator<PlacedNode> {
  for (const [key, node] of Object.entries(region.nodes)) {
    const at = `${pointer}/nodes/${key}`;
    yield { key, pointer: at, node, region };
    for (const body of bodiesOf(node)) yield* nodesBelow(body.region, `${at}${body.pointer}`);
  }
}
