/** What the provider (`apps/provider`) is told and what it says: JSON over HTTP, described in `docs/provider.md`. */
import type { Json } from '@graphrun/dsl';

/** A request for an effect, under a key of the caller's. */
export interface EffectRequest {
  readonly activity: string;
  readonly input: Json;
  /** What the effect answers when it happens; a later request with the key gets the same. */
  readonly output: Json;
}

/** What a request meets instead of an effect that happens at once and is answered. */
export type Behaviour =
  /** It waits until it is released; then the effect happens and is answered. */
  | { readonly kind: 'hold' }
  /** The connection is cut at once; the effect happens so much later, or with null when it is released. */
  | { readonly kind: 'delay'; readonly ms: number | null }
  /** The effect happens, and the connection is cut instead of an answer. */
  | { readonly kind: 'lie' }
  /** The effect does not happen, which is said. */
  | { readonly kind: 'refuse'; readonly code: string; readonly message: string };

/** Requests that are meant: all that are named must hold. */
export interface Match {
  readonly activity?: string;
  /** How the effect key ends, such as `:a3:forward`, or all of it. */
  readonly key?: string;
  /** Members that the input has, with exactly these values. */
  readonly input?: Readonly<Record<string, Json>>;
}

export interface Rule {
  readonly match: Match;
  readonly behaviour: Behaviour;
  /** Requests that it is for, after which it is over. */
  readonly times: number;
}

export type Probe =
  | { readonly state: 'applied'; readonly output: Json }
  | { readonly state: 'not_applied' }
  | { readonly state: 'unknown' };

interface LineOf<Kind extends string> {
  readonly kind: Kind;
  /** Position in the ledger, from 1. */
  readonly seq: number;
  /** UTC ms. */
  readonly at: number;
  readonly key: string;
  readonly activity: string;
}

/** A physical request. */
export interface RequestedLine extends LineOf<'requested'>, EffectRequest {
  readonly behaviour: Behaviour | null;
}

/** What became of the request at position `request`. Only `applied` is an effect; `repeated` met one of its key. */
export interface SettledLine extends LineOf<'applied' | 'repeated' | 'refused' | 'dropped'> {
  readonly request: number;
}

/** A key was used for another activity or another input: a fault of the caller, and no effect. */
export interface MisusedLine extends LineOf<'misused'> {
  readonly request: number;
}

export interface ProbedLine extends LineOf<'probed'> {
  readonly state: Probe['state'];
}

export type LedgerLine = RequestedLine | SettledLine | MisusedLine | ProbedLine;
