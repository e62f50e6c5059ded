import { describe, expect, it } from '@jest/globals';
import type { ClaimRequest } from '@graphrun/protocol';
import { settle } from '../testing/manual-clock.js';
import { useFixture } from '../testing/use-fixture.js';
import { contract, gate } from '../testing/worker-fixture.js';
import type { AttemptAborted } from './attempt-aborted.js';

const charge = contract('charge', { effects: 'external' });
const price = contract('price');

const open = useFixture([charge, price]);

describe('renewals', () => {
  it('go out together every 5 s until the receipt of the report', async () => {
    const { worker, owner, offer, clock } = await open();
    const result = gate<null>();
    worker.handle('charge', 1, () => result.promise);
    await worker.start();
    const runs = [offer('charge').run, offer('charge').run];
    owner.grant(await owner.nextClaim());
    owner.grant(await owner.nextClaim());
    await settle();
    await clock.advance(5_000);
    expect(owner.renewals.map(({ claims }) => claims.map(({ run }) => run).sort())).toEqual([runs.sort()]);
    await clock.advance(5_000);
    expect(owner.renewals.length).toBe(2);
    result.open(null);
    const reports = [await owner.nextReport(), await owner.nextReport()];
    await clock.advance(5_000);
    expect(owner.renewals.length).toBe(3);
    for (const report of reports) owner.accept(report);
    await clock.advance(20_000);
    expect(owner.renewals.length).toBe(3);
  });

  it('of an owner that was replaced are ignored', async () => {
    const { worker, owner, offer, clock } = await open();
    let aborted = false;
    worker.handle('charge', 1, async (_input, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      aborted = true;
    });
    await worker.start();
    offer('charge');
    const { run, activation, generation } = await owner.nextClaim();
    const [claim] = owner.commands as ClaimRequest[];
    if (claim !== undefined) owner.grant(claim);
    owner.onRenew = () => ({ epoch: 5, leaseMs: 30_000, lost: [] });
    await clock.advance(5_000);
    owner.onRenew = () => ({ epoch: 4, leaseMs: 30_000, lost: [{ run, activation, generation, reason: 'lost' }] });
    await clock.advance(5_000);
    expect(aborted).toBe(false);
  });

  it('that fail for 25 s stop new work of that partition, before the lease ends', async () => {
    const { worker, owner, offer, clock } = await open();
    const result = gate<null>();
    worker.handle('charge', 1, () => result.promise).handle('price', 1, () => 1);
    await worker.start();
    offer('charge');
    owner.grant(await owner.nextClaim());
    await settle();
    owner.onRenew = () => null;
    await clock.advance(24_900);
    offer('price', { strict: false });
    owner.accept(await owner.nextReport());
    await clock.advance(100);
    offer('price', { strict: false });
    await settle();
    expect(owner.unread).toEqual([]);
    expect(worker.status().notReady).toEqual(['the owners of partitions 0 renew no leases']);
    result.open(null);
  });

  it('go out at once for a grant whose answer took long, because its lease may be over', async () => {
    const { worker, owner, offer, clock } = await open();
    let reason: unknown = 'not aborted';
    worker.handle('price', 1, async (_input, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reason = (signal.reason as AttemptAborted).why;
    });
    await worker.start();
    offer('price', { strict: false });
    await clock.advance(40_200);
    const claim = await owner.nextClaim();
    const { run, activation, generation } = claim;
    owner.onRenew = () => ({ epoch: 1, leaseMs: 30_000, lost: [{ run, activation, generation, reason: 'lost' }] });
    owner.grant(claim);
    await settle();
    expect(owner.renewals).toEqual([]);
    await clock.advance(0);
    expect(owner.renewals.length).toBe(1);
    expect(reason).toBe('lease_lost');
  });
});
