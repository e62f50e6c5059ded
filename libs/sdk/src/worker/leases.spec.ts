import { describe, expect, it } from '@jest/globals';
import type { Json } from '@graphrun/dsl';
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

  it('carry the last heartbeat with its age, bounded to 1 KiB, and nothing before there is one', async () => {
    const { worker, owner, offer, clock, lines } = await open();
    const said: ((details: Json) => void)[] = [];
    const result = gate<null>();
    worker.handle('charge', 1, (_input, { heartbeat }) => {
      said.push(heartbeat);
      return result.promise;
    });
    await worker.start();
    const { run } = offer('charge');
    owner.grant(await owner.nextClaim());
    await clock.advance(5_000);
    const claim = { run, activation: 'a1', generation: 1 };
    expect(owner.renewals.at(-1)?.claims).toEqual([claim]);

    const [heartbeat = () => undefined] = said;
    heartbeat({ done: 1 });
    await clock.advance(1_500);
    const details = { done: 2 };
    heartbeat(details);
    details.done = 99;
    await clock.advance(3_500);
    expect(owner.renewals.at(-1)?.claims).toEqual([{ ...claim, heartbeat: { ageMs: 3_500, details: { done: 2 } } }]);
    await clock.advance(5_000);
    expect(owner.renewals.at(-1)?.claims).toEqual([{ ...claim, heartbeat: { ageMs: 8_500, details: { done: 2 } } }]);

    heartbeat('secret'.repeat(200));
    await clock.advance(5_000);
    const omitted = 'the details are over the limit of 1024 bytes';
    expect(owner.renewals.at(-1)?.claims).toEqual([{ ...claim, heartbeat: { ageMs: 5_000, details: { omitted } } }]);
    expect(JSON.stringify(lines)).not.toContain('done');
    expect(owner.commands.map(({ kind }) => kind)).toEqual(['claim']);
    result.open(null);
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
