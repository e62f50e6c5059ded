/** What really happened to effects, as the ledger of the provider tells it: not as the engine does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeDir, tempDir } from '@graphrun/testing';
import { graphrun } from './harness/graphrun.js';
import { ProvidedCluster } from './harness/provided-cluster.js';

const TEST_MS = 120_000;
/** An undeclared code, so no retry helps: the compensation is blocked. */
const CLOSED = { kind: 'refuse', code: 'bank.closed', message: 'the bank has closed for ever' } as const;

/** The inputs of a run of its own, by which its requests are known to the provider. */
function orderOf(id: string) {
  const order = { order_id: id, amount: 100 };
  return { order, reserved: { ...order, reservation_id: 'res-1' }, match: { input: { order_id: id } } };
}

describe('the ledger of the provider', () => {
  let own: ProvidedCluster;

  beforeAll(async () => {
    own = await ProvidedCluster.start(
      ['worker-1', 'worker-2'],
      ['booking', 'charge', 'five-steps', 'irreversible', 'late', 'manual', 'transfer'],
    );
  }, TEST_MS);

  afterAll(() => own.stop(), TEST_MS);

  it(
    'has two requests and one effect where the first answer was lost',
    async () => {
      const { reserved, match } = orderOf('lost-answer');
      await own.provider.rule(match, { kind: 'lie' });
      const run = await own.start('e2e_charge', reserved);
      expect(await own.atRest(run)).toMatchObject({
        status: 'succeeded',
        output: { order_id: 'lost-answer', amount: 100, payment_id: 'pay-1' },
      });
      const ledger = await own.ledger(run);
      expect([ledger.requests('payment.charge'), ledger.effects('payment.charge')]).toEqual([2, 1]);
    },
    TEST_MS,
  );

  it(
    'has one effect where a worker died in a charge that may be repeated, and another one repeated it',
    async () => {
      const { reserved, match } = orderOf('killed');
      await own.provider.rule(match, { kind: 'hold' });
      const run = await own.start('e2e_charge', reserved);
      await own.ledgerWhen(run, 'the charge is under way', (ledger) => ledger.requests() === 1);
      const worker = await own.holder(run);
      await worker.kill();
      expect(await own.atRest(run)).toMatchObject({ status: 'succeeded' });
      expect((await own.ledger(run)).effects('payment.charge')).toBe(1);
      // The request of the dead worker lands after all, and changes nothing.
      expect(await own.provider.release(match)).toBe(1);
      const ledger = await own.ledger(run);
      expect([ledger.requests('payment.charge'), ledger.effects('payment.charge')]).toEqual([2, 1]);
      await worker.restart();
    },
    TEST_MS,
  );

  it(
    'has one request and one effect where a worker died in work that may not be repeated: its reconciler was asked',
    async () => {
      const { order, match } = orderOf('killed-manual');
      await own.provider.rule(match, { kind: 'hold' });
      const run = await own.start('e2e_manual', order);
      await own.ledgerWhen(run, 'the effect is under way', (ledger) => ledger.requests() === 1);
      const worker = await own.holder(run);
      await worker.kill();
      expect(await own.provider.release(match)).toBe(1);
      expect(await own.atRest(run)).toMatchObject({ status: 'succeeded', output: order });
      const ledger = await own.ledger(run);
      expect([ledger.requests('test.manual'), ledger.effects('test.manual')]).toEqual([1, 1]);
      expect(ledger.probes('test.manual')).toEqual(['applied']);
      await worker.restart();
    },
    TEST_MS,
  );

  it(
    'has no undo before a charge has landed that was under way when its saga failed',
    async () => {
      const { order, reserved, match } = orderOf('late');
      await own.provider.rule({ ...match, activity: 'payment.charge' }, { kind: 'hold' });
      const run = await own.start('e2e_late', reserved);
      await own.ledgerWhen(run, 'the charge is under way', (ledger) => ledger.requests('payment.charge') === 1);
      await own.act(run, 'signals', { signal: 'refuse', key: order.order_id, payload: null });
      // Nobody knows what becomes of the charge, so its reconciler is asked; it knows no more than that.
      const asked = await own.ledgerWhen(run, 'a probe came', ({ lines }) =>
        lines.some(({ kind }) => kind === 'probed'),
      );
      expect(asked.probes('payment.charge')).toEqual(['unknown']);
      expect(asked.order()).toEqual(['inventory.reserve']);
      expect(await own.inspect(run)).toMatchObject({ status: 'active' });
      await own.provider.release(match);
      const ended = await own.atRest(run);
      expect(ended).toMatchObject({ status: 'failed', error: { code: 'order.refused' } });
      expect(ended.compensation).toEqual({ complete: true, irreversible: [], unresolved: [] });
      const ledger = await own.ledger(run);
      expect(ledger.probes('payment.charge')).toEqual(['unknown', 'applied']);
      expect(ledger.order()).toEqual(['inventory.reserve', 'payment.charge', 'payment.refund', 'inventory.release']);
      expect(ledger.requests()).toBe(4);
    },
    TEST_MS,
  );

  it(
    'has each effect of an inner saga undone once, in its place, when the outer one fails',
    async () => {
      const run = await own.start('e2e_transfer', orderOf('transfer').order);
      const ended = await own.atRest(run);
      expect(ended).toMatchObject({ status: 'failed', error: { code: 'order.refused' } });
      expect(ended.compensation).toEqual({ complete: true, irreversible: [], unresolved: [] });
      const steps = ['a2:forward', 'a4:forward', 'a5:forward', 'a6:forward'];
      const undone = ['a6:compensation', 'a5:compensation', 'a4:compensation', 'a2:compensation'];
      const ledger = await own.ledger(run);
      expect(ledger.keys()).toEqual([...steps, ...undone].map((key) => `gr1:${run}:${key}`));
      expect(ledger.requests()).toBe(8);
    },
    TEST_MS,
  );

  it(
    'has the undo that an operator has supplied an input for, over HTTP and by the command line',
    async () => {
      const overHttp = await own.start('e2e_booking', { value: 1 });
      const byCommand = await own.start('e2e_booking', { value: 2 });
      for (const run of [overHttp, byCommand]) {
        const blocked = await own.atRest(run);
        expect(blocked.status).toBe('blocked');
        expect(blocked.explain.map(({ code }) => code)).toContain('compensation_blocked');
        expect((await own.ledger(run)).order()).toEqual(['e2e.book']);
      }
      const input = { ticket: 'T-1' };
      const resolution = { kind: 'input', input };
      await own.act(overHttp, 'resolve', { activation: 'a2', reason: 'found in the mail', resolution });
      const dir = await tempDir('e2e');
      try {
        const file = join(dir, 'ticket.json');
        writeFileSync(file, JSON.stringify(input));
        const resolve = ['resolve', byCommand, '--activation', 'a2', '--input', file, '--reason', 'found', '--yes'];
        await graphrun(own.api.url, ...resolve);
      } finally {
        await removeDir(dir);
      }
      for (const run of [overHttp, byCommand]) {
        const ended = await own.atRest(run);
        expect(ended).toMatchObject({ status: 'failed', error: { code: 'booking.refused' } });
        expect(ended.compensation).toEqual({ complete: true, irreversible: [], unresolved: [] });
        const ledger = await own.ledger(run);
        expect(ledger.order()).toEqual(['e2e.book', 'e2e.unbook']);
        expect(ledger.lines.find(({ activity }) => activity === 'e2e.unbook')).toMatchObject({ input });
      }
    },
    TEST_MS,
  );

  it(
    'has what an abandoned saga has left, and the outcome names just that',
    async () => {
      const { order, match } = orderOf('abandoned');
      await own.provider.rule({ ...match, key: ':a5:compensation' }, CLOSED);
      const run = await own.start('e2e_five_steps', order);
      expect(await own.atRest(run)).toMatchObject({ status: 'blocked' });
      await graphrun(own.api.url, 'abandon', run, '--reason', 'the bank is gone', '--yes');
      const ended = await own.atRest(run);
      expect(ended).toMatchObject({ status: 'failed', error: { code: 'saga.abandoned' } });
      expect(ended.error?.message).toContain('order.refused');
      const left = ['a2', 'a3', 'a4', 'a5'];
      expect(ended.compensation).toMatchObject({ complete: false, irreversible: [] });
      expect(ended.compensation?.unresolved.map(({ activation }) => activation).sort()).toEqual(left);
      const ledger = await own.ledger(run);
      const stand = left.map((activation) => `gr1:${run}:${activation}:forward`);
      const undone = ledger.keys().filter((key) => key.endsWith(':compensation'));
      expect(undone).toEqual([`gr1:${run}:a6:compensation`]);
      expect(ledger.keys()).toEqual(expect.arrayContaining(stand));
    },
    TEST_MS,
  );

  it(
    'has an irreversible effect that no undo answers, and the outcome says so',
    async () => {
      const run = await own.start('e2e_irreversible', orderOf('irreversible').order);
      const ended = await own.atRest(run);
      expect(ended).toMatchObject({ status: 'failed', error: { code: 'order.refused' } });
      expect(ended.compensation).toEqual({
        complete: false,
        irreversible: [
          { activation: 'a2', node: expect.any(String), handler: null, reason: 'The seat is taken for good.' },
        ],
        unresolved: [],
      });
      expect((await own.ledger(run)).order()).toEqual(['inventory.reserve', 'payment.charge', 'payment.refund']);
    },
    TEST_MS,
  );

  it('agrees with the history of every run', async () => {
    expect(await own.broken()).toEqual([]);
  });
});
