/**
 * Full jitter (spec 06 "Timeouts, retries, retention"): a delay between nothing and the exponential bound, drawn
 * once, from a seed that comes in with the command, and recorded in the event. Replay never draws.
 */
import type { Backoff } from '@graphrun/dsl';

/** The bound in ms before attempt number `attempt + 1`, for `attempt` from 1. */
export function backoffBoundMs(backoff: Backoff, attempt: number): number {
  return Math.min(backoff.maxMs, backoff.initialMs * backoff.multiplier ** (attempt - 1));
}

/** A whole number of ms in [0, bound], both ends included. */
export function jitteredDelayMs(backoff: Backoff, attempt: number, entropy: number): number {
  return Math.floor(fraction(entropy) * (Math.floor(backoffBoundMs(backoff, attempt)) + 1));
}

/** Maps 32 bits to [0, 1) so that neighbouring seeds give unrelated fractions (the finalizer of MurmurHash3). */
export function fraction(seed: number): number {
  let h = seed | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 0x1_0000_0000;
}
