/** Which limits a run comes near (spec 02 "Limits in mid-run", spec 06). */
import { LIMITS } from '@graphrun/dsl';
import type { InboxEntry, Run } from '../state.js';
import type { Reason } from './reason.js';

/** From this share of a limit on, a person is warned. */
const WARN_SHARE = 0.8;

export function nearLimits(run: Run): Reason[] {
  const size = (used: number, limit: number, what: string): Reason | null =>
    nearLimit(run, used, limit, {
      message: `the run has used ${used} of ${limit} ${what}; at the limit its scope fails`,
      action: 'let the run end, or continue it as new, before the limit is reached',
    });
  return [
    size(run.historyBytes, LIMITS.historyBytes, 'bytes of history'),
    size(run.activationCount + run.waitCount, LIMITS.activationsPerRun, 'activations'),
    size(run.scopeCount, LIMITS.scopesPerRun, 'scopes'),
    ...nearQuotas(run),
  ].filter((reason) => reason !== null);
}

function nearQuotas(run: Run): (Reason | null)[] {
  const quota = (used: number, limit: number, what: string): Reason | null =>
    nearLimit(run, used, limit, {
      message: `the run keeps ${used} of ${limit} ${what} that no wait has taken; at the limit further ones are refused`,
      action: 'find out why no wait takes them: their names and keys stand in the history as signal_accepted',
    });
  const entries = [...run.inbox.values()];
  const { signal, key, count } = fullestAddress(entries);
  return [
    quota(run.inbox.size, LIMITS.bufferedSignalsPerRun, 'buffered signals'),
    quota(count, LIMITS.bufferedSignalsPerAddress, `buffered signals "${signal}" with key "${key}"`),
    quota(
      entries.reduce((total, { bytes }) => total + bytes, 0),
      LIMITS.bufferedSignalBytesPerRun,
      'bytes of buffered signals',
    ),
  ];
}

interface Address {
  readonly signal: string;
  readonly key: string;
  count: number;
}

function fullestAddress(entries: readonly InboxEntry[]): Address {
  const addresses = new Map<string, Address>();
  let fullest: Address = { signal: '', key: '', count: 0 };
  for (const { signal, key } of entries) {
    // Names have no spaces.
    const name = `${signal} ${key}`;
    const address = addresses.get(name) ?? { signal, key, count: 0 };
    addresses.set(name, address);
    address.count += 1;
    if (address.count > fullest.count) fullest = address;
  }
  return fullest;
}

function nearLimit(run: Run, used: number, limit: number, said: Pick<Reason, 'message' | 'action'>): Reason | null {
  if (used < limit * WARN_SHARE) return null;
  return { code: 'limit_near', path: 'run', ...said, since: run.updatedAt };
}
