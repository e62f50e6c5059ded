import { describe, expect, it } from '@jest/globals';
import type { Run, RunId } from '@graphrun/domain';
import { Residency, Resident } from './residency.js';

function resident(id: string, historyBytes = 1000, partition = 0): Resident {
  return new Resident({ id: id as RunId, historyBytes } as Run, partition, 0, '');
}

const id = (text: string): RunId => text as RunId;

describe('Residency', () => {
  it('evicts what was used longest ago, and nothing that is pinned', () => {
    const residency = new Residency(7000);
    const [a, b, c] = [resident('a'), resident('b'), resident('c')];
    for (const one of [a, b, c]) residency.insert(one);
    residency.get(id('a'));
    b.pins = 1;
    residency.evict();
    expect(['a', 'b', 'c'].map((name) => residency.get(id(name)) !== undefined)).toEqual([true, true, false]);
    expect(residency.bytes).toBe(a.bytes + b.bytes);
  });

  it('keeps the first of two objects for one run', () => {
    const residency = new Residency(1e6);
    const first = resident('a');
    expect(residency.insert(first)).toBe(first);
    expect(residency.insert(resident('a'))).toBe(first);
    expect(residency.count).toBe(1);
  });

  it('counts growth, but not of a run that is gone', () => {
    const residency = new Residency(1e6);
    const one = resident('a', 0);
    residency.insert(one);
    const grown = { ...one.run, historyBytes: 5000 };
    Object.assign(one, { run: grown });
    residency.touch(one);
    expect(residency.bytes).toBe(2048 + 5000);
    residency.remove(id('a'));
    residency.touch(one);
    expect(residency.bytes).toBe(0);
  });

  it('drops a partition as a whole', () => {
    const residency = new Residency(1e6);
    residency.insert(resident('a', 0, 1));
    residency.insert(resident('b', 0, 2));
    residency.removePartition(1);
    expect([residency.get(id('a')), residency.get(id('b'))?.partition]).toEqual([undefined, 2]);
  });
});
