import { describe, expect, it } from '@jest/globals';
import { cpuPerUnit, sumBreakdowns, writesPerUnit } from './breakdown.js';

const quiet = { busy: 0.5, io_wait: 0, steal: 0 };
const loaded = { busy: 1, io_wait: 0.1, steal: 0.2 };

describe('a breakdown', () => {
  it('gives milliseconds for each unit, user and system together', () => {
    const processes = {
      control: { user_s: 1.5, system_s: 0.5, writes: 4000 },
      client: { user_s: 0, system_s: 0.1, writes: 500 },
    };
    expect(cpuPerUnit({ seconds: 9, processes, machine: quiet }, 1000)).toEqual({ control: 2, client: 0.1 });
    expect(writesPerUnit({ seconds: 9, processes, machine: quiet }, 1000)).toEqual({ control: 4, client: 0.5 });
  });

  it('adds up over repeats, the use of the machine by their length', () => {
    const first = { seconds: 1, processes: { control: { user_s: 1, system_s: 2, writes: 10 } }, machine: quiet };
    const second = { seconds: 3, processes: { control: { user_s: 3, system_s: 4, writes: 20 } }, machine: loaded };
    const both = sumBreakdowns([first, second]);
    expect(both.seconds).toBe(4);
    expect(both.processes).toEqual({ control: { user_s: 4, system_s: 6, writes: 30 } });
    expect(both.machine.busy).toBeCloseTo(0.875, 10);
    expect(both.machine.io_wait).toBeCloseTo(0.075, 10);
    expect(both.machine.steal).toBeCloseTo(0.15, 10);
  });
});
