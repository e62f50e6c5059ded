import { describe, expect, it } from '@jest/globals';
import type { RunId } from '@graphrun/domain';
import type { CommandLog } from '@graphrun/messaging';
import type { Clock } from '@graphrun/runtime';
import { silentLogger } from '@graphrun/runtime';
import { EngineMetrics } from '../metrics.js';
import { Partition } from '../partition.js';
import type { Item } from '../processor/item.js';
import type { TimerEntry } from './timers.js';
import { Timers } from './timers.js';

/** Time that moves only when it is told to. */
class ManualClock implements Clock {
  #now = 1_000_000;
  readonly #due: { at: number; action: () => void }[] = [];
  readonly now = (): number => this.#now;
  readonly monotonic = (): number => this.#now;

  after(delayMs: number, action: () => void): () => void {
    const entry = { at: this.#now + Math.max(0, delayMs), action };
    this.#due.push(entry);
    return () => {
      const index = this.#due.indexOf(entry);
      if (index >= 0) this.#due.splice(index, 1);
    };
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#due.splice(this.#due.indexOf(next), 1);
      this.#now = Math.max(this.#now, next.at);
      next.action();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#now = end;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function partition(): Partition {
  return new Partition({
    partition: 0,
    epoch: 1,
    incarnation: 1,
    commitNo: 0,
    position: { seq: 10, messageId: '', timestamp: 0 },
    engineTime: 0,
    owner: 'm1',
    backendPid: null,
    leaseUntil: 0,
    takeoversHere: 1,
    started: { seq: 0, times: 0 },
    paused: false,
  });
}

/** A timer with an item of its own. */
function timerOf(owner: Partition, number: number, dueAt: number): TimerEntry {
  return { dueAt, partition: owner, item: { kind: 'recover', run: `r${number}` as RunId }, holds: () => true };
}

describe('timers', () => {
  const item: Item = { kind: 'recover', run: 'r1' as RunId };

  function open(tail: () => Promise<number>, accept?: (to: Partition, accepted: Item) => void) {
    const clock = new ManualClock();
    const fired: Item[] = [];
    const timers = new Timers({
      log: { tail } as unknown as CommandLog,
      clock,
      logger: silentLogger,
      metrics: new EngineMetrics(),
      accept: accept ?? ((_, accepted) => fired.push(accepted)),
    });
    return { clock, fired, timers, owned: partition() };
  }

  it('fire when they are due, and not before', async () => {
    const { clock, fired, timers, owned } = open(() => Promise.resolve(10));
    timers.add({ dueAt: clock.now() + 500, partition: owned, item, holds: () => true });
    await clock.advance(499);
    expect(fired).toEqual([]);
    await clock.advance(1);
    expect(fired).toEqual([item]);
  });

  it('wait until everything that was in the log when they came due has been delivered', async () => {
    const { clock, fired, timers, owned } = open(() => Promise.resolve(12));
    timers.add({ dueAt: clock.now() + 500, partition: owned, item, holds: () => true });
    await clock.advance(2000);
    expect(fired).toEqual([]);
    owned.deliveredSeq = 11;
    await clock.advance(2000);
    expect(fired).toEqual([]);
    owned.deliveredSeq = 12;
    await clock.advance(100);
    expect(fired).toEqual([item]);
  });

  it('wait while the log cannot be reached', async () => {
    let away = true;
    const { clock, fired, timers, owned } = open(() =>
      away ? Promise.reject(new Error('away')) : Promise.resolve(10),
    );
    timers.add({ dueAt: clock.now() + 500, partition: owned, item, holds: () => true });
    await clock.advance(60_000);
    expect(fired).toEqual([]);
    away = false;
    await clock.advance(100);
    expect(fired).toEqual([item]);
  });

  it('that become due while the log is looked at wait for a look of their own', async () => {
    const { clock, fired, timers, owned } = open(() => Promise.resolve(clock.now() < start + 600 ? 11 : 12));
    const start = clock.now();
    const [early, late]: Item[] = [item, { kind: 'recover', run: 'r2' as RunId }];
    timers.add({ dueAt: start + 500, partition: owned, item: early ?? item, holds: () => true });
    timers.add({ dueAt: start + 700, partition: owned, item: late ?? item, holds: () => true });
    await clock.advance(900);
    owned.deliveredSeq = 11;
    await clock.advance(100);
    // The log had a twelfth message when the second one came due, and that has not been delivered.
    expect(fired).toEqual([early]);
    owned.deliveredSeq = 12;
    await clock.advance(100);
    expect(fired).toEqual([early, late]);
  });

  it('that are due at once do not fill the inbox: what arrives meanwhile comes between them', async () => {
    const { clock, timers, owned } = open(
      () => Promise.resolve(10),
      (to, accepted) => to.inbox.push(accepted),
    );
    for (let n = 0; n < 1_000; n += 1) timers.add(timerOf(owned, n, clock.now() + 500));
    await clock.advance(600);
    expect(owned.inbox).toHaveLength(32);
    const command: Item = { kind: 'recover', run: 'command' as RunId };
    owned.inbox.push(command);
    owned.inbox.splice(0, 31);
    await clock.advance(10);
    expect(owned.inbox).toHaveLength(2);
    owned.inbox.splice(0, 1);
    await clock.advance(10);
    // All of them are taken: the next ones stand behind what has arrived, though that is not taken yet.
    expect(owned.inbox.indexOf(command)).toBe(0);
    expect(owned.inbox).toHaveLength(1 + 32);
  });

  it('that are due at once in many partitions do not fill their inboxes together, and all of them fire', async () => {
    const { clock, timers } = open(
      () => Promise.resolve(10),
      (to, accepted) => to.inbox.push(accepted),
    );
    const partitions = Array.from({ length: 8 }, partition);
    for (let n = 0; n < 1_000; n += 1) timers.add(timerOf(partitions[n % 8] ?? partition(), n, clock.now() + 500));
    await clock.advance(500);
    const waiting = (): number => partitions.reduce((sum, { inbox }) => sum + inbox.length, 0);
    const fired: Item[] = [];
    for (let round = 0; round < 400 && waiting() > 0; round += 1) {
      expect(waiting()).toBeLessThanOrEqual(32);
      for (const { inbox } of partitions) fired.push(...inbox.splice(0, 3));
      await clock.advance(5);
    }
    expect(new Set(fired).size).toBe(1_000);
    expect(fired).toHaveLength(1_000);
  });

  it('do not fire when they have become void, or their partition is gone', async () => {
    const { clock, fired, timers, owned } = open(() => Promise.resolve(10));
    timers.add({ dueAt: clock.now() + 500, partition: owned, item, holds: () => false });
    const other = partition();
    timers.add({ dueAt: clock.now() + 500, partition: other, item, holds: () => true });
    other.drop('fenced');
    await clock.advance(1000);
    expect(fired).toEqual([]);
  });

  it('are forgotten in bulk when they have become void long before they are due', () => {
    const { clock, timers, owned } = open(() => Promise.resolve(10));
    let live = 0;
    for (let n = 0; n < 100_000; n += 1) {
      const holds = n % 100 === 0;
      if (holds) live += 1;
      timers.add({ dueAt: clock.now() + 300_000, partition: owned, item, holds: () => holds });
    }
    expect(timers.size).toBeGreaterThanOrEqual(live);
    expect(timers.size).toBeLessThanOrEqual(4096 + live);
  });
});
