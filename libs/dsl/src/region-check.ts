/** The checks of a region that need all of it: its graph, and what each binding can see from where it stands. */
import type { ParsedReference } from './bindings/reference.js';
import type { Typed } from './bindings/typing.js';
import type { CompileContext } from './context.js';
import { shorten } from './fields.js';
import { analyzeGraph, type GraphAnalysis } from './graph.js';
import type { SchemaRef } from './ir.js';
import type { NodeScope, ParsedNode, RegionFrame } from './nodes/node-kind.js';
import { schemaShape } from './schema/shape.js';
import type { Span } from './source/tree.js';
import { didYouMean } from './suggest.js';

export interface RegionParts {
  readonly inputSchema: SchemaRef | undefined;
  readonly outputSchema: SchemaRef | undefined;
  readonly start: { readonly text: string; readonly span: Span } | undefined;
  readonly nodes: ReadonlyMap<string, ParsedNode>;
}

export function checkRegion(region: RegionParts, frame: RegionFrame, context: CompileContext): void {
  const { nodes, start } = region;
  const graph = start === undefined ? undefined : analyzeGraph(nodes, start.text);
  const place = { region, frame, context };
  if (start !== undefined && !nodes.has(start.text)) reportMissing(start.text, start.span, place);
  if (graph !== undefined) reportGraph(graph, place);
  for (const node of nodes.values()) node.check(scopeOf(node, { region, graph, context, frame }));
}

interface Surroundings {
  readonly region: RegionParts;
  readonly graph: GraphAnalysis | undefined;
  readonly context: CompileContext;
  readonly frame: RegionFrame;
}

function scopeOf(node: ParsedNode, around: Surroundings): NodeScope {
  const { context, region, frame } = around;
  return {
    context,
    keySpan: node.keySpan,
    regionOutput: region.outputSchema,
    // What the node's own bodies inherit: its region is around them.
    frame: { ...frame, around: [...frame.around, region.nodes] },
    resolve: (reference, span) => resolve(reference, span, node, around),
    within: (other) => ({
      context,
      resolve: (reference, span) => resolve(reference, span, node, { ...around, frame: other }),
    }),
  };
}

type Place = Pick<Surroundings, 'region' | 'frame' | 'context'>;

function reportMissing(key: string, span: Span, { region, frame, context }: Place): void {
  context.reporter.error('GR1201', span, `there is no node "${shorten(key)}" in this region`, () =>
    isAround(key, frame)
      ? 'it is outside of this body, which only a "complete" leaves'
      : didYouMean(key, region.nodes.keys()),
  );
}

function isAround(key: string, { around }: RegionFrame): boolean {
  return around.some((nodes) => nodes.has(key));
}

function reportGraph(graph: GraphAnalysis, place: Place): void {
  const { context, region } = place;
  for (const edge of graph.dangling) reportMissing(edge.to, edge.span, place);
  for (const { edge, path } of graph.closing) {
    const shown = path.length > 6 ? [...path.slice(0, 3), '...', ...path.slice(-2)] : path;
    const message = `this goes back to "${edge.to}" and closes a cycle (${[...shown, edge.to].join(' -> ')})`;
    context.reporter.error('GR1202', edge.span, message, 'repeat work with a loop');
  }
  for (const key of graph.unreachable) {
    const node = region.nodes.get(key);
    if (node === undefined) continue;
    context.reporter.error('GR1203', node.keySpan, `no path from the start leads to the node "${shorten(key)}"`);
  }
}

// ----------------------------------------------------------------------------------------------------- references

/** Schemas of references that every place of a region sees. */
function resolve(reference: ParsedReference, span: Span, reader: ParsedNode, around: Surroundings): Typed | undefined {
  const { context, frame } = around;
  switch (reference.kind) {
    case 'workflow.input':
      return whole(frame.workflowInput);
    case 'scope.input':
      return whole(around.region.inputSchema);
    case 'scope.id':
      return { ref: 'string/v1' };
    case 'loop.state':
      return framed(frame.loopState, reference.kind, 'inside a loop', span, context);
    case 'loop.index':
      return framed(frame.loopState === null ? null : 'integer/v1', reference.kind, 'inside a loop', span, context);
    case 'item.value':
      return framed(frame.itemValue, reference.kind, 'inside a foreach', span, context);
    case 'item.index':
      return framed(frame.itemValue === null ? null : 'integer/v1', reference.kind, 'inside a foreach', span, context);
    case 'forward.input':
    case 'forward.output':
      return framed(null, reference.kind, 'in the input of a compensation', span, context);
    case 'node':
      return resolveNode(reference, span, reader, around);
  }
}

function whole(ref: SchemaRef | undefined): Typed | undefined {
  return ref === undefined ? undefined : { ref };
}

function framed(
  ref: SchemaRef | null | undefined,
  name: string,
  where: string,
  span: Span,
  context: CompileContext,
): Typed | undefined {
  if (ref !== null) return whole(ref);
  context.reporter.error('GR1309', span, `"${name}" exists only ${where}`);
  return undefined;
}

function resolveNode(
  { key, port }: Extract<ParsedReference, { kind: 'node' }>,
  span: Span,
  reader: ParsedNode,
  { region, graph, context, frame }: Surroundings,
): Typed | undefined {
  const { reporter } = context;
  const node = region.nodes.get(key);
  if (node === undefined) {
    const hint = (): string | null =>
      isAround(key, frame)
        ? 'it is outside of this body; pass what is needed from it as the input'
        : didYouMean(key, region.nodes.keys());
    reporter.error('GR1303', span, `there is no node "${shorten(key)}" in this region`, hint);
    return undefined;
  }
  if (port === 'output' && node.output === null) {
    reporter.error('GR1304', span, `the node "${key}" has no output`);
    return undefined;
  }
  // Nothing is guaranteed at a node that is not reached, or by one, and that has been complained about.
  const faulty = graph?.unreachable.includes(key) === true;
  if (!faulty && graph?.proofs.proven(reader.key, key, port) === false) {
    if (port === 'error' && node.edges.every((edge) => edge !== undefined && edge.proves !== 'error')) {
      reporter.error('GR1304', span, `the node "${key}" has no "on_error", so its error is never seen here`);
    } else reporter.error('GR1305', span, notCertain(key, port, reader.key));
    return undefined;
  }
  return port === 'error' ? { shape: ERROR_SHAPE } : whole(node.output ?? undefined);
}

function notCertain(key: string, port: 'output' | 'error', reader: string): string {
  if (key === reader) return `a node cannot read its own ${port}`;
  const what = port === 'output' ? 'the success' : 'the failure';
  return `${what} of "${key}" is not guaranteed on every path from the start to "${reader}"`;
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['code', 'message'],
  additionalProperties: false,
  properties: { code: { type: 'string' }, message: { type: 'string' } },
};

/** What `nodes.<key>.error` is: no schema of the catalog, so it has a shape and no identity. */
const ERROR_SHAPE = schemaShape(ERROR_SCHEMA, ERROR_SCHEMA);
