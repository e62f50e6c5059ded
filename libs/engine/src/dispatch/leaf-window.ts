/**
 * How many leaves of one run are active at once: claimed, offered, or in line to be (spec 04 "Work queue", 06). A run with a
 * thousand ready leaves takes its turn with others instead of filling the lines, and no more than so many of its
 * attempts run at a time. What undoes and what asks is never held back: settling and compensation always have room.
 *
 * Leaves in a queue that nobody takes from do not count: an activity without a worker must not hold up its neighbours in
 * the run. Of each queue a run has no more leaves out than it may have active in all.
 */
import type { ReadyLeaf, ReadyQueue } from './ready-queue.js';
import type { RunEntry } from './run-entry.js';

/** Leaves that are held and may go out now, oldest first. */
export function admissible(entry: RunEntry, limit: number, nowMs: number): readonly ReadyLeaf[] {
  const held = [...entry.ready.values()].filter(({ state }) => state === 'held');
  if (held.length === 0 || entry.ready.size + entry.claims.size <= limit) return held;
  const out = new Map<ReadyQueue, number>();
  let active = 0;
  for (const { forward } of entry.claims.values()) if (forward) active += 1;
  const goesOut = ({ queue }: ReadyLeaf): void => {
    out.set(queue, (out.get(queue) ?? 0) + 1);
    if (!queue.isStuck(nowMs)) active += 1;
  };
  for (const leaf of entry.ready.values()) if (leaf.state !== 'held' && isForward(leaf)) goesOut(leaf);
  const admitted: ReadyLeaf[] = [];
  for (const leaf of held) {
    if (isForward(leaf)) {
      if (active >= limit || (out.get(leaf.queue) ?? 0) >= limit) continue;
      goesOut(leaf);
    }
    admitted.push(leaf);
  }
  return admitted;
}

function isForward({ queue }: ReadyLeaf): boolean {
  return queue.key.role === 'forward';
}
