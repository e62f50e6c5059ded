/** Signals and the waits that take them, in the order of acceptance (spec 02 "Signals"). */
import type { InboxEntry, Run, Wait } from '../state.js';

/**
 * The unresolved wait that owns an address, or null. One whose scope is closed is as good as cancelled, though its event may
 * come in a later commit: it takes no signal any more and holds up nobody.
 */
export function waitOn(run: Run, signal: string, key: string): Wait | null {
  for (const id of run.pending) {
    const wait = run.waits.get(id);
    if (wait?.for.kind !== 'signal' || wait.for.signal !== signal || wait.for.key !== key) continue;
    if (run.scopes.get(wait.scope)?.status.kind === 'open') return wait;
  }
  return null;
}

/**
 * The earliest signal that a wait may take: accepted after its window opened, arrived before its deadline, not expired.
 * Entries stand in the order of their acceptance.
 */
export function earliestFor(run: Run, wait: Wait, now: number): InboxEntry | null {
  if (wait.for.kind !== 'signal') return null;
  const { signal, key, after } = wait.for;
  for (const entry of run.inbox.values()) {
    if (entry.signal !== signal || entry.key !== key || entry.order <= after) continue;
    if (entry.expiresAt <= now) continue;
    if (wait.dueAt === null || entry.arrivedAt < wait.dueAt) return entry;
  }
  return null;
}

/** When the next signal in the inbox expires, or null. */
export function nextExpiry(run: Run): number | null {
  let next: number | null = null;
  for (const { expiresAt } of run.inbox.values()) next = next === null ? expiresAt : Math.min(next, expiresAt);
  return next;
}
