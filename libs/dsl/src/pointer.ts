/** JSON pointers (RFC 6901). */
import { isArray } from './canonical.js';
import type { Json } from './value.js';

const INDEX = /^(?:0|[1-9][0-9]{0,15})$/;

/** A regular expression, without anchors: a pointer begins with `/`, and has `~` only as `~0` or `~1`. */
export const POINTER_PATTERN = '(/[^~]*(~[01][^~]*)*)?';

const POINTER = new RegExp(`^${POINTER_PATTERN}$`);

/** The reference tokens of a pointer, or null when it is not one. */
export function parsePointer(pointer: string): readonly string[] | null {
  if (pointer === '') return [];
  if (!POINTER.test(pointer)) return null;
  return pointer.slice(1).split('/').map(unescapeToken);
}

function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

/** One reference token, escaped. */
export function escapeToken(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}

/** The array index a token stands for, or null. `-` and leading zeros are not indices. */
export function arrayIndex(token: string): number | null {
  return INDEX.test(token) ? Number(token) : null;
}

/** What `tokens` find in `value`; undefined when they lead through null, a scalar or out of range. */
export function resolvePointer(value: Json, tokens: readonly string[]): Json | undefined {
  let current: Json = value;
  for (const token of tokens) {
    if (current === null || typeof current !== 'object') return undefined;
    let next: Json | undefined;
    if (isArray(current)) {
      const index = arrayIndex(token);
      next = index === null ? undefined : current[index];
    } else {
      // Own members only: `/constructor` of an object without one is missing.
      next = Object.hasOwn(current, token) ? current[token] : undefined;
    }
    if (next === undefined) return undefined;
    current = next;
  }
  return current;
}
