/** Limits hold new work back; what is under way still settles, in the history's reserve if need be (spec 02 "Limits"). */
import { LIMITS } from '@graphrun/dsl';
import type { Failure } from '../events.js';
import { activationsLimit, historyLimit, scopesLimit } from '../failures.js';
import type { Run } from '../state.js';

/** Why no node may be entered any more, or null. */
export function activationLimit(run: Run): Failure | null {
  if (run.activationCount + run.waitCount >= LIMITS.activationsPerRun) return activationsLimit();
  return run.historyBytes >= LIMITS.historyBytes ? historyLimit(run.historyBytes) : null;
}

/** Why no body may be opened any more, or null. */
export function scopeLimit(run: Run): Failure | null {
  if (run.scopeCount >= LIMITS.scopesPerRun) return scopesLimit();
  return run.historyBytes >= LIMITS.historyBytes ? historyLimit(run.historyBytes) : null;
}
