/** Building a value from a binding at run time: pure, and quick, since every node of every run does it. */
import type { Binding, Projection, Reference } from '../ir.js';
import { parsePointer, resolvePointer } from '../pointer.js';
import type { Json } from '../value.js';

/** What a binding can read where it stands. */
export interface Frame {
  /** The value of a reference, or undefined when it does not exist (which the compiler rules out). */
  read(reference: Reference): Json | undefined;
}

export type Evaluation =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: 'binding.missing'; readonly message: string };

/**
 * The value of `binding`. A pointer through null, a scalar or out of range is missing: the default is taken, and without
 * one the evaluation fails with `binding.missing`. An explicit null is a value. Nothing is coerced (spec 01 "Typing").
 */
export function evaluate(binding: Binding, frame: Frame): Evaluation {
  const missing: string[] = [];
  const value = build(binding, frame, missing);
  if (value !== undefined) return { ok: true, value };
  return { ok: false, code: 'binding.missing', message: missing[0] ?? 'A binding found nothing' };
}

/** The value, or undefined after pushing why it is missing. */
function build(binding: Binding, frame: Frame, missing: string[]): Json | undefined {
  if ('from' in binding) return pick(binding, frame, missing);
  if ('literal' in binding) return binding.literal;
  if ('array' in binding) {
    const items: Json[] = [];
    for (const item of binding.array) {
      const value = build(item, frame, missing);
      if (value === undefined) return undefined;
      items.push(value);
    }
    return items;
  }
  const members: [string, Json][] = [];
  for (const [key, member] of Object.entries(binding.object)) {
    const value = build(member, frame, missing);
    if (value === undefined) return undefined;
    members.push([key, value]);
  }
  return Object.fromEntries(members);
}

function pick(binding: Extract<Binding, Projection>, frame: Frame, missing: string[]): Json | undefined {
  const value = find(binding, frame);
  if (value !== undefined) return value;
  if (binding.default !== undefined) return binding.default;
  const where = binding.path === undefined ? binding.from : `"${binding.path}" of ${binding.from}`;
  missing.push(`There is no value at ${where}, and the binding has no default`);
  return undefined;
}

/** The value at a place, or undefined when there is none. */
export function find({ from, path }: Projection, frame: Frame): Json | undefined {
  const source = frame.read(from);
  return source === undefined ? undefined : resolvePointer(source, tokensOf(path ?? ''));
}

const WHOLE: readonly string[] = [];
const TOKENS = new Map<string, readonly string[]>();
/** Paths come from published definitions; the bound only keeps a process that sees very many from growing. */
const MAX_REMEMBERED = 10_000;

function tokensOf(path: string): readonly string[] {
  if (path === '') return WHOLE;
  let tokens = TOKENS.get(path);
  if (tokens === undefined) {
    tokens = parsePointer(path) ?? WHOLE;
    if (TOKENS.size >= MAX_REMEMBERED) TOKENS.clear();
    TOKENS.set(path, tokens);
  }
  return tokens;
}
