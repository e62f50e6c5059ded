/** References: the names under which a binding finds values (spec 01 "Bindings"). */
import type { CompileContext } from '../context.js';
import { shorten } from '../fields.js';
import type { Reference } from '../ir.js';
import { isNodeKey } from '../names.js';
import type { Span } from '../source/tree.js';
import { closest } from '../suggest.js';

export type ParsedReference =
  { readonly kind: 'workflow.input' | 'scope.input' | 'scope.id' } | { readonly kind: 'node'; readonly key: string };

const NODE_REFERENCE = /^nodes\.([^.]+)\.([^.]+)$/;

/** References of language parts that have a frame of their own, and where those frames exist. */
const FRAMED: Readonly<Record<string, string>> = {
  'loop.state': 'inside a loop',
  'loop.index': 'inside a loop',
  'item.value': 'inside a foreach',
  'item.index': 'inside a foreach',
  'forward.input': 'in the input of a compensation',
  'forward.output': 'in the input of a compensation',
};

const SIMPLE = ['workflow.input', 'scope.input', 'scope.id'] as const;

/** Reads a reference; undefined after reporting. `nodeKeys` serve "did you mean". */
export function readReference(text: string, span: Span, context: CompileContext): ParsedReference | undefined {
  for (const kind of SIMPLE) if (text === kind) return { kind };
  const [, key, port] = NODE_REFERENCE.exec(text) ?? [];
  if (key !== undefined && port === 'output' && isNodeKey(key)) return { kind: 'node', key };
  const { reporter } = context;
  const frame = Object.hasOwn(FRAMED, text) ? FRAMED[text] : undefined;
  if (frame !== undefined) {
    reporter.error('GR1302', span, `"${text}" exists only ${frame}`);
  } else if (key !== undefined && port === 'error') {
    reporter.error('GR1105', span, 'references to the error of a node are not supported yet');
  } else {
    reporter.error('GR1302', span, `"${shorten(text)}" is not a reference`, suggestion(text, key));
  }
  return undefined;
}

function suggestion(text: string, key: string | undefined): string {
  if (key !== undefined && isNodeKey(key)) return `did you mean "nodes.${key}.output"?`;
  const name = closest(text, SIMPLE);
  if (name !== null) return `did you mean "${name}"?`;
  return `references are ${SIMPLE.join(', ')} and nodes.<key>.output; what follows in the value goes into "path"`;
}

export function formatReference(reference: ParsedReference): Reference {
  return reference.kind === 'node' ? `nodes.${reference.key}.output` : reference.kind;
}
