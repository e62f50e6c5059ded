/**
 * Values that a document writes out although the engine refuses them at run time. A number out of range is a failure that a
 * document may mean, and catch, so it is pointed out; a text that is too long never is.
 */
import type { ParsedBinding, ParsedLiteral } from '../bindings/parse.js';
import { byteLength } from '../canonical.js';
import type { Reporter } from '../diagnostic.js';

export interface IntegerRange {
  /** The field, quoted, for messages. */
  readonly what: string;
  readonly min: number;
  readonly max: number;
}

/** Points out an integer out of range; what is bound is known at run time only. */
export function checkIntegerLiteral(
  binding: ParsedBinding,
  { what, min, max }: IntegerRange,
  reporter: Reporter,
): void {
  const literal = writtenOut(binding);
  if (literal === null || typeof literal.value !== 'number') return;
  const { value, tree } = literal;
  if (!Number.isInteger(value) || (value >= min && value <= max)) return;
  const range = max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`;
  reporter.warning('GR1317', tree.span, `${what} is ${range}; this is ${value}, which fails when it is reached`);
}

export interface TextLength {
  readonly what: string;
  readonly maxBytes: number;
}

/** Complains about a text that is too long. */
export function checkTextLiteral(binding: ParsedBinding, { what, maxBytes }: TextLength, reporter: Reporter): void {
  const literal = writtenOut(binding);
  if (literal === null || typeof literal.value !== 'string') return;
  const bytes = byteLength(literal.value);
  if (bytes <= maxBytes) return;
  reporter.error('GR1112', literal.tree.span, `${what} has at most ${maxBytes} bytes; this has ${bytes}`);
}

/** The literal, or the default that stands for what is missing. */
function writtenOut(binding: ParsedBinding): ParsedLiteral | null {
  if (binding.form === 'literal') return binding.literal;
  return binding.form === 'from' ? binding.fallback : null;
}
