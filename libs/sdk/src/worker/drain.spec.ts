import { describe, expect, it } from '@jest/globals';
import type { ActivationId } from '@graphrun/domain';
import type { ClaimRequest } from '@graphrun/protocol';
import { settle } from '../testing/manual-clock.js';
import { useFixture } from '../testing/use-fixture.js';
import { contract, gate } from '../testing/worker-fixture.js';

const charge = contract('charge', { effects: 'external' });
const price = contract('price');

const open = useFixture([charge, price]);

describe('draining', () => {
  it('finishes what runs, hands back what waits, takes nothing new', async () => {
    const { worker, owner, offer, messaging, grantOf, clock } = await open();
    const result = gate<string>();
    let shuttingDown = false;
    worker
      .handle('charge', 1, (_input, context) => {
        context.shuttingDown.addEventListener('abort', () => (shuttingDown = true));
        return result.promise;
      })
      .handle('price', 1, () => 'never');
    await worker.start();
    offer('charge');
    owner.grant(await owner.nextClaim());
    await settle();
    const waiting = offer('charge');
    const waitingClaim = await owner.nextClaim();

    const drained = worker.drain(30_000);
    expect(shuttingDown).toBe(true);
    offer('price', { strict: false });
    messaging.queue.grant(worker.session, grantOf('price'));
    owner.grant(waitingClaim);
    const returned = [await owner.nextReport(), await owner.nextReport()];
    expect(returned.map(({ outcome }) => outcome)).toEqual([
      { kind: 'returned', reason: 'the worker is draining' },
      { kind: 'returned', reason: 'the worker is draining' },
    ]);
    expect(returned.map(({ run }) => run)).toContain(waiting.run);
    for (const report of returned) owner.accept(report);
    expect(await owner.backlog('price')).toEqual({ pending: 1, unacked: 0 });
    expect((await messaging.queue.sessions())[0]).toMatchObject({ draining: true, running: 1 });

    result.open('done');
    const report = await owner.nextReport();
    expect(report.outcome).toEqual({ kind: 'success', output: 'done' });
    await settle();
    expect(worker.state).toBe('draining');
    owner.accept(report);
    expect(await drained).toEqual({ finished: 2, abandoned: 0 });
    expect(worker.state).toBe('closed');
    expect(await messaging.queue.ping(worker.session)).toBe('gone');
    await clock.advance(60_000);
    expect(owner.unread).toEqual([]);
  });

  it('finishes what undoes and what asks as it does steps, and hands back what of them waits', async () => {
    const reconcilers = [{ name: 'charge.lookup', version: 1, forwardActivity: { name: 'charge', version: 1 } }];
    const { worker, owner, offer } = await open({ reconcilers });
    const [undone, answered] = [gate<null>(), gate<'not_applied'>()];
    worker
      .handle('charge', 1, () => undone.promise, { roles: ['compensation'] })
      .reconcile('charge.lookup', 1, () => answered.promise);
    await worker.start();
    const compensation = { role: 'compensation', activation: 'a1c' as ActivationId } as const;
    const probe = { role: 'reconciliation', activity: 'charge.lookup', activation: 'a1r' as ActivationId } as const;
    for (const work of [compensation, probe]) {
      offer('charge', work);
      owner.grant(await owner.nextClaim());
    }
    await settle();
    const waiting: ClaimRequest[] = [];
    for (const work of [compensation, probe]) {
      offer('charge', work);
      waiting.push(await owner.nextClaim());
    }
    const drained = worker.drain(30_000);
    for (const claim of waiting) owner.grant(claim);
    undone.open(null);
    answered.open('not_applied');
    const outcomes: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const report = await owner.nextReport();
      outcomes.push(`${report.activation} ${report.outcome.kind}`);
      owner.accept(report);
    }
    expect(outcomes.sort()).toEqual(['a1c returned', 'a1c success', 'a1r probed', 'a1r returned']);
    expect(await drained).toEqual({ finished: 4, abandoned: 0 });
  });

  it('ends when its time is over, and says what it left', async () => {
    const { worker, owner, offer, clock } = await open();
    const forever = gate<null>();
    worker.handle('charge', 1, () => forever.promise);
    await worker.start();
    offer('charge');
    owner.grant(await owner.nextClaim());
    await settle();
    const drained = worker.drain(30_000);
    await clock.advance(30_000);
    expect(await drained).toEqual({ finished: 0, abandoned: 1 });
    forever.open(null);
  });

  it('costs pure work that stops for it no attempt', async () => {
    const { worker, owner, offer, clock } = await open();
    worker.handle('price', 1, async (_input, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw signal.reason;
    });
    await worker.start();
    offer('price');
    owner.grant(await owner.nextClaim());
    await settle();
    const drained = worker.drain(30_000);
    await clock.advance(25_000);
    const report = await owner.nextReport();
    expect(report.outcome).toEqual({
      kind: 'returned',
      reason: 'the handler stopped for the shutdown of its worker',
    });
    owner.accept(report);
    expect(await drained).toEqual({ finished: 1, abandoned: 0 });
  });

  it('gives unclaimed work that stops for it back to the queue', async () => {
    const { worker, owner, offer, clock } = await open({ laxThresholdMs: 60_000 });
    worker.handle('price', 1, async (_input, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw signal.reason;
    });
    await worker.start();
    offer('price', { strict: false });
    await settle();
    const drained = worker.drain(30_000);
    await clock.advance(25_000);
    expect(await drained).toEqual({ finished: 1, abandoned: 0 });
    expect(owner.commands).toEqual([]);
    expect(await owner.backlog('price')).toEqual({ pending: 1, unacked: 0 });
  });
});
