import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DueHeap } from './due-heap.js';

describe('DueHeap', () => {
  it('gives entries out by due time, however they came in', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(1000), fc.constant(null))), (steps) => {
        const heap = new DueHeap<{ dueAt: number }>();
        const model: number[] = [];
        for (const step of steps) {
          if (step !== null) {
            heap.push({ dueAt: step });
            model.push(step);
            continue;
          }
          model.sort((a, b) => a - b);
          expect(heap.peek()?.dueAt).toBe(model[0]);
          expect(heap.pop()?.dueAt).toBe(model.shift());
        }
        expect(heap.size).toBe(model.length);
      }),
    );
  });

  it('keeps what it is told to keep, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000)), (times) => {
        const heap = new DueHeap<{ dueAt: number }>();
        for (const dueAt of times) heap.push({ dueAt });
        heap.keep(({ dueAt }) => dueAt % 2 === 0);
        const out: number[] = [];
        for (let next = heap.pop(); next !== undefined; next = heap.pop()) out.push(next.dueAt);
        expect(out).toEqual(times.filter((dueAt) => dueAt % 2 === 0).sort((a, b) => a - b));
      }),
    );
  });
});
