/** Parts of a document in one of the ways in which people may write them. */
import { formatDuration } from '../../duration.js';
import type { Binding, Compensation, Contract, Definition, ErrorRoute, RetryPolicy } from '../../ir.js';
import { POLICIES } from '../../limits.js';
import type { Json, JsonObject } from '../../value.js';
import { defaultRetry, FORWARD, UNDOING } from './activities.js';
import { CONTRACTS } from './catalog.js';
import type { Picks } from './picks.js';

const UNITS = [
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
] as const;

/** A duration in one of the units that divide it. */
export function spellDuration(durationMs: number, picks: Picks): string {
  const exact = UNITS.filter(([, unitMs]) => durationMs % unitMs === 0);
  const [unit, unitMs] = exact[picks.below(exact.length)] ?? UNITS[0];
  return picks.once(4) ? formatDuration(durationMs) : `${durationMs / unitMs}${unit}`;
}

/** The members that are there; one that has its default may be left out. */
export function members(entries: readonly (readonly [string, Json | undefined])[]): JsonObject {
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** The value, or nothing where the value is what nothing means. */
export function unless<Value>(usual: boolean, value: Value, picks: Picks): Value | undefined {
  return usual && !picks.once(2) ? undefined : value;
}

/** An empty path is no path. */
export function spellBinding(binding: Binding, picks: Picks): Json {
  if ('from' in binding) {
    return picks.once(6) ? { path: '', ...binding } : { ...binding };
  }
  if ('literal' in binding) return { literal: binding.literal };
  if ('array' in binding) return { array: binding.array.map((item) => spellBinding(item, picks)) };
  const entries = Object.entries(binding.object);
  return { object: Object.fromEntries(entries.map(([key, member]) => [key, spellBinding(member, picks)])) };
}

export function spellDelay(duration: Binding, picks: Picks): Json {
  if (!('literal' in duration) || typeof duration.literal !== 'number') return spellBinding(duration, picks);
  const text = spellDuration(duration.literal, picks);
  return picks.of<Json>([text, { literal: text }, { literal: duration.literal }]);
}

export function contractOf({ name }: { readonly name: string }): Contract {
  const contract = CONTRACTS.find((candidate) => candidate.name === name);
  if (contract === undefined) throw new Error(`The generated catalog has no activity ${name}`);
  return contract;
}

/** `timeout` and `retry` of forward work. */
export function spellWork(
  work: { readonly activity: { readonly name: string }; readonly timeoutMs: number; readonly retry: RetryPolicy },
  picks: Picks,
): readonly (readonly [string, Json | undefined])[] {
  return timed(work, POLICIES.forwardTimeoutMs, defaultRetry(contractOf(work.activity), FORWARD), picks);
}

export function spellCompensation(compensation: Compensation, picks: Picks): Json {
  if (compensation.kind === 'irreversible') return { ...compensation };
  const usual = defaultRetry(contractOf(compensation.activity), UNDOING);
  return members([
    ['kind', 'activity'],
    ['activity', { ...compensation.activity }],
    ['input', spellBinding(compensation.input, picks)],
    ...timed(compensation, POLICIES.compensationTimeoutMs, usual, picks),
  ]);
}

function timed(
  { timeoutMs, retry }: { readonly timeoutMs: number; readonly retry: RetryPolicy },
  usualMs: number,
  usualRetry: RetryPolicy,
  picks: Picks,
): readonly (readonly [string, Json | undefined])[] {
  const spelled = spellRetry(retry, usualRetry, picks);
  return [
    ['timeout', unless(timeoutMs === usualMs, spellDuration(timeoutMs, picks), picks)],
    ['retry', Object.keys(spelled).length === 0 ? unless(true, spelled, picks) : spelled],
  ];
}

function spellRetry({ errors, maxAttempts, backoff }: RetryPolicy, usual: RetryPolicy, picks: Picks): JsonObject {
  const { initialMs, multiplier, maxMs } = backoff;
  const spelled = members([
    ['initial', unless(initialMs === usual.backoff.initialMs, spellDuration(initialMs, picks), picks)],
    ['multiplier', unless(multiplier === usual.backoff.multiplier, multiplier, picks)],
    ['max', unless(maxMs === usual.backoff.maxMs, spellDuration(maxMs, picks), picks)],
  ]);
  return members([
    ['errors', unless(errors.join() === usual.errors.join(), errors, picks)],
    ['max_attempts', unless(maxAttempts === usual.maxAttempts, maxAttempts, picks)],
    ['backoff', Object.keys(spelled).length === 0 ? unless(true, spelled, picks) : spelled],
  ]);
}

export function spellRoutes(routes: readonly ErrorRoute[] | undefined): Json | undefined {
  return routes?.map(({ codes, next }) => ({ codes, next }));
}

export function spellSearchAttributes({ searchAttributes }: Definition, picks: Picks): Json | undefined {
  if (searchAttributes === undefined) return undefined;
  return Object.fromEntries(Object.entries(searchAttributes).map(([name, of]) => [name, spellBinding(of, picks)]));
}

/** What people may write beside a document, a node, a case or a branch. */
export function spellAnnotation(picks: Picks): JsonObject {
  return members([
    ['description', picks.once(6) ? picks.of(['what it is for', 'a\nb', '# no comment']) : undefined],
    ['labels', picks.once(6) ? picks.of<Json>([{ team: 'a' }, { tier: 1, 'on call': true }, {}]) : undefined],
  ]);
}
