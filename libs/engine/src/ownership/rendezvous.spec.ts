import { describe, expect, it } from '@jest/globals';
import { rendezvous } from './rendezvous.js';

const PARTITIONS = Array.from({ length: 64 }, (_, id) => id);

describe('rendezvous', () => {
  it('names nobody when nobody lives', () => {
    expect(rendezvous(0, [])).toBeNull();
  });

  it('gives every member a share', () => {
    const members = ['m1', 'm2', 'm3'];
    const shares = members.map((member) => PARTITIONS.filter((id) => rendezvous(id, members) === member).length);
    for (const share of shares) expect(share).toBeGreaterThan(10);
  });

  it('does not depend on the order in which members are named', () => {
    for (const id of PARTITIONS) expect(rendezvous(id, ['m1', 'm2', 'm3'])).toBe(rendezvous(id, ['m3', 'm1', 'm2']));
  });

  it('moves only the partitions of the member that left', () => {
    for (const id of PARTITIONS) {
      const before = rendezvous(id, ['m1', 'm2', 'm3']);
      if (before !== 'm3') expect(rendezvous(id, ['m1', 'm2'])).toBe(before);
    }
  });
});
