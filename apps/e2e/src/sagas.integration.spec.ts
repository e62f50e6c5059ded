/** What sagas do with real processes, embedded and in a cluster. The ledger of the provider says what happened. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleDefinitionText } from '@graphrun/examples';
import { eventually } from '@graphrun/testing';
import { definitionText } from './definitions.js';
import { Deployment, DEPLOYMENTS } from './deployments/deployment.js';

const BOOT_MS = 120_000;
const TEST_MS = 120_000;
const UNDONE = { complete: true, irreversible: [], unresolved: [] };
/** The effects of an order that was refused after its payment. */
const REFUNDED_THEN_RELEASED = ['inventory.reserve', 'payment.charge', 'payment.refund', 'inventory.release'];

describe.each(DEPLOYMENTS)('sagas, %s', (kind) => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.start(kind);
    for (const name of ['saga', 'nested-saga'] as const) await deployment.publish(exampleDefinitionText(name));
    for (const name of ['held-saga', 'blocking', 'booking'] as const) await deployment.publish(definitionText(name));
  }, BOOT_MS);

  afterAll(() => deployment.stop(), BOOT_MS);

  const refused = (id: string) => ({ order_id: id, amount: 1000, refuse: true });

  async function effectsOf(run: string): Promise<readonly string[]> {
    return (await deployment.provider.ledger()).of(run).order();
  }

  /** Activities whose undoing began, in order. */
  async function undoingsOf(run: string): Promise<readonly unknown[]> {
    const started = (await deployment.history(run)).filter(({ kind: event }) => event === 'compensation_started');
    return started.map(({ activation }) => activation);
  }

  it.each([
    ['a failed saga', 'order_saga'],
    ['an outer saga that fails after its inner one, which has handed over what it owes,', 'order_nested_saga'],
  ])(
    '%s gives the payment back, then releases the stock, each once',
    async (_, workflow) => {
      const run = await deployment.start(workflow, refused(`${workflow}-1`));
      expect(await deployment.atRest(run)).toMatchObject({
        status: 'failed',
        error: { code: 'order.refused' },
        compensation: UNDONE,
      });
      expect(await effectsOf(run)).toEqual(REFUNDED_THEN_RELEASED);
      expect((await deployment.provider.ledger()).of(run).requests()).toBe(4);
      const handedOver = (await deployment.history(run)).filter(
        ({ kind: event }) => event === 'obligations_transferred',
      );
      expect(handedOver).toHaveLength(workflow === 'order_nested_saga' ? 1 : 0);
    },
    TEST_MS,
  );

  it(
    'a cancel during a saga undoes it',
    async () => {
      const run = await deployment.start('e2e_held_saga', { order_id: 'held', amount: 1 });
      await deployment.when(run, 'the reservation is owed', ({ waits, obligations }) => {
        return waits.length === 1 && obligations.some(({ handler }) => handler === 'inventory.release');
      });
      await deployment.cancel(run);
      expect(await deployment.atRest(run)).toMatchObject({
        status: 'cancelled',
        error: { code: 'run.cancelled' },
        compensation: UNDONE,
      });
      expect(await effectsOf(run)).toEqual(['inventory.reserve', 'inventory.release']);
    },
    TEST_MS,
  );

  it(
    'a compensation that was under way goes on after a restart, and the stock is released once',
    async () => {
      const match = { activity: 'inventory.release', input: { order_id: 'restarted' } };
      await deployment.provider.rule(match, { kind: 'hold' });
      const run = await deployment.start('order_saga', refused('restarted'));
      await eventually('the release is under way', async () => {
        return (await deployment.provider.ledger()).of(run).requests('inventory.release') === 1;
      });
      expect(await deployment.inspect(run)).toMatchObject({ status: 'active' });
      // What the dead worker had asked for happens while nobody is there to hear of it.
      await deployment.crash(() => deployment.provider.release(match));
      expect(await deployment.atRest(run)).toMatchObject({ status: 'failed', compensation: UNDONE });
      expect(await effectsOf(run)).toEqual(REFUNDED_THEN_RELEASED);
      const ledger = (await deployment.provider.ledger()).of(run);
      expect([ledger.requests('inventory.release'), ledger.effects('inventory.release')]).toEqual([2, 1]);
      expect(ledger.misused()).toEqual([]);
      expect(await undoingsOf(run)).toHaveLength(2);
    },
    TEST_MS,
  );

  it(
    'cancelling work that blocks its thread does not prove that it has ended: it is waited for, and undone',
    async () => {
      const dir = join(deployment.dir, 'blocking');
      mkdirSync(dir);
      const run = await deployment.start('e2e_blocking', { dir });
      await eventually('the handler is in its thread', () => existsSync(join(dir, 'entered')));
      await deployment.cancel(run);
      const stopping = await deployment.inspect(run);
      expect(stopping).toMatchObject({
        status: 'stopping',
        activities: [{ activity: 'e2e.block', status: 'claimed' }],
      });
      expect(existsSync(join(dir, 'effects'))).toBe(false);
      writeFileSync(join(dir, 'go'), '');
      expect(await deployment.atRest(run)).toMatchObject({ status: 'cancelled', compensation: UNDONE });
      expect(readFileSync(join(dir, 'effects'), 'utf8')).toBe('done\nundone\n');
      expect(readFileSync(join(dir, 'entered'), 'utf8')).toBe('entered\n');
    },
    TEST_MS,
  );

  it(
    'an obligation without an input blocks the run, until it is resolved or abandoned',
    async () => {
      const [resolved, abandoned] = [
        await deployment.start('e2e_booking', { value: 1 }),
        await deployment.start('e2e_booking', { value: 2 }),
      ];
      for (const run of [resolved, abandoned]) {
        expect(await deployment.atRest(run)).toMatchObject({
          status: 'blocked',
          obligations: [{ handler: 'e2e.unbook', status: 'blocked_input' }],
        });
      }
      const resolution = { kind: 'input', input: { ticket: 'T-1' } };
      await deployment.act(resolved, 'resolve', { activation: 'a2', reason: 'found in the mail', resolution }, true);
      expect(await deployment.atRest(resolved)).toMatchObject({
        status: 'failed',
        error: { code: 'booking.refused' },
        compensation: UNDONE,
      });
      expect(await effectsOf(resolved)).toEqual(['e2e.book', 'e2e.unbook']);

      // There is nothing to abandon before the saga is to be undone. That it is given up counts more than the cancel.
      await deployment.cancel(abandoned);
      await deployment.act(abandoned, 'abandon', { reason: 'nobody knows the ticket' }, true);
      const ended = await deployment.atRest(abandoned);
      expect(ended).toMatchObject({ status: 'failed', error: { code: 'saga.abandoned' } });
      expect(ended.compensation).toMatchObject({ complete: false, unresolved: [{ activation: 'a2' }] });
      expect(await effectsOf(abandoned)).toEqual(['e2e.book']);
    },
    TEST_MS,
  );
});
