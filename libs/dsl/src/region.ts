/**
 * Regions: a graph of nodes with one input and one output. The root of a workflow is one, and so is every body of a
 * container, whose node kind calls `readRegion` for it with the frame one level deeper.
 */
import type { ParsedReference } from './bindings/reference.js';
import type { CompileContext } from './context.js';
import { Fields, shorten } from './fields.js';
import { analyzeGraph, type GraphAnalysis } from './graph.js';
import type { Node, Region, SchemaRef } from './ir.js';
import { LIMITS } from './limits.js';
import { isNodeKey } from './names.js';
import { kindWithField, LATER_NODE_KINDS, NODE_KINDS } from './nodes/index.js';
import { sound, type NodeScope, type ParsedNode } from './nodes/node-kind.js';
import { readSchemaRef } from './schema/schema-ref.js';
import { describeTree, type Member, type Span } from './source/tree.js';
import { didYouMean } from './suggest.js';

/** What a region inherits from around it. */
export interface RegionFrame {
  /** Schema of `workflow.input`, undefined when it is broken. */
  readonly workflowInput: SchemaRef | undefined;
}

export interface ParsedRegion {
  readonly inputSchema: SchemaRef | undefined;
  readonly outputSchema: SchemaRef | undefined;
  /** Checks everything that needs the whole region; complaints only. */
  check(frame: RegionFrame): void;
  /** Called only for definitions without errors. */
  normalize(): Region;
}

/** The fields of a region, for the table of whatever holds one. */
export const REGION_FIELDS = {
  input_schema: 'required',
  output_schema: 'required',
  start: 'required',
  nodes: 'required',
} as const;

export function readRegion(fields: Fields, context: CompileContext): ParsedRegion {
  const inputSchema = readSchemaField(fields, 'input_schema', context);
  const outputSchema = readSchemaField(fields, 'output_schema', context);
  const start = fields.string('start');
  const nodes = readNodes(fields, context);
  return {
    inputSchema,
    outputSchema,
    check: (frame) => {
      if (nodes !== undefined) checkRegion({ inputSchema, outputSchema, start, nodes }, frame, context);
    },
    normalize: () => ({
      inputSchema: sound(inputSchema),
      outputSchema: sound(outputSchema),
      start: sound(start).text,
      nodes: Object.fromEntries([...sound(nodes).values()].map((node) => [node.key, node.normalize()])),
    }),
  };
}

function readSchemaField(fields: Fields, field: string, context: CompileContext): SchemaRef | undefined {
  const tree = fields.tree(field);
  return tree === undefined ? undefined : readSchemaRef(tree, context);
}

// --------------------------------------------------------------------------------------------------------- nodes

function readNodes(fields: Fields, context: CompileContext): ReadonlyMap<string, ParsedNode> | undefined {
  const found = fields.map('nodes');
  if (found === undefined) return undefined;
  const members = [...found.map.members.values()];
  if (members.length === 0) {
    context.reporter.error('GR1102', found.keySpan, 'a region needs at least one node');
    return undefined;
  }
  context.nodeCount += members.length;
  if (context.nodeCount > LIMITS.nodesPerDefinition) {
    // The first report is enough, and looking at what follows would only cost time.
    if (context.nodeCount - members.length <= LIMITS.nodesPerDefinition) {
      const message = `a definition has at most ${LIMITS.nodesPerDefinition} nodes; this has ${context.nodeCount} or more`;
      context.reporter.error('GR1113', found.keySpan, message, 'move a part into a workflow of its own');
    }
    return undefined;
  }
  return new Map(members.map((member): [string, ParsedNode] => [member.key, readNode(member, context)]));
}

function readNode(member: Member, context: CompileContext): ParsedNode {
  const { key, keySpan, value } = member;
  const { reporter } = context;
  if (!isNodeKey(key)) {
    const message = `"${shorten(key)}" is not a node key: a lower-case letter, then lower-case letters, digits and "_", at most 64`;
    reporter.error('GR1106', keySpan, message);
  }
  if (value.kind === 'broken') return brokenNode(key, keySpan);
  if (value.kind !== 'map') {
    reporter.error('GR1103', value.span, `the node "${shorten(key)}" is a map; this is ${describeTree(value)}`);
    return brokenNode(key, keySpan);
  }
  const kindTree = value.members.get('kind')?.value;
  if (kindTree === undefined) {
    reporter.error('GR1102', keySpan, `the node "${shorten(key)}" needs the field "kind"`);
    return brokenNode(key, keySpan);
  }
  const name = kindTree.kind === 'scalar' && typeof kindTree.value === 'string' ? kindTree.value : undefined;
  const kind = name === undefined ? undefined : NODE_KINDS.get(name);
  if (kind === undefined) {
    if (name === undefined) {
      if (kindTree.kind !== 'broken') {
        reporter.error('GR1103', kindTree.span, `"kind" is a string; this is ${describeTree(kindTree)}`);
      }
    } else if (LATER_NODE_KINDS.has(name)) {
      reporter.error('GR1105', kindTree.span, `nodes of the kind "${name}" are not supported yet`);
    } else {
      const kinds = [...NODE_KINDS.keys(), ...LATER_NODE_KINDS];
      const hint = didYouMean(name, kinds) ?? `the kinds are ${[...NODE_KINDS.keys()].join(', ')}`;
      reporter.error('GR1107', kindTree.span, `there is no node kind "${shorten(name)}"`, hint);
    }
    return brokenNode(key, keySpan);
  }
  const place = { what: kind.what, anchor: keySpan, elsewhere: kindWithField };
  const fields = new Fields(value, kind.fields, place, reporter);
  fields.checkAnnotations();
  return kind.parse(key, keySpan, fields, context);
}

/** Stands for a node that could not be read: it may lead anywhere and have any output. */
function brokenNode(key: string, keySpan: Span): ParsedNode {
  return {
    key,
    keySpan,
    edges: [undefined],
    output: undefined,
    check: () => undefined,
    normalize: () => sound<Node>(undefined),
  };
}

// --------------------------------------------------------------------------------------------------------- checks

interface RegionParts {
  readonly inputSchema: SchemaRef | undefined;
  readonly outputSchema: SchemaRef | undefined;
  readonly start: { readonly text: string; readonly span: Span } | undefined;
  readonly nodes: ReadonlyMap<string, ParsedNode>;
}

function checkRegion(region: RegionParts, frame: RegionFrame, context: CompileContext): void {
  const { nodes, start } = region;
  const graph = start === undefined ? undefined : analyzeGraph(nodes, start.text);
  if (start !== undefined && !nodes.has(start.text)) reportMissing(start.text, start.span, nodes, context);
  if (graph !== undefined) reportGraph(graph, nodes, context);
  for (const node of nodes.values()) {
    const scope: NodeScope = {
      context,
      regionOutput: region.outputSchema,
      resolve: (reference, span) => resolveReference(reference, span, node, { region, frame, graph, context }),
    };
    node.check(scope);
  }
}

function reportMissing(key: string, span: Span, nodes: ReadonlyMap<string, ParsedNode>, context: CompileContext): void {
  context.reporter.error('GR1201', span, `there is no node "${shorten(key)}" in this region`, () =>
    didYouMean(key, nodes.keys()),
  );
}

function reportGraph(graph: GraphAnalysis, nodes: ReadonlyMap<string, ParsedNode>, context: CompileContext): void {
  for (const edge of graph.dangling) reportMissing(edge.to, edge.span, nodes, context);
  for (const { edge, path } of graph.closing) {
    const shown = path.length > 6 ? [...path.slice(0, 3), '...', ...path.slice(-2)] : path;
    const message = `this goes back to "${edge.to}" and closes a cycle (${[...shown, edge.to].join(' -> ')})`;
    context.reporter.error('GR1202', edge.span, message, 'repeat work with a loop');
  }
  for (const key of graph.unreachable) {
    const node = nodes.get(key);
    if (node === undefined) continue;
    context.reporter.error('GR1203', node.keySpan, `no path from the start leads to the node "${shorten(key)}"`);
  }
}

interface ReferencePlace {
  readonly region: RegionParts;
  readonly frame: RegionFrame;
  readonly graph: GraphAnalysis | undefined;
  readonly context: CompileContext;
}

function resolveReference(
  reference: ParsedReference,
  span: Span,
  reader: ParsedNode,
  { region, frame, graph, context }: ReferencePlace,
): SchemaRef | undefined {
  switch (reference.kind) {
    case 'workflow.input':
      return frame.workflowInput;
    case 'scope.input':
      return region.inputSchema;
    case 'scope.id':
      return 'string/v1';
    case 'node':
      break;
  }
  const { key } = reference;
  const { reporter } = context;
  const node = region.nodes.get(key);
  if (node === undefined) {
    const hint = (): string | null => didYouMean(key, region.nodes.keys());
    reporter.error('GR1303', span, `there is no node "${key}" in this region`, hint);
    return undefined;
  }
  if (node.output === null) {
    reporter.error('GR1304', span, `the node "${key}" has no output`);
    return undefined;
  }
  // Nothing is guaranteed at a node that is not reached, and that has been complained about.
  const guaranteed = graph?.guaranteed.get(reader.key);
  if (guaranteed !== undefined && !guaranteed.has(key)) {
    const why =
      key === reader.key
        ? `a node cannot read its own output`
        : `the success of "${key}" is not guaranteed on every path from the start to "${reader.key}"`;
    reporter.error('GR1305', span, why);
    return undefined;
  }
  return node.output;
}
