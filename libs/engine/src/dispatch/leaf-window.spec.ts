import { describe, expect, it } from '@jest/globals';
import type { ActivationId, Role, RunId, SessionId } from '@graphrun/domain';
import type { Partition } from '../partition.js';
import { admissible } from './leaf-window.js';
import type { ReadyLeaf } from './ready-queue.js';
import { ReadyQueue } from './ready-queue.js';
import { RunEntry } from './run-entry.js';

const PATIENCE_MS = 100;
const NOW = 1_000;
const partition = {} as Partition;
const run = 'r1' as RunId;

function queue(activity: string, role: Role = 'forward'): ReadyQueue {
  return new ReadyQueue({ role, activity, version: 1 }, 512, PATIENCE_MS);
}

class Entry extends RunEntry {
  #count = 0;

  constructor() {
    super(partition);
  }

  /** Ready leaves of a queue that are held. */
  held(of: ReadyQueue, count: number): readonly ReadyLeaf[] {
    return Array.from({ length: count }, () => {
      this.#count += 1;
      const leaf: ReadyLeaf = {
        partition,
        run,
        activation: `a${this.#count}` as ActivationId,
        generation: 1,
        attempt: 1,
        queue: of,
        strict: true,
        state: 'held',
        session: null,
        directedAt: 0,
      };
      this.ready.set(leaf.activation, leaf);
      return leaf;
    });
  }

  /** Ready leaves of a queue that are offered, since `atMs`. */
  offered(of: ReadyQueue, count: number, atMs = NOW): void {
    for (const leaf of this.held(of, count)) of.wait(leaf);
    for (let next = of.next(); next !== undefined; next = of.next()) {
      next.state = 'offered';
      of.made(atMs);
    }
  }

  claimed(count: number, forward = true): void {
    for (let n = 0; n < count; n += 1) {
      this.#count += 1;
      const activation = `a${this.#count}` as ActivationId;
      const held = { partition, run, activation, generation: 1, session: 's' as SessionId };
      this.claims.set(activation, {
        ...held,
        repeatable: true,
        forward,
        leaseUntil: 0,
        heartbeat: null,
        expiring: false,
      });
    }
  }
}

describe('leaves of one run', () => {
  it('all go out while there are no more than may be active', () => {
    const entry = new Entry();
    entry.claimed(1);
    const held = entry.held(queue('a'), 3);
    expect(admissible(entry, 4, NOW)).toEqual(held);
  });

  it('go out as far as there is room beside what is claimed and offered, the oldest first', () => {
    const [entry, a] = [new Entry(), queue('a')];
    entry.claimed(1);
    entry.offered(a, 1);
    const held = entry.held(a, 5);
    expect(admissible(entry, 4, NOW)).toEqual(held.slice(0, 2));
  });

  it('do not go out when all is taken', () => {
    const entry = new Entry();
    entry.claimed(4);
    entry.held(queue('a'), 1);
    expect(admissible(entry, 4, NOW)).toEqual([]);
  });

  it('that undo or ask always go out, and take nothing from the others', () => {
    const entry = new Entry();
    entry.claimed(3);
    entry.claimed(2, false);
    const undoing = entry.held(queue('a', 'compensation'), 2);
    const asking = entry.held(queue('a.lookup', 'reconciliation'), 1);
    const [forward] = entry.held(queue('a'), 2);
    expect(admissible(entry, 4, NOW)).toEqual([...undoing, ...asking, forward]);
  });

  it('in a queue that nobody takes from make room for those of other queues, but not for more of their own', () => {
    const [entry, dead, live] = [new Entry(), queue('dead'), queue('live')];
    entry.offered(dead, 4, NOW - PATIENCE_MS + 1);
    entry.held(dead, 2);
    const held = entry.held(live, 6);
    expect(admissible(entry, 4, NOW)).toEqual([]);
    expect(admissible(entry, 4, NOW + 1)).toEqual(held.slice(0, 4));
  });

  it('count again when somebody takes from their queue', () => {
    const [entry, dead, live] = [new Entry(), queue('dead'), queue('live')];
    entry.offered(dead, 4, NOW - PATIENCE_MS);
    entry.held(live, 1);
    const [first] = dead.offered;
    if (first === undefined) throw new Error('something is offered');
    dead.remove(first, NOW);
    entry.ready.delete(first.activation);
    entry.claimed(1);
    expect(admissible(entry, 4, NOW)).toEqual([]);
  });
});
