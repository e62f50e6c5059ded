import { afterEach, describe, expect, it } from '@jest/globals';
import type { ClaimRequest } from '@graphrun/protocol';
import { settle } from '../testing/manual-clock.js';
import { contract, gate, openFixture } from '../testing/worker-fixture.js';
import type { FixtureOptions, WorkerFixture } from '../testing/worker-fixture.js';
import type { AttemptAborted } from './attempt-aborted.js';

const charge = contract('charge', { effects: 'external' });
const price = contract('price');

let fixture: WorkerFixture;

async function open(options: Partial<FixtureOptions> = {}): Promise<WorkerFixture> {
  fixture = await openFixture({ contracts: [charge, price], ...options });
  return fixture;
}

afterEach(async () => {
  await fixture.close();
});

describe('the context of a handler', () => {
  it('has the effect key, sub-keys, attempt and deadline of the grant', async () => {
    const { worker, owner, offer, clock } = await open();
    let seen: object = {};
    worker.handle('charge', 1, (_input, context) => {
      const { effectKey, attempt, deadline, aborted } = context;
      seen = { effectKey, attempt, deadline, aborted, sub: context.subKey('email') };
      context.heartbeat({ done: 1 });
      context.logger.info({ step: 1 }, 'charging');
      return null;
    });
    await worker.start();
    const { effectKey, run } = offer('charge', { attempt: 3 });
    owner.grant(await owner.nextClaim(), clock.now() + 77_000);
    await owner.nextReport();
    expect(seen).toEqual({
      effectKey,
      attempt: 3,
      deadline: clock.now() + 77_000,
      aborted: false,
      sub: `${effectKey}:email`,
    });
    expect(worker.status().attempts).toMatchObject([
      { run, activity: 'charge', phase: 'reporting', details: { done: 1 } },
    ]);
    expect(fixture.lines.filter(({ message }) => message === 'charging')).toEqual([
      {
        level: 'info',
        message: 'charging',
        fields: { run, activation: 'a1', attempt: 3, activity: 'charge', step: 1 },
      },
    ]);
  });
});

describe('aborts tell their causes apart', () => {
  async function abortOf(act: (claim: ClaimRequest) => Promise<void> | void): Promise<unknown> {
    const { worker, owner, offer } = await open();
    let reason: unknown = 'not aborted';
    worker.handle('charge', 1, async (_input, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reason = (signal.reason as AttemptAborted).why;
      return 'late';
    });
    await worker.start();
    offer('charge', { timeoutMs: 60_000 });
    const claim = await owner.nextClaim();
    owner.grant(claim, fixture.clock.now() + 60_000);
    await settle();
    await act(claim);
    await settle();
    return reason;
  }

  it('cancelled, when the owner pushes it', async () => {
    const reason = await abortOf(({ run, activation, generation, session }) => {
      fixture.messaging.queue.abort(session, { run, activation, generation, reason: 'cancelled' });
    });
    expect(reason).toBe('cancelled');
  });

  it('cancelled or lost, when a renewal says so', async () => {
    const reason = await abortOf(async ({ run, activation, generation }) => {
      fixture.owner.onRenew = () => ({
        epoch: 1,
        leaseMs: 30_000,
        lost: [{ run, activation, generation, reason: 'lost' }],
      });
      await fixture.clock.advance(5_000);
    });
    expect(reason).toBe('lease_lost');
    expect(fixture.owner.renewals.length).toBe(1);
  });

  it('lease_lost, when no renewal succeeds for the lease', async () => {
    const reason = await abortOf(async () => {
      fixture.owner.onRenew = () => null;
      await fixture.clock.advance(30_000);
    });
    expect(reason).toBe('lease_lost');
  });

  it('deadline, and the late result is reported all the same', async () => {
    const reason = await abortOf(() => fixture.clock.advance(60_000));
    expect(reason).toBe('deadline');
    expect((await fixture.owner.nextReport()).outcome).toEqual({ kind: 'success', output: 'late' });
  });

  it('shutdown, at the end of a drain', async () => {
    const reason = await abortOf(async () => {
      const drained = fixture.worker.drain(30_000);
      await fixture.clock.advance(25_000);
      fixture.owner.accept(await fixture.owner.nextReport());
      expect(await drained).toEqual({ finished: 1, abandoned: 0 });
    });
    expect(reason).toBe('shutdown');
  });
});

describe('a handler that ignores its abort', () => {
  it('keeps its slot, and liveness says so when no slot is left', async () => {
    const { worker, owner, offer, clock } = await open({ slots: 1 });
    const forever = gate<null>();
    worker.handle('charge', 1, () => forever.promise).handle('price', 1, () => 1);
    await worker.start();
    offer('charge', { timeoutMs: 10_000 });
    owner.grant(await owner.nextClaim(), clock.now() + 10_000);
    await settle();
    await clock.advance(15_000);
    expect(worker.status().notAlive).toEqual([]);
    await clock.advance(1);
    expect(worker.status().notAlive).toEqual(['charge/v1: all 1 slots are held by handlers that ignored their abort']);
    expect(worker.status().notReady).toEqual(worker.status().notAlive);
    forever.open(null);
    owner.accept(await owner.nextReport());
    await settle();
    expect(worker.status().notAlive).toEqual([]);
  });
});
