/** The `retry` field of work: which codes, how often, how long between (spec 01 "Nodes", spec 06). */
import { isObject } from '../canonical.js';
import type { Reporter } from '../diagnostic.js';
import { formatDuration } from '../duration.js';
import { Fields, optional, shorten, type FieldRule, type FieldTable } from '../fields.js';
import type { Backoff, Contract, RetryPolicy } from '../ir.js';
import { POLICIES } from '../limits.js';
import { describeTree, type Span } from '../source/tree.js';
import { didYouMean } from '../suggest.js';
import { integerSyntax, numberSyntax, SYNTAX, withDefault } from '../syntax.js';
import type { Json } from '../value.js';
import { restoreDuration } from './node-kind.js';

/** A default: every code that the contract declares as retryable. */
export const RETRY_ALL_RETRYABLE = Symbol('all retryable');

export interface RetryDefaults {
  /** Codes retried when the document lists none; default none. */
  readonly errors?: typeof RETRY_ALL_RETRYABLE;
  /** The contract whose codes the default means. */
  readonly contract?: Contract | undefined;
  readonly maxAttempts: number;
  readonly backoffCapMs: number;
}

export interface ParsedRetry {
  readonly errors: readonly { readonly code: string; readonly span: Span }[];
  readonly policy: RetryPolicy;
}

/** What is retried, and how patiently, unless a document says otherwise. */
export const FORWARD_RETRY = { maxAttempts: POLICIES.forwardBudget, backoffCapMs: POLICIES.forwardBackoffCapMs };
export const COMPENSATION_RETRY = {
  errors: RETRY_ALL_RETRYABLE,
  maxAttempts: POLICIES.compensationBudget,
  backoffCapMs: POLICIES.compensationBackoffCapMs,
} as const;

const ERRORS = { type: 'array', items: SYNTAX.name, uniqueItems: true } as const;
const MAX_ATTEMPTS = integerSyntax(POLICIES.budgetMin, POLICIES.budgetMax);

export const RETRY_FIELDS = {
  errors: optional(
    ERRORS,
    'Codes that are retried, none by default; the contract declares them as retryable, or it is activity.unhandled of pure work.',
  ),
  max_attempts: optional(
    withDefault(MAX_ATTEMPTS, FORWARD_RETRY.maxAttempts),
    'The attempt budget, the first attempt included.',
  ),
  backoff: optional(SYNTAX.backoff, 'How long to wait between attempts.'),
} as const satisfies FieldTable;

export const COMPENSATION_RETRY_FIELDS = {
  errors: optional(ERRORS, 'Codes that are retried; without this, all that the contract declares as retryable.'),
  max_attempts: optional(withDefault(MAX_ATTEMPTS, COMPENSATION_RETRY.maxAttempts), RETRY_FIELDS.max_attempts.about),
  backoff: optional(SYNTAX.compensationBackoff, RETRY_FIELDS.backoff.about),
} as const satisfies Readonly<Record<keyof typeof RETRY_FIELDS, FieldRule>>;

export const BACKOFF_FIELDS = backoffFields(FORWARD_RETRY);
export const COMPENSATION_BACKOFF_FIELDS = backoffFields(COMPENSATION_RETRY);

function backoffFields({ backoffCapMs }: RetryDefaults) {
  return {
    initial: optional(
      withDefault(SYNTAX.duration, formatDuration(POLICIES.backoffInitialMs)),
      `The longest wait before the second attempt, up to ${formatDuration(POLICIES.backoffMaxMs)} and not above "max".`,
    ),
    multiplier: optional(
      withDefault(
        numberSyntax(POLICIES.backoffMultiplierMin, POLICIES.backoffMultiplierMax),
        POLICIES.backoffMultiplier,
      ),
      'By how much the longest wait grows with each attempt.',
    ),
    max: optional(
      withDefault(SYNTAX.duration, formatDuration(backoffCapMs)),
      `The longest wait of all, up to ${formatDuration(POLICIES.backoffMaxMs)}.`,
    ),
  } as const satisfies FieldTable;
}

/** Pure work may also retry what its handler throws: nothing outside was touched (spec 03 "Attempts"). */
const RETRYABLE_PURE_CODE = 'activity.unhandled';

/** Reads `retry` of `owner`, or the defaults when it is absent. */
export function readRetry(owner: Fields, defaults: RetryDefaults): ParsedRetry {
  const retry = owner.map('retry');
  const fields =
    retry === undefined
      ? undefined
      : new Fields(
          retry.map,
          RETRY_FIELDS,
          { what: 'a retry policy', anchor: retry.keySpan, elsewhere: belongsToBackoff },
          owner.reporter,
        );
  const errors = fields?.has('errors') === true ? readErrors(fields) : defaultErrors(defaults, owner.anchor);
  const maxAttempts = fields?.integer('max_attempts', POLICIES.budgetMin, POLICIES.budgetMax) ?? defaults.maxAttempts;
  const backoff = readBackoff(fields, defaults);
  return { errors, policy: { errors: errors.map((error) => error.code), maxAttempts, backoff } };
}

function defaultErrors({ errors, contract }: RetryDefaults, span: Span): ParsedRetry['errors'] {
  if (errors === undefined || contract === undefined) return [];
  return contract.errorCodes.filter((entry) => entry.retryable).map(({ code }) => ({ code, span }));
}

function belongsToBackoff(field: string): string | null {
  return ['initial', 'multiplier', 'max'].includes(field) ? `"${field}" belongs in its "backoff"` : null;
}

function readErrors(fields: Fields): ParsedRetry['errors'] {
  const errors = new Map<string, { readonly code: string; readonly span: Span }>();
  for (const tree of fields.list('errors') ?? []) {
    if (tree.kind === 'broken') continue;
    if (tree.kind !== 'scalar' || typeof tree.value !== 'string') {
      const message = `each of "errors" is an error code, which is a string; this is ${describeTree(tree)}`;
      fields.reporter.error('GR1103', tree.span, message);
    } else if (errors.has(tree.value)) {
      fields.reporter.error('GR1111', tree.span, `the code "${shorten(tree.value)}" is listed twice`);
    } else errors.set(tree.value, { code: tree.value, span: tree.span });
  }
  return [...errors.values()];
}

function readBackoff(retry: Fields | undefined, defaults: RetryDefaults): Backoff {
  const initial = { initialMs: POLICIES.backoffInitialMs, multiplier: POLICIES.backoffMultiplier };
  const backoff = retry?.map('backoff');
  if (retry === undefined || backoff === undefined) return { ...initial, maxMs: defaults.backoffCapMs };
  const fields = new Fields(
    backoff.map,
    BACKOFF_FIELDS,
    { what: 'a backoff', anchor: backoff.keySpan },
    retry.reporter,
  );
  const errorsBefore = retry.reporter.errorCount;
  const initialMs = fields.durationMs('initial', 1, POLICIES.backoffMaxMs) ?? initial.initialMs;
  const multiplier = readMultiplier(fields) ?? initial.multiplier;
  const maxMs = fields.durationMs('max', 1, POLICIES.backoffMaxMs) ?? defaults.backoffCapMs;
  if (initialMs > maxMs && retry.reporter.errorCount === errorsBefore) {
    const message = `the backoff begins with ${formatDuration(initialMs)}, above its cap of ${formatDuration(maxMs)}`;
    const [written, other] = fields.has('initial') ? ['initial', 'max'] : ['max', 'initial'];
    const hint = fields.has(other) ? null : `set "${other}" as well`;
    retry.reporter.error('GR1504', fields.get(written)?.value.span ?? backoff.keySpan, message, hint);
  }
  return { initialMs, multiplier, maxMs };
}

function readMultiplier(fields: Fields): number | undefined {
  const { backoffMultiplierMin: min, backoffMultiplierMax: max } = POLICIES;
  const found = fields.number('multiplier');
  if (found === undefined || (found.value >= min && found.value <= max)) return found?.value;
  fields.reporter.error('GR1110', found.span, `"multiplier" is a number from ${min} to ${max}; this is ${found.value}`);
  return undefined;
}

/** Each code must be declared by the contract, and be retryable there. */
export function checkRetry(retry: ParsedRetry, contract: Contract, reporter: Reporter): void {
  for (const { code, span } of retry.errors) {
    if (code === RETRYABLE_PURE_CODE && contract.effects === 'pure') continue;
    const declared = contract.errorCodes.find((entry) => entry.code === code);
    if (declared === undefined) {
      const message = `${contract.name}/v${contract.version} declares no error code "${shorten(code)}"`;
      reporter.error('GR1502', span, message, retryHint(code, contract));
    } else if (!declared.retryable) {
      reporter.error('GR1503', span, `${contract.name}/v${contract.version} declares "${code}" as not retryable`);
    }
  }
}

function retryHint(code: string, { errorCodes }: Contract): string {
  if (code === RETRYABLE_PURE_CODE) return 'only pure work can retry what its handler throws';
  const codes = errorCodes.filter(({ retryable }) => retryable).map((entry) => entry.code);
  if (codes.length === 0) return 'it declares no retryable code';
  return didYouMean(code, codes) ?? `it can retry ${codes.join(', ')}`;
}

/** A retry policy of the normal form as a document says it. */
export function restoreRetry(retry: Json | undefined): Json {
  if (!isObject(retry)) return retry ?? null;
  const { maxAttempts, backoff, ...policy } = retry;
  return { ...policy, max_attempts: maxAttempts ?? null, backoff: restoreBackoff(backoff) };
}

function restoreBackoff(backoff: Json | undefined): Json {
  if (!isObject(backoff)) return backoff ?? null;
  const { initialMs, maxMs, ...rest } = backoff;
  return { ...rest, initial: restoreDuration(initialMs), max: restoreDuration(maxMs) };
}
