/** What becomes of an activity whose attempts end as they do (spec 03 "Attempts"). */
import type { Contract, Json, RetryPolicy } from '@graphrun/dsl';
import { engineFailure } from './failure.js';
import type { AttemptForecast, Ended } from './prediction.js';
import { DECLINED, leavesUnknown, LOSS_CODES, type Ending, type Loss } from './script.js';

export interface Course {
  readonly attempts: readonly AttemptForecast[];
  readonly ended: Ended;
}

/** `output` is what the activity returns, if it does. */
export function attemptsOf(
  contract: Contract,
  { errors, maxAttempts }: RetryPolicy,
  ending: (attempt: number) => Ending,
  output: () => Json,
): Course {
  const attempts: AttemptForecast[] = [];
  let budget = maxAttempts;
  for (let attempt = 1; ; attempt += 1) {
    const end = ending(attempt);
    const settles = settlementOf(contract, end, output);
    const isLeft = attempt < budget;
    const isAsked = leavesUnknown(contract, end) && !(isLeft && mayRepeat(contract));
    const isRepeatedByPerson = isAsked && end.person === 'repeats';
    if (isRepeatedByPerson) budget += 1;
    const again = isRepeatedByPerson || (isLeft && isRepeated(contract, errors, end));
    const isHarmless = contract.effects === 'pure' || (again && hasNoEffect(contract, end));
    attempts.push({ settles, mayBeCancelled: isHarmless });
    if (!again) return { attempts, ended: settles };
  }
}

/** What the attempt comes to if nothing follows it. */
function settlementOf(contract: Contract, end: Ending, output: () => Json): Ended {
  if (end.kind === 'success') return { kind: 'completed', output: output() };
  if (end.kind === 'error') return { kind: 'failed', failure: { code: end.code, message: end.message } };
  if (end.kind === 'undecoded') return { kind: 'failed', failure: engineFailure('worker.decode') };
  if (leavesUnknown(contract, end)) {
    if (end.person === 'fails') return { kind: 'failed', failure: DECLINED };
    if (end.applied) return { kind: 'completed', output: output() };
  }
  return { kind: 'failed', failure: engineFailure(LOSS_CODES[end.kind]) };
}

/** Whether another attempt follows, if the budget has one left. */
function isRepeated(contract: Contract, errors: readonly string[], end: Ending): boolean {
  switch (end.kind) {
    case 'success':
    case 'undecoded':
      return false;
    case 'error':
      return errors.includes(end.code) && isRetryable(contract, end.code);
    default:
      return contract.effects === 'pure' ? isPureRepeated(errors, end) : mayRepeat(contract) || isKnownUndone(end);
  }
}

/** Pure work is known to have failed when its handler has said something, and only lost when it has said nothing. */
function isPureRepeated(errors: readonly string[], { kind }: Loss): boolean {
  if (kind === 'bad_output' || kind === 'too_large') return false;
  return kind === 'unhandled' ? errors.includes('activity.unhandled') : true;
}

function isRetryable({ errorCodes }: Contract, code: string): boolean {
  return errorCodes.some((declared) => declared.code === code && declared.retryable);
}

/** Without asking anybody what has become of the attempt before. */
function mayRepeat({ recovery }: Contract): boolean {
  return recovery === 'RetrySafe';
}

function isKnownUndone({ applied, person }: Loss): boolean {
  return person === 'looks' && !applied;
}

/** Known for certain when the next attempt is planned. */
function hasNoEffect(contract: Contract, end: Ending): boolean {
  return !leavesUnknown(contract, end) || (!mayRepeat(contract) && isKnownUndone(end));
}
