import { describe, expect, it } from '@jest/globals';
import { systemClock } from './clock.js';

describe('the system clock', () => {
  it('calls once, and not at all when it is cancelled', async () => {
    const calls: string[] = [];
    const cancel = systemClock.after(1, () => calls.push('cancelled'));
    cancel();
    await new Promise<void>((resolve) => {
      systemClock.after(5, () => {
        calls.push('called');
        resolve();
      });
    });
    expect(calls).toEqual(['called']);
  });

  it('does not turn a wait of months into one of a millisecond', async () => {
    let called = false;
    const cancel = systemClock.after(90 * 24 * 3_600_000, () => (called = true));
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
    cancel();
    expect(called).toBe(false);
  });
});
