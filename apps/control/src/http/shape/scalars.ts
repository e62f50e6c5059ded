/** The scalar shapes of the API: names, ids, versions, durations, times, pages. */
import type { ActivationId, CommandId, RunId, SignalEventId } from '@graphrun/domain';
import { checkValue, isName, LIMITS, parseDuration } from '@graphrun/dsl';
import type { Json } from '@graphrun/dsl';
import { isCommandId, isRunId } from '@graphrun/protocol';
import { REFUSED } from './shape.js';
import type { JsonSchema, Shape } from './shape.js';

function shape<T>(schema: JsonSchema, message: string, accept: (value: unknown) => T | typeof REFUSED): Shape<T> {
  return {
    schema,
    read(value, pointer, issues) {
      const accepted = accept(value);
      if (accepted === REFUSED) issues.push({ pointer, message });
      return accepted;
    },
  };
}

/** Workflow and activity names. */
export const name: Shape<string> = shape(
  { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,64}$' },
  'must be a name of 1 to 64 characters of A-Z a-z 0-9 _ . -',
  (value) => (typeof value === 'string' && isName(value) ? value : REFUSED),
);

/** A version number or `latest` (null). */
export const version: Shape<number | null> = shape(
  { oneOf: [{ type: 'integer', minimum: 1 }, { const: 'latest' }] },
  'must be a positive integer or "latest"',
  (value) =>
    value === 'latest'
      ? null
      : typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
        ? value
        : REFUSED,
);

/** A text that can be stored, of `minBytes` to `maxBytes` bytes of UTF-8. */
export function text(maxBytes: number, minBytes = 1): Shape<string> {
  return shape(
    { type: 'string', minLength: minBytes, maxLength: maxBytes },
    `must be a text of ${minBytes} to ${maxBytes} bytes without NUL or lone surrogates`,
    (value) =>
      typeof value === 'string' &&
      value.length >= minBytes &&
      Buffer.byteLength(value) <= maxBytes &&
      checkValue(value) === null
        ? value
        : REFUSED,
  );
}

/** A JSON integer from `min` to `max`. */
export function integer(min: number, max: number): Shape<number> {
  return shape({ type: 'integer', minimum: min, maximum: max }, `must be an integer from ${min} to ${max}`, (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max ? value : REFUSED,
  );
}

/** Any JSON value within the limits of the language. */
export const json: Shape<Json> = {
  schema: { description: 'Any JSON value: integers within 2^53-1, depth at most 32, at most 256 KiB.' },
  read(value, pointer, issues) {
    const issue = checkValue(value);
    if (issue === null) return value as Json; // checkValue accepts JSON only
    issues.push({ pointer: `${pointer}${issue.pointer}`, message: issue.message });
    return REFUSED;
  },
};

/** A JSON object that something else examines. */
export const anyObject: Shape<Record<string, Json>> = shape({ type: 'object' }, 'must be an object', (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, Json>) : REFUSED,
);

/** The compiler says itself what is too large or too deep for a workflow; this only bounds what it is given. */
const DOCUMENT_DEPTH = 256;

/** A workflow document as plain JSON, just what its YAML would say; the compiler says what is wrong inside. */
export const workflowDocument: Shape<Record<string, Json>> = {
  schema: { type: 'object', description: 'What the YAML document would say, as JSON.' },
  read(value, pointer, issues) {
    const issue = checkValue(value, { maxBytes: Number.MAX_SAFE_INTEGER, maxDepth: DOCUMENT_DEPTH });
    if (issue === null) return anyObject.read(value, pointer, issues);
    issues.push({ pointer: `${pointer}${issue.pointer}`, message: issue.message });
    return REFUSED;
  },
};

// ------------------------------------------------------------------------- what comes as text in paths and queries

export const runId: Shape<RunId> = shape(
  { type: 'string', format: 'uuid' },
  'must be the id of a run, such as 0190a7b0-7a3c-7c1e-9f2d-0123456789ab',
  (value) => (typeof value === 'string' && isRunId(value) ? value : REFUSED),
);

/** What can be blocked: an activity, or its compensation. */
export const activationId: Shape<ActivationId> = shape(
  { type: 'string', pattern: '^a[1-9][0-9]{0,8}c?$', examples: ['a7'] },
  'must be an activation such as a7, or a7c for its compensation',
  (value) => (typeof value === 'string' && /^a[1-9][0-9]{0,8}c?$/.test(value) ? (value as ActivationId) : REFUSED),
);

/** Identity of a signal: whoever sends it chooses one and keeps it through all repeats. */
export const signalEventId: Shape<SignalEventId> = shape(
  { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
  'must be 1 to 128 characters of A-Z a-z 0-9 _ . : -',
  (value) => (typeof value === 'string' && isCommandId(value) ? (value as string as SignalEventId) : REFUSED),
);

/** `30s`, `500ms`, up to `maxMs`; read as ms. */
export function duration(maxMs: number): Shape<number> {
  return shape(
    { type: 'string', pattern: '^[1-9][0-9]*(ms|s|m|h|d)$', examples: ['30s'] },
    `must be a duration such as 500ms, 30s or 2m, at most ${maxMs / 1000}s`,
    (value) => {
      const durationMs = typeof value === 'string' ? parseDuration(value) : null;
      return durationMs !== null && durationMs <= maxMs ? durationMs : REFUSED;
    },
  );
}

/** A decimal integer from `min` to `max`. */
export function integerText(min: number, max: number): Shape<number> {
  return shape({ type: 'integer', minimum: min, maximum: max }, `must be an integer from ${min} to ${max}`, (value) => {
    const number = typeof value === 'string' && /^(0|[1-9][0-9]*)$/.test(value) ? Number(value) : NaN;
    return number >= min && number <= max ? number : REFUSED;
  });
}

export const versionText: Shape<number | null> = shape(
  { oneOf: [{ type: 'integer', minimum: 1 }, { const: 'latest' }] },
  'must be a positive integer or latest',
  (value) => {
    if (value === 'latest') return null;
    const number = typeof value === 'string' && /^[1-9][0-9]*$/.test(value) ? Number(value) : NaN;
    return Number.isSafeInteger(number) ? number : REFUSED;
  },
);

/** UTC ms, or an RFC 3339 time with its zone; read as UTC ms. */
export const time: Shape<number> = shape(
  {
    oneOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', format: 'date-time' },
    ],
  },
  'must be UTC milliseconds, or a time with zone such as 2026-01-31T12:00:00Z',
  (value) => {
    const given = typeof value === 'string' ? value : '';
    if (/^(0|[1-9][0-9]{0,15})$/.test(given)) return Number.isSafeInteger(Number(given)) ? Number(given) : REFUSED;
    const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(given)
      ? Date.parse(given)
      : NaN;
    return Number.isNaN(ms) ? REFUSED : ms;
  },
);

/** One member of a closed set. */
export function oneOf<T extends string>(members: readonly T[]): Shape<T> {
  return shape({ type: 'string', enum: members }, `must be one of ${members.join(', ')}`, (value) => {
    return members.find((member) => member === value) ?? REFUSED;
  });
}

/** Comma-separated members of a closed set. */
export function listOf<T extends string>(members: readonly T[]): Shape<readonly T[]> {
  return shape(
    { type: 'string', description: `Comma-separated: ${members.join(', ')}.`, examples: [members[0]] },
    `must be one or more of ${members.join(', ')}, separated by commas`,
    (value) => {
      const parts = typeof value === 'string' ? value.split(',') : [];
      const found = parts.map((part) => members.find((member) => member === part));
      return found.length > 0 && found.every((member) => member !== undefined) ? found : REFUSED;
    },
  );
}

export const startKey: Shape<string> = text(LIMITS.startKeyBytes);
/** What a page hands out for the next one; the store checks what is inside. */
export const cursor: Shape<string> = shape(
  { type: 'string', pattern: '^[A-Za-z0-9_=-]{1,512}$' },
  'must be the cursor of an earlier page, unchanged',
  (value) => (typeof value === 'string' && /^[A-Za-z0-9_=-]{1,512}$/.test(value) ? value : REFUSED),
);

export const commandId: Shape<CommandId> = shape(
  { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
  'must be 1 to 128 characters of A-Z a-z 0-9 _ . : -',
  (value) => (typeof value === 'string' && isCommandId(value) ? value : REFUSED),
);

/** A YAML document; the compiler says what is wrong inside. */
export function yamlText(maxBytes: number): Shape<string> {
  return shape({ type: 'string', maxLength: maxBytes }, `must be YAML text of at most ${maxBytes} bytes`, (value) =>
    typeof value === 'string' && Buffer.byteLength(value) <= maxBytes ? value : REFUSED,
  );
}

/** The name under which diagnostics show a document. */
export const fileName: Shape<string> = text(1024);
