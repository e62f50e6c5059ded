import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { family, parseMachineTimes, parseProcessTimes, parseWrites, processTimes } from './process-times.js';

describe('times of a process', () => {
  it('are read from its line whatever its name holds', () => {
    const line = '42 (we (ird) name) S 7 42 42 0 -1 4194304 1 2 3 4 250 50 30 20 20 0 11 0 100 0 0';
    expect(parseProcessTimes(line)).toEqual({ parent: 7, user: 2.5, system: 0.5, ended: 0.5 });
  });

  it('grow with the work that it does', () => {
    const before = processTimes(process.pid);
    const endsAt = performance.now() + 10_000;
    let after = before;
    while (
      (after?.user ?? 0) + (after?.system ?? 0) <= (before?.user ?? 0) + (before?.system ?? 0) &&
      performance.now() < endsAt
    ) {
      after = processTimes(process.pid);
    }
    expect((after?.user ?? 0) + (after?.system ?? 0)).toBeGreaterThan((before?.user ?? 0) + (before?.system ?? 0));
  });

  it('are absent when it is gone', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    const { pid } = child;
    await once(child, 'exit');
    expect(processTimes(pid!)).toBeNull();
  });

  it('can be asked of the children too', async () => {
    const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    expect(family(process.pid)).toEqual(expect.arrayContaining([process.pid, child.pid]));
    child.stdin.end();
    await once(child, 'exit');
    expect(family(process.pid)).not.toContain(child.pid);
  });
});

describe('write calls', () => {
  it('are read from the line that counts calls, not bytes', () => {
    expect(parseWrites('rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 44\nread_bytes: 5\nwrite_bytes: 6\n')).toBe(44);
  });
});

describe('times of the machine', () => {
  it('are those of all cores, apart by what they were spent on', () => {
    expect(parseMachineTimes('cpu  100 10 50 800 25 5 5 30 0 0\ncpu0 1 2 3\n')).toEqual({
      busy: 1.7,
      idle: 8,
      ioWait: 0.25,
      steal: 0.3,
    });
  });
});
