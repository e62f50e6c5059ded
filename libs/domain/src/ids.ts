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
/**
 * A node that was reached in a scope: `a<n>`, unique in the run. What belongs to the same activation in another role has
 * the same number and the role's letters: `a7c` is the compensation of `a7`, `a7r` asks what became of `a7`, `a7cr` what
 * became of its compensation.
 */
export type ActivationId = Brand<string, 'ActivationId'>;
/** A wait for time or for a signal: `w<n>`, unique in the run. */
export type WaitId = Brand<string, 'WaitId'>;
/** Chosen by whoever sends a signal; the same id and content is the same signal. */
export type SignalEventId = Brand<string, 'SignalEventId'>;
/** A worker process from its start to its end. A restarted worker is another session. */
export type SessionId = Brand<string, 'SessionId'>;
/** Chosen by the client, unique for each principal: the same id and content gets the same answer. */
export type CommandId = Brand<string, 'CommandId'>;
/** What an external system is given to recognise a repeat: `gr1:<run>:<activation>:<role>`. */
export type EffectKey = Brand<string, 'EffectKey'>;

export type Role = 'forward' | 'compensation' | 'reconciliation';

/** The compensation of a forward activation. */
export function compensationOf(forward: ActivationId): ActivationId {
  return `${forward}c` as ActivationId;
}

/** The probe that asks what became of an attempt, forward or compensation. */
export function probeOf(asked: ActivationId): ActivationId {
  return `${asked}r` as ActivationId;
}

/** What a probe asks about. */
export function askedBy(probe: ActivationId): ActivationId {
  return probe.slice(0, -1) as ActivationId;
}

export function roleOf(activation: ActivationId): Role {
  if (activation.endsWith('r')) return 'reconciliation';
  return activation.endsWith('c') ? 'compensation' : 'forward';
}

/** The forward activation that an activation of any role belongs to. */
export function forwardOf(activation: ActivationId): ActivationId {
  return activation.replace(/[cr]+$/, '') as ActivationId;
}

/**
 * The key is stable over retries, restarts and restores: it holds no attempt, worker or epoch. A probe has the key of
 * what it asks about.
 */
export function effectKey(run: RunId, activation: ActivationId): EffectKey {
  const effect = roleOf(activation) === 'reconciliation' ? askedBy(activation) : activation;
  return `gr1:${run}:${forwardOf(effect)}:${roleOf(effect)}` as EffectKey;
}
