/** What becomes of an activity whose attempts end as they do (spec 03 "Attempts"). */
import type { Contract, Json, RetryPolicy } from '@graphrun/dsl';
import { engineFailure } from './failure.js';
import type { AttemptForecast, Ended } from './prediction.js';
import { leavesUnknown, LOSS_CODES, type Ending } from './script.js';

export interface Course {
  readonly attempts: readonly AttemptForecast[];
  readonly ended: Ended;
}

export function attemptsOf(
  contract: Contract,
  retry: RetryPolicy,
  ending: (attempt: number) => Ending,
  output: () => Json,
): Course {
  const attempts: AttemptForecast[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const end = ending(attempt);
    const settles = settlementOf(contract, end, output);
    const again = attempt < retry.maxAttempts && isRepeated(contract, retry, end);
    attempts.push({ settles, mayBeCancelled: contract.effects === 'pure' || (again && hasNoEffect(contract, end)) });
    if (!again) return { attempts, ended: settles };
  }
}

/** What the attempt comes to if nothing follows it. */
function settlementOf(contract: Contract, end: Ending, output: () => Json): Ended {
  if (end.kind === 'success') return { kind: 'completed', output: output() };
  if (end.kind === 'error') return { kind: 'failed', failure: { code: end.code, message: end.message } };
  if (leavesUnknown(contract, end) && end.applied) return { kind: 'completed', output: output() };
  return { kind: 'failed', failure: engineFailure(LOSS_CODES[end.kind]) };
}

/** Whether another attempt follows, if the budget has one left. */
function isRepeated(contract: Contract, { errors }: RetryPolicy, end: Ending): boolean {
  switch (end.kind) {
    case 'success':
      return false;
    case 'error':
      return errors.includes(end.code) && isRetryable(contract, end.code);
    default:
      return contract.effects === 'pure' ? isPureRepeated(errors, end.kind) : mayRepeat(contract) || !end.applied;
  }
}

function isPureRepeated(errors: readonly string[], kind: keyof typeof LOSS_CODES): boolean {
  if (kind === 'bad_output') return false;
  return kind === 'unhandled' ? errors.includes('activity.unhandled') : true;
}

function isRetryable({ errorCodes }: Contract, code: string): boolean {
  return errorCodes.some((declared) => declared.code === code && declared.retryable);
}

/** Without asking anybody what has become of the attempt before. */
function mayRepeat({ recovery }: Contract): boolean {
  return recovery === 'RetrySafe';
}

/** Known for certain when the next attempt is planned. */
function hasNoEffect(contract: Contract, end: Ending): boolean {
  return end.kind === 'error' || !mayRepeat(contract);
}
