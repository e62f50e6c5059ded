/**
 * Identities (spec 02 "Identities"). Branded, so that one kind is never passed for another. Activations and
 * scopes are numbered inside their run (`a1`, `s1`); everything that leaves the run is keyed with the run too.
 */
declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Stable over continue-as-new: 32 lower-case hex digits derived from namespace, workflow and start key. */
export type WorkflowId = Brand<string, 'WorkflowId'>;
/** One run: a UUIDv7 whose time is the admission and whose last 32 bits are the routing hash of its WorkflowId. */
export type RunId = Brand<string, 'RunId'>;
/** `s<n>`, unique in the run. */
export type ScopeId = Brand<string, 'ScopeId'>;
/** `a<n>`, unique in the run. */
export type ActivationId = Brand<string, 'ActivationId'>;
/** A worker process from its start to its end. A restarted worker is another session. */
export type SessionId = Brand<string, 'SessionId'>;
/** Chosen by the client, unique for each principal: the same id and content gets the same answer. */
export type CommandId = Brand<string, 'CommandId'>;
/** What an external system is given to recognise a repeat: `gr1:<run>:<activation>:<role>`. */
export type EffectKey = Brand<string, 'EffectKey'>;

export type Role = 'forward' | 'compensation' | 'reconciliation';

/** The key is stable over retries, restarts and restores: it holds no attempt, worker or epoch. */
export function effectKey(run: RunId, activation: ActivationId, role: Role): EffectKey {
  return `gr1:${run}:${activation}:${role}` as EffectKey;
}
