/**
 * Canonical JSON (RFC 8785): one spelling for each value, so that equal values have equal digests whatever the order
 * of their keys and whoever wrote them.
 */
import type { Json, JsonObject } from './value.js';

/**
 * The canonical spelling of a value. Keys are ordered by UTF-16 code units, numbers and strings are spelled as
 * ECMAScript does. The value must have passed `checkValue`: there is no canonical NaN.
 */
export function canonicalize(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isArray(value)) {
    let text = '[';
    for (let index = 0; index < value.length; index += 1) {
      if (index > 0) text += ',';
      text += canonicalize(value[index] ?? null);
    }
    return text + ']';
  }
  // The default order of `sort` is by UTF-16 code units, which is what the RFC asks for.
  const keys = Object.keys(value).sort();
  let text = '{';
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] ?? '';
    if (index > 0) text += ',';
    text += JSON.stringify(key) + ':' + canonicalize(value[key] ?? null);
  }
  return text + '}';
}

/** Length of `text` in UTF-8 bytes. A lone surrogate counts as the three bytes it is replaced with. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else {
      bytes += 2;
      // A surrogate pair takes four bytes: two units counted once, and two more.
      if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) index += 1;
    }
  }
  return bytes;
}

/** `Array.isArray` that also narrows readonly arrays. */
export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** True for JSON objects, not for null and arrays. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
