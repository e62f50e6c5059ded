import { describe, expect, it } from '@jest/globals';
import type { ReadyLeaf } from './ready-queue.js';
import { ReadyQueue } from './ready-queue.js';

function queueOf(limit: number): ReadyQueue {
  return new ReadyQueue({ role: 'forward', activity: 'a', version: 1 }, limit, 100);
}

function leaf(queue: ReadyQueue, name: string): ReadyLeaf {
  const fields = {
    run: name,
    activation: 'a1',
    generation: 1,
    attempt: 1,
    queue,
    strict: false,
    session: null,
    directedAt: 0,
  };
  return { ...fields, partition: null, state: 'waiting' } as unknown as ReadyLeaf;
}

describe('ReadyQueue', () => {
  it('keeps the turn of a leaf whose run has to be loaded first: it may be evicted before another turn comes', () => {
    const queue = queueOf(1);
    for (const name of ['r1', 'r2']) queue.wait(leaf(queue, name));
    const first = queue.next();
    if (first === undefined) throw new Error('nothing waits');
    first.state = 'loading';
    queue.wait(first);
    expect(queue.next()).toBe(first);
  });

  it('hands out in order, and no more at once than its limit', () => {
    const queue = queueOf(2);
    const leaves = ['r1', 'r2', 'r3'].map((name) => leaf(queue, name));
    for (const one of leaves) queue.wait(one);
    expect([queue.next()?.run, queue.next()?.run, queue.next()?.run]).toEqual(['r1', 'r2', undefined]);
    expect(queue.waiting).toBe(1);
    if (leaves[0] !== undefined) queue.remove(leaves[0], 5);
    expect(queue.next()?.run).toBe('r3');
    expect(queue.progressAt).toBe(5);
  });

  it('passes over what is no longer ready', () => {
    const queue = queueOf(8);
    const [first, second] = [leaf(queue, 'r1'), leaf(queue, 'r2')];
    queue.wait(first);
    queue.wait(second);
    queue.remove(first, 1);
    expect(queue.next()?.run).toBe('r2');
    expect(queue.offered.size).toBe(1);
  });

  it('forgets what it has handed out, however long the line was', () => {
    const queue = queueOf(1);
    for (let n = 0; n < 5000; n += 1) queue.wait(leaf(queue, `r${n}`));
    for (let n = 0; n < 5000; n += 1) {
      const next = queue.next();
      expect(next?.run).toBe(`r${n}`);
      if (next !== undefined) queue.remove(next, n);
    }
    expect([queue.waiting, queue.offered.size]).toEqual([0, 0]);
  });
});
