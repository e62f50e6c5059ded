import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { canonicalize } from './canonical.js';
import type { Json } from './value.js';

/** SHA-256 over the UTF-8 bytes of `text`, in lower-case hex. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** SHA-256 over the canonical JSON of `value`. */
export function digestOf(value: Json): string {
  return sha256Hex(canonicalize(value));
}
