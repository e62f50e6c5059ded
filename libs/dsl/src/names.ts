/** Spelling of names and node keys (spec 01 "Names"). */
import { LIMITS } from './limits.js';

/** Regular expressions, without anchors. */
export const NAME_PATTERN = `[A-Za-z0-9_.-]{1,${LIMITS.nameChars}}`;
export const NODE_KEY_PATTERN = `[a-z][a-z0-9_]{0,${LIMITS.nameChars - 1}}`;
export const SCHEMA_NAME_PATTERN = `(${NAME_PATTERN})/v([1-9][0-9]{0,15})`;

const NAME = new RegExp(`^${NAME_PATTERN}$`);
const NODE_KEY = new RegExp(`^${NODE_KEY_PATTERN}$`);
const SCHEMA_NAME = new RegExp(`^${SCHEMA_NAME_PATTERN}$`);

/** Workflow, schema, activity, signal, branch, case and error-code names. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** Keys of `nodes`. */
export function isNodeKey(text: string): boolean {
  return NODE_KEY.test(text);
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
  const match = SCHEMA_NAME.exec(text);
  const name = match?.[1];
  const version = Number(match?.[2]);
  return name !== undefined && isVersion(version) ? { name, version } : null;
}
