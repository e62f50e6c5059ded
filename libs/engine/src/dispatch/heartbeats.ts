/**
 * What attempts under way say of themselves (spec 03 "run", 04 "Renewals"): it comes with the renewals of their leases,
 * lives in the owner's memory, and is shown to whoever asks. It decides nothing and is never written.
 */
import type { Json } from '@graphrun/dsl';
import type { AttemptHeartbeat, HeartbeatNote } from '@graphrun/protocol';
import { HEARTBEAT_DETAILS_BYTES } from '@graphrun/protocol';
import type { ClaimEntry, RunEntry } from './run-entry.js';

export interface Heartbeat {
  /** Monotonic ms of this process at which it was given, as far as its age can be trusted. */
  readonly at: number;
  readonly details: Json;
}

/** What came over the wire is bounded here once more: workers may be written by others. */
export function noteHeartbeat(claim: ClaimEntry, note: HeartbeatNote | undefined, nowMs: number): void {
  if (note === undefined || !Number.isFinite(note.ageMs) || note.ageMs < 0) return;
  const fits = Buffer.byteLength(JSON.stringify(note.details ?? null)) <= HEARTBEAT_DETAILS_BYTES;
  const details = fits ? (note.details ?? null) : { omitted: 'the details are too long' };
  claim.heartbeat = { at: nowMs - note.ageMs, details };
}

export function heartbeatsOf(entry: RunEntry | undefined, nowMs: number): readonly AttemptHeartbeat[] {
  const found: AttemptHeartbeat[] = [];
  for (const { activation, generation, heartbeat } of entry?.claims.values() ?? []) {
    if (heartbeat === null) continue;
    found.push({ activation, generation, ageMs: Math.round(nowMs - heartbeat.at), details: heartbeat.details });
  }
  return found;
}
