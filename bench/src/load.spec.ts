import { describe, expect, it } from '@jest/globals';
import { closedLoop, rateOf } from './load.js';

describe('a closed loop', () => {
  it('sends every request once and never has more in flight than it may', async () => {
    let inFlight = 0;
    let most = 0;
    const sent: number[] = [];
    const { latenciesMs } = await closedLoop(20, 4, async (index) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      sent.push(index);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
    });
    expect(most).toBe(4);
    expect(sent).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(latenciesMs).toHaveLength(20);
  });

  it('ends with the first failure and sends nothing more', async () => {
    const sent: number[] = [];
    const load = closedLoop(1000, 2, async (index) => {
      sent.push(index);
      await new Promise((resolve) => setImmediate(resolve));
      if (index === 3) throw new Error('order 3 ended wrong');
    });
    await expect(load).rejects.toThrow('order 3 ended wrong');
    const sentAtFailure = sent.length;
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent.length).toBeLessThanOrEqual(sentAtFailure + 1);
    expect(sentAtFailure).toBeLessThan(8);
  });

  it('has as rate the requests over the whole time, not over the sum of the latencies', () => {
    expect(rateOf({ seconds: 2, latenciesMs: [10, 30, 20, 40] })).toEqual({
      per_second: 2,
      p50_ms: 20,
      p95_ms: 40,
      p99_ms: 40,
    });
  });
});
