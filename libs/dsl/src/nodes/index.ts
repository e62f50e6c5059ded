/** The node kinds of the language. A new kind is a module beside this one and a line in this table. */
import { activity } from './activity.js';
import { choose } from './choose.js';
import { complete } from './complete.js';
import { continueAsNew } from './continue-as-new.js';
import { fail } from './fail.js';
import { foreach } from './foreach.js';
import { doWhileLoop, repeatLoop, whileLoop } from './loops.js';
import type { NodeKind } from './node-kind.js';
import { parallel } from './parallel.js';
import { saga } from './saga.js';
import { delay, waitUntil } from './timers.js';
import { waitSignal } from './wait-signal.js';

const KINDS = [
  activity,
  choose,
  whileLoop,
  doWhileLoop,
  repeatLoop,
  foreach,
  parallel,
  saga,
  delay,
  waitUntil,
  waitSignal,
  complete,
  fail,
  continueAsNew,
];

export const NODE_KINDS: ReadonlyMap<string, NodeKind> = new Map(KINDS.map((kind) => [kind.kind, kind]));

/** Where a field that a kind does not have belongs, as a sentence, or null. */
export function kindWithField(field: string): string | null {
  const owners = KINDS.filter(({ fields }) => Object.hasOwn(fields, field)).map(({ what }) => what);
  const [first, second, ...others] = owners;
  if (first === undefined) return null;
  if (second === undefined) return `it belongs to ${first}`;
  return others.length === 0 ? `it belongs to ${first} or ${second}` : 'it belongs to several kinds of node';
}
