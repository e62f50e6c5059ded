/** Generated activities: retries, timeouts, and inside sagas what undoes them. */
import type { ActivityNode, Backoff, Compensation, Contract, RetryPolicy } from '../../ir.js';
import { POLICIES } from '../../limits.js';
import { bindingOf } from './bindings.js';
import { ACTIVITIES, COMPENSATIONS } from './catalog.js';
import type { Picks } from './picks.js';
import { placesIn } from './places.js';
import type { Site } from './site.js';

export function activityOf(site: Site, contract: Contract = site.picks.of(ACTIVITIES)): ActivityNode {
  const { frame, picks, places, next } = site;
  const undo = frame.insideSaga && (contract.effects === 'external' || picks.once(3));
  const compensation = undo ? { compensation: compensationOf(contract, picks) } : {};
  return {
    kind: 'activity',
    activity: refOf(contract),
    timeoutMs: timeoutOf(POLICIES.forwardTimeoutMs, picks),
    retry: retryOf(contract, FORWARD, picks),
    input: bindingOf(contract.inputSchema, places, picks),
    ...compensation,
    next,
  };
}

export function refOf({ name, version }: Contract): ActivityNode['activity'] {
  return { name, version };
}

function timeoutOf(usual: number, picks: Picks): number {
  return picks.of([usual, usual, POLICIES.attemptTimeoutMinMs, 90_000, POLICIES.attemptTimeoutMaxMs]);
}

interface RetryDefaults {
  readonly maxAttempts: number;
  readonly backoffCapMs: number;
  /** Whether every retryable code is retried when the document says nothing. */
  readonly retriesAll: boolean;
}

export const FORWARD: RetryDefaults = {
  maxAttempts: POLICIES.forwardBudget,
  backoffCapMs: POLICIES.forwardBackoffCapMs,
  retriesAll: false,
};
export const UNDOING: RetryDefaults = {
  maxAttempts: POLICIES.compensationBudget,
  backoffCapMs: POLICIES.compensationBackoffCapMs,
  retriesAll: true,
};

/** What the compiler takes for a document that says nothing about retries. */
export function defaultRetry(contract: Contract, defaults: RetryDefaults): RetryPolicy {
  const backoff = {
    initialMs: POLICIES.backoffInitialMs,
    multiplier: POLICIES.backoffMultiplier,
    maxMs: defaults.backoffCapMs,
  };
  return { errors: defaults.retriesAll ? retryable(contract) : [], maxAttempts: defaults.maxAttempts, backoff };
}

function retryOf(contract: Contract, defaults: RetryDefaults, picks: Picks): RetryPolicy {
  const usual = defaultRetry(contract, defaults);
  if (!picks.once(2)) return usual;
  const codes = contract.effects === 'pure' ? [...retryable(contract), 'activity.unhandled'] : retryable(contract);
  return {
    errors: picks.shuffle(codes).slice(0, picks.below(codes.length + 1)),
    maxAttempts: picks.of([usual.maxAttempts, 1, 2, POLICIES.budgetMax]),
    backoff: backoffOf(usual.backoff, picks),
  };
}

function retryable({ errorCodes }: Contract): readonly string[] {
  return errorCodes.filter(({ retryable: may }) => may).map(({ code }) => code);
}

function backoffOf(usual: Backoff, picks: Picks): Backoff {
  return {
    initialMs: picks.of([usual.initialMs, 1, 250, 10_000]),
    multiplier: picks.of([usual.multiplier, 1, 1.5, POLICIES.backoffMultiplierMax]),
    maxMs: picks.of([usual.maxMs, 10_000, POLICIES.backoffMaxMs]),
  };
}

function compensationOf(forward: Contract, picks: Picks): Compensation {
  if (picks.once(5)) return { kind: 'irreversible', reason: picks.of(['it is on its way', 'nobody can']) };
  const contract = picks.of(COMPENSATIONS);
  const places = placesIn([
    { from: 'forward.output', what: forward.outputSchema },
    { from: 'forward.input', what: forward.inputSchema },
  ]);
  return {
    kind: 'activity',
    activity: refOf(contract),
    input: bindingOf(contract.inputSchema, places, picks),
    timeoutMs: timeoutOf(POLICIES.compensationTimeoutMs, picks),
    retry: retryOf(contract, UNDOING, picks),
  };
}
