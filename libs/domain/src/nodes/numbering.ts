/** Identities inside a run are numbers in the order in which they came: the same history has the same identities. */
import type { ActivationId, ScopeId, WaitId } from '../ids.js';
import type { Run } from '../state.js';

export function nextActivation(run: Run): ActivationId {
  return `a${run.activationCount + 1}` as ActivationId;
}

export function nextScope(run: Run): ScopeId {
  return `s${run.scopeCount + 1}` as ScopeId;
}

export function nextWait(run: Run): WaitId {
  return `w${run.waitCount + 1}` as WaitId;
}
