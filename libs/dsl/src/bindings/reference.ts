/** References: the names under which a binding finds values (spec 01 "Bindings"). */
import type { CompileContext } from '../context.js';
import { shorten } from '../fields.js';
import type { Reference } from '../ir.js';
import { isNodeKey } from '../names.js';
import type { Span } from '../source/tree.js';
import { closest } from '../suggest.js';

/** References that are plain names, with what they mean. Where each exists is decided where it is resolved. */
export const REFERENCES = {
  'workflow.input': 'The input of the workflow.',
  'scope.input': 'The input of the region around the node.',
  'scope.id': 'A string that is unique to this region of this run.',
  'loop.state': 'The carry of the nearest loop.',
  'loop.index': 'Iterations of the nearest loop that are done, from 0.',
  'item.value': 'The item of the nearest foreach.',
  'item.index': 'Its index, from 0.',
  'forward.input': 'The input of the activity that is undone; in compensations only.',
  'forward.output': 'The output of the activity that is undone; in compensations only.',
} as const;

export type NamedReference = keyof typeof REFERENCES;
export const NAMED_REFERENCES = Object.keys(REFERENCES) as readonly NamedReference[];

/** What a node leaves behind, as in `nodes.<key>.output`. */
export const NODE_PORTS = ['output', 'error'] as const;

export type ParsedReference =
  | { readonly kind: NamedReference }
  | { readonly kind: 'node'; readonly key: string; readonly port: (typeof NODE_PORTS)[number] };

const NODE_REFERENCE = /^nodes\.([^.]+)\.([^.]+)$/;

/** Reads a reference; undefined after reporting that it is none. */
export function readReference(text: string, span: Span, context: CompileContext): ParsedReference | undefined {
  const name = NAMED_REFERENCES.find((candidate) => candidate === text);
  if (name !== undefined) return { kind: name };
  const [, key, port] = NODE_REFERENCE.exec(text) ?? [];
  // A key that no node can have is as unknown as any other, and is said where nodes are looked up.
  if (key !== undefined && (port === 'output' || port === 'error')) return { kind: 'node', key, port };
  context.reporter.error('GR1302', span, `"${shorten(text)}" is not a reference`, suggestion(text, key));
  return undefined;
}

/** `nodes.reserve`, or what lies inside a value as if it were a name: `workflow.input.amount`. */
const BARE_NODE = /^nodes\.([^.]+)$/;
const INSIDE = /^(nodes\.[^.]+\.(?:output|error)|[a-z]+\.[a-z]+)\.(.+)$/;

function suggestion(text: string, key: string | undefined): string {
  const node = key ?? BARE_NODE.exec(text)?.[1];
  if (node !== undefined && isNodeKey(node)) return `did you mean "nodes.${node}.output"?`;
  const [, outer = '', inner = ''] = INSIDE.exec(text) ?? [];
  if (looksLikeReference(outer) && inner.length < MAX_SHOWN) {
    return `what is inside of a value goes into "path": {from: ${outer}, path: /${inner.replaceAll('.', '/')}}`;
  }
  const name = closest(text, NAMED_REFERENCES);
  if (name !== null) return `did you mean "${name}"?`;
  return `references are ${NAMED_REFERENCES.join(', ')}, nodes.<key>.output and nodes.<key>.error`;
}

const MAX_SHOWN = 80;

/** True for the spelling of a reference, whatever it refers to. */
export function looksLikeReference(text: string): boolean {
  return NAMED_REFERENCES.some((name) => name === text) || NODE_REFERENCE.test(text);
}

export function formatReference(reference: ParsedReference): Reference {
  return reference.kind === 'node' ? `nodes.${reference.key}.${reference.port}` : reference.kind;
}
