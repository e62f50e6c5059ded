/**
 * Regions: a graph of nodes with one input and one output. The root of a workflow is one, and so is every body of a
 * container. Reading comes first and needs nothing around it; the container then settles the schemas it fixes, and
 * checks the body within the frame it gives it.
 */
import type { CompileContext } from './context.js';
import { Fields, optional, shorten, required, type FieldTable } from './fields.js';
import type { Node, Region, SchemaRef } from './ir.js';
import { LIMITS } from './limits.js';
import type { NamedRegion } from './named-regions.js';
import { isNodeKey } from './names.js';
import { kindWithField, NODE_KINDS } from './nodes/index.js';
import {
  sound,
  type FixedSchema,
  type NodePlace,
  type ParsedBody,
  type ParsedNode,
  type SettledBody,
  type StatedSchema,
} from './nodes/node-kind.js';
import { readAnnotation } from './read-annotation.js';
import { checkRegion } from './region-check.js';
import { formatSchemaRef, readSchemaRef, sameSchema } from './schema/schema-ref.js';
import { describeTree, type MapTree, type Member, type Span } from './source/tree.js';
import { closest, didYouMean } from './suggest.js';
import { SYNTAX } from './syntax.js';

/** The fields of a region, for the table of whatever holds one. */
export const REGION_FIELDS = {
  input_schema: required(SYNTAX.schemaRef, 'Schema of the input.'),
  output_schema: required(SYNTAX.schemaRef, 'Schema of the output.'),
  start: required(SYNTAX.nodeKey, 'The node that runs first.'),
  nodes: required(SYNTAX.nodes, 'The nodes by key.'),
} as const satisfies FieldTable;

/** The fields of a body. Which schemas may be left out depends on its container. */
export const BODY_FIELDS = {
  ...REGION_FIELDS,
  input_schema: optional(SYNTAX.schemaRef, 'Schema of the input; may be left out where the container fixes it.'),
  output_schema: optional(SYNTAX.schemaRef, 'Schema of the output; may be left out where the container fixes it.'),
} as const satisfies FieldTable;

/** A body that is written elsewhere in the document. */
export const USE_FIELDS = {
  use: required(SYNTAX.name, 'Name of a region under "regions" of the document.'),
} as const satisfies FieldTable;

/** Where a region stands. */
interface RegionPlace {
  readonly pointer: string;
  /** Regions around it, itself included: the root is 1. */
  readonly depth: number;
  /** Named regions that are being read, outermost first. */
  readonly using: readonly string[];
  /** Where a complaint about the region as a whole goes. */
  readonly span: Span;
}

/** Reads the root region of a document, whose fields stand among those of the document. */
export function readRootRegion(fields: Fields, context: CompileContext): SettledBody {
  const place = { pointer: '/root', depth: 1, using: [], span: fields.anchor };
  return readRegion(fields, place, context).settle({});
}

// --------------------------------------------------------------------------------------------------------- bodies

/** Reads the body in a field of a container: a region written out, or the name of one. */
function readBody(owner: Fields, field: string, place: Omit<RegionPlace, 'span'>, context: CompileContext) {
  const { reporter } = context;
  const found = owner.map(field);
  if (found === undefined) return undefined;
  if (place.depth > LIMITS.regionNesting) {
    const message = `regions are nested deeper than ${LIMITS.regionNesting}, the root included`;
    reporter.error('GR1114', found.keySpan, message, 'move a part into a workflow of its own');
    return undefined;
  }
  if (usesRegion(found.map)) return readUse(found, place, context);
  const fields = new Fields(found.map, BODY_FIELDS, { what: 'a body', anchor: found.keySpan }, reporter);
  return readRegion(fields, { ...place, span: found.keySpan }, context);
}

/** True for a body that names a region, if only with a misspelt field. */
function usesRegion({ members }: MapTree): boolean {
  if (members.has('use')) return true;
  const [key, ...others] = members.keys();
  return key !== undefined && others.length === 0 && closest(key, ['use']) !== null;
}

function readUse(
  found: { readonly map: MapTree; readonly keySpan: Span },
  place: Omit<RegionPlace, 'span'>,
  context: CompileContext,
): ParsedBody | undefined {
  const { reporter } = context;
  const what = { what: 'a body that uses a region', anchor: found.keySpan };
  const use = new Fields(found.map, USE_FIELDS, what, reporter).string('use');
  if (use === undefined) return undefined;
  const region = context.regions.get(use.text);
  context.usedRegions.add(use.text);
  if (region === undefined) {
    if (context.unreadable.has('regions')) return undefined;
    const message = `the document has no region "${shorten(use.text)}"`;
    reporter.error('GR1204', use.span, message, () => didYouMean(use.text, context.regions.keys()));
    return undefined;
  }
  if (place.using.includes(use.text)) {
    const path = [...place.using.slice(place.using.indexOf(use.text)), use.text].join(' -> ');
    reporter.error('GR1205', use.span, `the region "${use.text}" would be inside itself (${path})`);
    return undefined;
  }
  if (region.value.kind !== 'map' || !fitsExpanded(region, use.span, context)) return undefined;
  const anchor = region.keySpan;
  const fields = new Fields(region.value, BODY_FIELDS, { what: `the region "${use.text}"`, anchor }, reporter);
  return readRegion(fields, { ...place, using: [...place.using, use.text], span: use.span }, context);
}

/**
 * Regions multiply: one of 100 KiB in 250 places is work for half a minute, and the normal form would be refused for its
 * size only after all of it was done.
 */
function fitsExpanded(region: NamedRegion, span: Span, context: CompileContext): boolean {
  const before = context.expandedBytes;
  context.expandedBytes += region.bytes;
  if (context.expandedBytes <= LIMITS.expandedBytes) return true;
  // The first report is enough.
  if (before <= LIMITS.expandedBytes) {
    const message = `with each region in the place of its name the document is larger than ${LIMITS.expandedBytes} bytes`;
    context.reporter.error('GR1113', span, message, 'move a part into a workflow of its own');
  }
  return false;
}

function readRegion(fields: Fields, place: RegionPlace, context: CompileContext): ParsedBody {
  const input = readStated(fields, 'input_schema', place, context);
  const output = readStated(fields, 'output_schema', place, context);
  const start = fields.string('start');
  const nodes = readNodes(fields, place, context);
  return {
    input,
    output,
    settle(fixed) {
      const inputSchema = settleSchema('input_schema', input, fixed.input ?? null, place, context);
      const outputSchema = settleSchema('output_schema', output, fixed.output ?? null, place, context);
      return {
        inputSchema,
        outputSchema,
        check: (frame) => {
          if (nodes !== undefined) checkRegion({ inputSchema, outputSchema, start, nodes }, frame, context);
        },
        normalize: (): Region => ({
          inputSchema: sound(inputSchema),
          outputSchema: sound(outputSchema),
          start: sound(start).text,
          nodes: Object.fromEntries([...sound(nodes).values()].map((node) => [node.key, node.normalize()])),
        }),
      };
    },
  };
}

function readStated(fields: Fields, field: string, place: RegionPlace, context: CompileContext): StatedSchema | null {
  if (!fields.has(field)) return null;
  const tree = fields.tree(field);
  const ref = tree === undefined ? undefined : readSchemaRef(tree, context);
  // In a region that is used by name, the place that uses it is what may be wrong.
  const span = place.using.length > 0 ? place.span : (tree?.span ?? place.span);
  return { ref, span };
}

function settleSchema(
  field: 'input_schema' | 'output_schema',
  stated: StatedSchema | null,
  fixed: FixedSchema | null,
  place: RegionPlace,
  context: CompileContext,
): SchemaRef | undefined {
  const { reporter, extensions } = context;
  if (fixed === null) {
    // What the document itself lacks is said where its table is read.
    if (stated === null && place.depth > 1) {
      reporter.error('GR1102', place.span, `the body needs the field "${field}": nothing else says it`);
    }
    return stated?.ref;
  }
  if (stated === null) {
    extensions.add('inferred_schemas');
    return fixed.ref;
  }
  if (stated.ref !== undefined && fixed.ref !== undefined && !sameSchema(stated.ref, fixed.ref)) {
    const message = `the ${field} of the body is ${formatSchemaRef(stated.ref)}, but ${fixed.by} is ${formatSchemaRef(fixed.ref)}`;
    reporter.error('GR1409', stated.span, message);
  }
  return fixed.ref ?? stated.ref;
}

// --------------------------------------------------------------------------------------------------------- nodes

function readNodes(
  fields: Fields,
  place: RegionPlace,
  context: CompileContext,
): ReadonlyMap<string, ParsedNode> | undefined {
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
  return new Map(members.map((member): [string, ParsedNode] => [member.key, readNode(member, place, context)]));
}

function readNode(member: Member, region: RegionPlace, context: CompileContext): ParsedNode {
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
  const kind = readKind(member, value, context);
  if (kind === undefined) return brokenNode(key, keySpan);
  const fields = new Fields(
    value,
    kind.fields,
    { what: kind.what, anchor: keySpan, elsewhere: kindWithField },
    reporter,
  );
  const pointer = `${region.pointer}/nodes/${key}`;
  readAnnotation(fields, pointer, context);
  const { depth, using } = region;
  const place: NodePlace = {
    key,
    keySpan,
    pointer,
    body: (owner, field, at) => readBody(owner, field, { pointer: pointer + at, depth: depth + 1, using }, context),
  };
  const node = kind.parse(fields, place, context);
  const misplaced = EDGE_FIELDS.some((field) => value.members.has(field) && !Object.hasOwn(kind.fields, field));
  // The author meant it to go on somewhere: what is behind such an edge is not blamed for being unreachable.
  return misplaced ? { ...node, edges: [...node.edges, undefined] } : node;
}

const EDGE_FIELDS = ['next', 'on_timeout', 'on_error'] as const;

function readKind({ key, keySpan }: Member, map: MapTree, { reporter }: CompileContext) {
  const tree = map.members.get('kind')?.value;
  if (tree === undefined) {
    const hint = (): string | null => {
      const misspelt = closest('kind', map.members.keys());
      return misspelt === null ? null : `is "${misspelt}" meant to be "kind"?`;
    };
    reporter.error('GR1102', keySpan, `the node "${shorten(key)}" needs the field "kind"`, hint);
    return undefined;
  }
  if (tree.kind === 'broken') return undefined;
  if (tree.kind !== 'scalar' || typeof tree.value !== 'string') {
    reporter.error('GR1103', tree.span, `"kind" is a string; this is ${describeTree(tree)}`);
    return undefined;
  }
  const name = tree.value;
  const kind = NODE_KINDS.get(name);
  if (kind === undefined) {
    const kinds = [...NODE_KINDS.keys()];
    const hint = didYouMean(name, kinds) ?? `the kinds are ${kinds.join(', ')}`;
    reporter.error('GR1107', tree.span, `there is no node kind "${shorten(name)}"`, hint);
  }
  return kind;
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
