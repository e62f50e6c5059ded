/** Spelling of names and node keys (spec 01 "Names"). */
import { LIMITS } from './limits.js';

const NAME = /^[A-Za-z0-9_.-]+$/;
const NODE_KEY = /^[a-z][a-z0-9_]*$/;
const SCHEMA_NAME = /^([A-Za-z0-9_.-]+)\/v([1-9][0-9]*)$/;

/** Workflow, schema, activity, signal, branch, case and error-code names. */
export function isName(text: string): boolean {
  return text.length <= LIMITS.nameChars && NAME.test(text);
}

/** Keys of `nodes`. */
export function isNodeKey(text: string): boolean {
  return text.length <= LIMITS.nameChars && NODE_KEY.test(text);
}

/** Versions are positive safe integers. */
export function isVersion(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

/** `name/vN`, the way schemas and contracts are identified in text. */
export function versionedName(name: string, version: number): string {
  return `${name}/v${version}`;
}

/** Splits `name/vN`, or returns null when `text` is not one. */
export function parseVersionedName(text: string): { readonly name: string; readonly version: number } | null {
  // The longest possible name, "/v" and the sixteen digits of the largest safe integer.
  if (text.length > LIMITS.nameChars + 18) return null;
  const match = SCHEMA_NAME.exec(text);
  const name = match?.[1];
  const version = Number(match?.[2]);
  return name !== undefined && isName(name) && isVersion(version) ? { name, version } : null;
}
