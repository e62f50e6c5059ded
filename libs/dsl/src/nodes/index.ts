/** The node kinds of the language. A new kind is a module beside this one and a line in this table. */
import { activity } from './activity.js';
import { complete } from './complete.js';
import { fail } from './fail.js';
import type { NodeKind } from './node-kind.js';

export const NODE_KINDS: ReadonlyMap<string, NodeKind> = new Map(
  [activity, complete, fail].map((kind) => [kind.kind, kind]),
);

/** Kinds of the language that this compiler does not know yet. */
export const LATER_NODE_KINDS: ReadonlySet<string> = new Set([
  'choose',
  'while',
  'do_while',
  'repeat',
  'foreach',
  'parallel',
  'saga',
  'delay',
  'wait_until',
  'wait_signal',
  'continue_as_new',
]);

/** Where a field that a kind does not have belongs, as a sentence, or null. */
export function kindWithField(field: string): string | null {
  for (const kind of NODE_KINDS.values()) {
    if (Object.hasOwn(kind.fields, field)) return `it belongs to ${kind.what}`;
  }
  return null;
}
