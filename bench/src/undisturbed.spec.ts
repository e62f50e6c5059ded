import { describe, expect, it } from '@jest/globals';
import { othersShare } from './undisturbed.js';

describe('the share of others', () => {
  const processes = {
    control: { user_s: 1, system_s: 1, writes: 0 },
    client: { user_s: 0.5, system_s: 0.5, writes: 0 },
  };

  it('is what was busy without our processes, of all cores', () => {
    const machine = { busy: 0.9, io_wait: 0, steal: 0 };
    expect(othersShare({ seconds: 2, processes, machine }, 2)).toBeCloseTo(0.15, 10);
  });

  it('is never below nothing, though clocks tick coarsely', () => {
    expect(othersShare({ seconds: 2, processes, machine: { busy: 0.7, io_wait: 0, steal: 0 } }, 2)).toBe(0);
  });
});
