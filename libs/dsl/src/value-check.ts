/**
 * The door for values (spec 01 "Values and numbers"): whatever comes from outside passes here once and is trusted
 * from then on. It is on the path of every command, so it makes one pass and allocates nothing for a good value.
 */
import { LIMITS } from './limits.js';
import { escapeToken } from './pointer.js';
import type { Json } from './value.js';

/** Why a value is refused: where (JSON pointer), why, and the name of the limit if one was exceeded. */
export interface ValueIssue {
  readonly pointer: string;
  readonly message: string;
  /** Name of the limit in `LIMITS`. */
  readonly limit?: 'payloadBytes' | 'depth';
}

export interface ValueLimits {
  /** Size as compact JSON in UTF-8 bytes; default `LIMITS.payloadBytes`. */
  readonly maxBytes?: number;
  /** A scalar has depth 0; default `LIMITS.depth`. */
  readonly maxDepth?: number;
}

/** Parses JSON text and checks the value against the default limits. */
export function parseJson(
  text: string,
): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly issue: ValueIssue } {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return { ok: false, issue: { pointer: '', message: `is not JSON: ${describe(error)}` } };
  }
  const issue = checkValue(value);
  return issue === null ? { ok: true, value } : { ok: false, issue };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** First reason to refuse `value`, or null when it is a good JSON value within the limits. */
export function checkValue(value: unknown, limits: ValueLimits = {}): ValueIssue | null {
  const maxBytes = limits.maxBytes ?? LIMITS.payloadBytes;
  const maxDepth = limits.maxDepth ?? LIMITS.depth;
  const size = measure(value, maxDepth, maxBytes);
  if (size >= 0) {
    if (size <= maxBytes) return null;
    return { pointer: '', message: tooLarge(maxBytes), limit: 'payloadBytes' };
  }
  return locate(value, maxDepth, maxDepth, '');
}

function tooLarge(maxBytes: number): string {
  return `is larger than ${maxBytes} bytes; store it elsewhere and pass a reference`;
}

const REFUSED = -1;

/**
 * Size of the compact JSON in bytes, or `REFUSED`. Stops early once `budget` is exceeded. Numbers are written out only
 * when they are not small integers.
 */
function measure(value: unknown, depthLeft: number, budget: number): number {
  switch (typeof value) {
    case 'string':
      return measureString(value);
    case 'number':
      return measureNumber(value);
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      break;
    default:
      return REFUSED;
  }
  if (value === null) return 4;
  if (depthLeft === 0) return REFUSED;
  if (Array.isArray(value)) return measureArray(value, depthLeft, budget);
  return isPlainObject(value) ? measureObject(value, depthLeft, budget) : REFUSED;
}

function measureArray(items: readonly unknown[], depthLeft: number, budget: number): number {
  let bytes = 2 + Math.max(0, items.length - 1);
  for (let index = 0; index < items.length && bytes <= budget; index += 1) {
    const size = measure(items[index], depthLeft - 1, budget - bytes);
    if (size < 0) return REFUSED;
    bytes += size;
  }
  return bytes;
}

function measureObject(members: Readonly<Record<string, unknown>>, depthLeft: number, budget: number): number {
  let bytes = 1;
  for (const key in members) {
    const keySize = measureString(key);
    if (keySize < 0) return REFUSED;
    const size = measure(members[key], depthLeft - 1, budget - bytes);
    if (size < 0) return REFUSED;
    // The colon, and the comma or the closing brace.
    bytes += keySize + size + 2;
    if (bytes > budget) return bytes;
  }
  return bytes === 1 ? 2 : bytes;
}

function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  // An object of another realm (a worker thread, a test sandbox) has another Object.prototype, which ends its chain.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
}

function measureNumber(value: number): number {
  if (Number.isInteger(value)) {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) return REFUSED;
    let bytes = value < 0 ? 2 : 1;
    for (let rest = Math.abs(value); rest >= 10; rest = Math.floor(rest / 10)) bytes += 1;
    return bytes;
  }
  return Number.isFinite(value) ? String(value).length : REFUSED;
}

/** Bytes of a string as JSON, quotes included, or `REFUSED` for NUL and lone surrogates. */
function measureString(text: string): number {
  // For long text the regular expression is many times faster than a loop.
  if (text.length > 64 && PLAIN_ASCII.test(text)) return text.length + 2;
  let bytes = text.length + 2;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      if (unit >= 0x20 ? unit === 0x22 || unit === 0x5c : SHORT_ESCAPES.has(unit)) bytes += 1;
      else if (unit < 0x20) {
        if (unit === 0) return REFUSED;
        bytes += 5;
      }
    } else if (unit < 0x800) bytes += 1;
    else {
      bytes += 2;
      if (unit >= 0xd800 && unit < 0xe000) {
        if (unit >= 0xdc00 || (text.charCodeAt(index + 1) & 0xfc00) !== 0xdc00) return REFUSED;
        index += 1;
      }
    }
  }
  return bytes;
}

/** Printable ASCII without the quote and the backslash: one byte for each character. */
const PLAIN_ASCII = /^[ !#-[\]-~]*$/;

/** Control characters that JSON writes with two characters: \b \t \n \f \r. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

/** Finds the first refusal in a value that `measure` refused. */
function locate(value: unknown, depthLeft: number, maxDepth: number, pointer: string): ValueIssue | null {
  const message = scalarIssue(value);
  if (message !== null) return { pointer, message };
  if (value === null || typeof value !== 'object') return null;
  if (depthLeft === 0) {
    return { pointer, message: `is nested deeper than ${maxDepth} levels`, limit: 'depth' };
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const issue = locate(value[index], depthLeft - 1, maxDepth, `${pointer}/${index}`);
      if (issue !== null) return issue;
    }
    return null;
  }
  for (const [key, member] of Object.entries(value)) {
    const keyIssue = scalarIssue(key);
    // The key itself cannot be shown in a pointer, so the object is named.
    if (keyIssue !== null) return { pointer, message: `has a key that ${keyIssue}` };
    const issue = locate(member, depthLeft - 1, maxDepth, `${pointer}/${escapeToken(key)}`);
    if (issue !== null) return issue;
  }
  return null;
}

/** What is wrong with a value that has no members, or null. */
export function scalarIssue(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      if (measureString(value) >= 0) return null;
      return value.includes('\0')
        ? 'holds a NUL character, which cannot be stored'
        : 'holds half of a surrogate pair, which is not text';
    case 'number':
      return numberIssue(value);
    case 'boolean':
      return null;
    case 'object':
      if (value === null || Array.isArray(value) || isPlainObject(value)) return null;
      return 'is not a plain JSON object';
    case 'undefined':
      return 'is undefined, which JSON does not have; leave the member out or say null';
    default:
      return `is a ${typeof value}, which JSON does not have`;
  }
}

/** What is wrong with a number, or null. */
export function numberIssue(value: number): string | null {
  if (Object.is(value, -0)) return 'is -0; write 0';
  if (Number.isNaN(value)) return 'is NaN, which JSON does not have';
  if (!Number.isFinite(value)) return 'is not a finite number';
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return `is an integer beyond ${Number.MAX_SAFE_INTEGER}; send it as a string`;
  }
  return null;
}
