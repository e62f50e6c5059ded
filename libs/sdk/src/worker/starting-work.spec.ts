import { describe, expect, it } from '@jest/globals';
import type { ClaimRequest } from '@graphrun/protocol';
import { settle } from '../testing/manual-clock.js';
import { useFixture } from '../testing/use-fixture.js';
import { contract, gate } from '../testing/worker-fixture.js';
import type { AttemptAborted } from './attempt-aborted.js';

const charge = contract('charge', { effects: 'external' });
const price = contract('price');

const open = useFixture([charge, price]);

describe('strict work', () => {
  it('starts only after its grant, and is reported without the lax mark', async () => {
    const { worker, owner, offer } = await open();
    const started: unknown[] = [];
    worker.handle('charge', 1, (input) => {
      started.push(input);
      return { paid: true };
    });
    await worker.start();
    const offered = offer('charge', { input: { amount: 3 } });
    const claim = await owner.nextClaim();
    await settle();
    expect(started).toEqual([]);
    expect(claim).toMatchObject({ run: offered.run, activation: 'a1', generation: 1, session: worker.session });

    owner.grant(claim);
    const report = await owner.nextReport();
    expect(started).toEqual([{ amount: 3 }]);
    expect(report).toMatchObject({
      run: offered.run,
      generation: 1,
      session: worker.session,
      lax: false,
      outcome: { kind: 'success', output: { paid: true } },
    });
  });

  it('leaves the queue at the grant, not before', async () => {
    const { worker, owner, offer } = await open();
    const result = gate<null>();
    worker.handle('charge', 1, () => result.promise);
    await worker.start();
    offer('charge');
    const claim = await owner.nextClaim();
    expect(await owner.backlog('charge')).toEqual({ pending: 0, unacked: 1 });
    owner.grant(claim);
    await settle();
    expect(await owner.backlog('charge')).toEqual({ pending: 0, unacked: 0 });
  });

  it('is dropped when its claim is stale', async () => {
    const { worker, owner, offer } = await open();
    let starts = 0;
    worker.handle('charge', 1, () => (starts += 1));
    await worker.start();
    offer('charge');
    owner.receipt(await owner.nextClaim(), { verdict: 'stale', reason: 'granted to another' });
    await settle();
    expect(starts).toBe(0);
    expect(owner.unread).toEqual([]);
    expect(worker.status().attempts).toEqual([]);
    expect(await owner.backlog('charge')).toEqual({ pending: 0, unacked: 0 });
  });

  it('repeats its claim every second with the same content until it is answered', async () => {
    const { worker, owner, offer, clock } = await open();
    worker.handle('charge', 1, () => null);
    await worker.start();
    offer('charge');
    const first = await owner.nextClaim();
    await clock.advance(999);
    expect(owner.unread).toEqual([]);
    await clock.advance(1);
    const second = await owner.nextClaim();
    expect(second).toEqual(first);
    owner.grant(second);
    await owner.nextReport();
  });

  it('stops asking after the lease, and hands back a grant that comes later', async () => {
    const { worker, owner, offer, clock, messaging } = await open();
    let starts = 0;
    worker.handle('charge', 1, () => (starts += 1));
    await worker.start();
    offer('charge');
    const claim = await owner.nextClaim();
    await clock.advance(29_999);
    expect(owner.commands.length).toBe(30);
    // What the worker gives back would come to it again: nobody else is here.
    await messaging.queue.purge({ role: 'forward', activity: 'charge', version: 1 });
    await clock.advance(60_000);
    expect(owner.commands.length).toBe(30);
    expect(worker.status().attempts).toEqual([]);

    const copies = owner.commands.length - 1;
    for (let copy = 0; copy < copies; copy += 1) await owner.nextClaim();
    owner.grant(claim);
    expect((await owner.nextReport()).outcome).toEqual({
      kind: 'returned',
      reason: 'the grant came after this worker stopped waiting for it',
    });
    expect(starts).toBe(0);
  });

  it('is not handed back by a late grant while a newer claim of the same work waits', async () => {
    const { worker, owner, offer, clock } = await open();
    let starts = 0;
    worker.handle('charge', 1, () => (starts += 1));
    await worker.start();
    offer('charge');
    const first = await owner.nextClaim();
    // Nobody answers for the lease; the offer goes back and comes again.
    await clock.advance(30_000);
    const newer = owner.commands.at(-1);
    expect(newer?.ref).not.toBe(first.ref);
    owner.grant(first);
    await settle();
    expect(owner.commands.filter(({ kind }) => kind === 'report')).toEqual([]);
    owner.grant(newer as ClaimRequest);
    await settle();
    expect(starts).toBe(1);
    expect(owner.commands.at(-1)).toMatchObject({ kind: 'report', outcome: { kind: 'success', output: 1 } });
  });

  it('runs a second attempt of another generation of the same activation', async () => {
    const { worker, owner, offer } = await open();
    const attempts: number[] = [];
    worker.handle('charge', 1, (_input, context) => {
      attempts.push(context.attempt);
      return null;
    });
    await worker.start();
    const first = offer('charge');
    owner.grant(await owner.nextClaim());
    owner.accept(await owner.nextReport());
    offer('charge', { run: first.run, attempt: 2, generation: 2 });
    owner.grant(await owner.nextClaim());
    owner.accept(await owner.nextReport());
    expect(attempts).toEqual([1, 2]);
  });

  it('does not run what was delivered twice a second time', async () => {
    const { worker, owner, offer, messaging } = await open();
    let starts = 0;
    worker.handle('charge', 1, () => (starts += 1));
    await worker.start();
    const offered = offer('charge');
    owner.grant(await owner.nextClaim());
    owner.accept(await owner.nextReport());
    await settle();
    messaging.queue.offer(offered);
    await settle();
    expect(starts).toBe(1);
    expect(owner.unread).toEqual([]);
    expect(await owner.backlog('charge')).toEqual({ pending: 0, unacked: 0 });
  });
});

describe('lax work', () => {
  it('claims and reports with one message', async () => {
    const { worker, owner, offer } = await open();
    worker.handle<number>('price', 1, (amount) => amount * 2);
    await worker.start();
    offer('price', { strict: false, input: 21 });
    const report = await owner.nextReport();
    expect(report).toMatchObject({ lax: true, outcome: { kind: 'success', output: 42 } });
    owner.accept(report);
    await settle();
    expect(owner.commands.length).toBe(1);
    expect(await owner.backlog('price')).toEqual({ pending: 0, unacked: 0 });
  });

  it('stays in the queue until its receipt, or until the log has confirmed its repeated report', async () => {
    const { worker, owner, offer, clock } = await open();
    worker.handle('price', 1, () => 1);
    await worker.start();
    offer('price', { strict: false });
    await owner.nextReport();
    await settle();
    expect(worker.status().unreceipted).toBe(1);
    expect(await owner.backlog('price')).toEqual({ pending: 0, unacked: 1 });
    await clock.advance(1_000);
    await owner.nextReport();
    await settle();
    expect(worker.status().unreceipted).toBe(1);
    expect(await owner.backlog('price')).toEqual({ pending: 0, unacked: 0 });
  });

  it('claims what takes longer than the threshold, and reports under the grant', async () => {
    const { worker, owner, offer, clock } = await open();
    const result = gate<string>();
    worker.handle('price', 1, () => result.promise);
    await worker.start();
    offer('price', { strict: false });
    await clock.advance(199);
    expect(owner.commands).toEqual([]);
    await clock.advance(1);
    const claim = await owner.nextClaim();
    result.open('slow');
    await settle();
    expect(owner.unread).toEqual([]);
    owner.grant(claim);
    expect(await owner.nextReport()).toMatchObject({ lax: false, outcome: { kind: 'success', output: 'slow' } });
  });

  it('drops the result and stops the handler when its claim is stale', async () => {
    const { worker, owner, offer, clock } = await open();
    let reason: unknown;
    worker.handle('price', 1, async (_input, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reason = signal.reason;
      return 'nobody wants it';
    });
    await worker.start();
    offer('price', { strict: false });
    await clock.advance(200);
    owner.receipt(await owner.nextClaim(), { verdict: 'stale' });
    await settle();
    expect((reason as AttemptAborted).why).toBe('lease_lost');
    expect(owner.unread).toEqual([]);
    expect(worker.status().attempts).toEqual([]);
  });

  it('may run again when the engine offers the same generation anew', async () => {
    const { worker, owner, offer } = await open();
    let starts = 0;
    worker.handle('price', 1, () => (starts += 1));
    await worker.start();
    const first = offer('price', { strict: false });
    owner.receipt(await owner.nextReport(), { verdict: 'stale', reason: 'the run was paused' });
    await settle();
    offer('price', { run: first.run, strict: true });
    owner.grant(await owner.nextClaim());
    owner.accept(await owner.nextReport());
    expect(starts).toBe(2);
  });
});

describe('grants without a claim', () => {
  it('run at once when they come in a receipt', async () => {
    const { worker, owner, offer, grantOf } = await open();
    worker.handle('price', 1, () => 1).handle('charge', 1, () => 'charged');
    await worker.start();
    offer('price', { strict: false });
    owner.accept(await owner.nextReport(), [grantOf('charge')]);
    expect(await owner.nextReport()).toMatchObject({ lax: false, outcome: { kind: 'success', output: 'charged' } });
  });

  it('run at once when the owner sends them straight', async () => {
    const { worker, owner, grantOf, messaging } = await open();
    worker.handle('charge', 1, () => 'charged');
    await worker.start();
    messaging.queue.grant(worker.session, grantOf('charge'));
    expect(await owner.nextReport()).toMatchObject({ lax: false, outcome: { kind: 'success', output: 'charged' } });
  });

  it('run at once without a grant when it is pure work that nobody else was offered', async () => {
    const { worker, owner, offer, grantOf } = await open();
    worker.handle<number>('price', 1, (amount) => amount + 1);
    await worker.start();
    offer('price', { strict: false, input: 1 });
    owner.accept(await owner.nextReport(), [grantOf('price', { grantedUntil: null, strict: false, input: 2 })]);
    expect(await owner.nextReport()).toMatchObject({ lax: true, outcome: { kind: 'success', output: 3 } });
  });

  it('of pure work can be taken from the queue after they were handed back', async () => {
    const { worker, owner, grantOf, messaging } = await open({ slots: 1 });
    const first = gate<string>();
    worker.handle('price', 1, (input) => (input === 'first' ? first.promise : input));
    await worker.start();
    messaging.queue.grant(worker.session, grantOf('price', { grantedUntil: null, strict: false, input: 'first' }));
    const directed = grantOf('price', { grantedUntil: null, strict: false, input: 'second' });
    messaging.queue.grant(worker.session, directed);
    const returned = await owner.nextReport();
    expect(returned.outcome.kind).toBe('returned');
    owner.accept(returned);
    first.open('done');
    owner.accept(await owner.nextReport());
    messaging.queue.offer({ ...directed, id: 'offered-anew' });
    expect((await owner.nextReport()).outcome).toEqual({ kind: 'success', output: 'second' });
  });

  it('run once, however often the receipt comes', async () => {
    const { worker, owner, offer, grantOf } = await open();
    let starts = 0;
    worker.handle('price', 1, () => 1).handle('charge', 1, () => (starts += 1));
    await worker.start();
    offer('price', { strict: false });
    const report = await owner.nextReport();
    const eager = grantOf('charge');
    owner.accept(report, [eager, eager]);
    owner.accept(report, [eager]);
    owner.accept(await owner.nextReport(), [eager]);
    await settle();
    expect(starts).toBe(1);
    expect(owner.unread).toEqual([]);
  });

  it('are handed back, costing no attempt, when the contract is another', async () => {
    const { worker, owner, grantOf, messaging } = await open();
    let starts = 0;
    worker.handle('charge', 1, () => (starts += 1));
    await worker.start();
    messaging.queue.grant(worker.session, grantOf('charge', { contractDigest: 'other' }));
    const report = await owner.nextReport();
    expect(report).toMatchObject({
      lax: false,
      outcome: { kind: 'returned', reason: 'this worker does not know the contract other of forward/charge/1' },
    });
    expect(starts).toBe(0);
  });

  it('are handed back when no slot is free', async () => {
    const { worker, owner, grantOf, messaging } = await open({ slots: 1 });
    const result = gate<null>();
    worker.handle('charge', 1, () => result.promise);
    await worker.start();
    messaging.queue.grant(worker.session, grantOf('charge'));
    messaging.queue.grant(worker.session, grantOf('charge'));
    expect(await owner.nextReport()).toMatchObject({
      outcome: { kind: 'returned', reason: 'the worker has no free slot for forward/charge/1' },
    });
  });

  it('are not started after their deadline', async () => {
    const { worker, owner, grantOf, messaging, clock } = await open();
    let starts = 0;
    worker.handle('charge', 1, () => (starts += 1));
    await worker.start();
    messaging.queue.grant(worker.session, grantOf('charge', { grantedUntil: clock.now() }));
    await settle();
    expect(starts).toBe(0);
    expect(owner.commands).toEqual([]);
  });
});
