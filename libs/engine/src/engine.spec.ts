import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sequence } from './testing/definitions.js';
import { TestEngine } from './testing/embedded-engine.js';
import { historyOf, kindsOf } from './testing/history.js';
import { TestWorker } from './testing/worker.js';

const ITEM = { id: 'i1', n: 7 };
const ADMITTED = ['run_admitted', 'scope_opened', 'activity_activated'];
const STEP = ['attempt_granted', 'activity_succeeded'];
const DONE = ['scope_completed', 'run_succeeded'];

describe('the engine on embedded adapters', () => {
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await TestEngine.open({
      definitions: [
        sequence('pure', { a: {}, b: {} }),
        sequence('external', { c: { effects: 'external' }, d: { effects: 'external' } }),
        sequence('idle', { nobody: {} }),
        sequence('versioned', { a: {} }, 1),
        sequence('versioned', { a: {} }, 3),
      ],
    });
  });

  afterAll(() => engine.discard());

  it('runs a pure sequence with one message a step, the second handed over in the receipt of the first', async () => {
    const worker = await TestWorker.open({ messaging: engine.messaging, activities: ['a', 'b'], free: 1 });
    const run = await engine.client.run('pure', ITEM);
    const { outcome } = await engine.client.outcome(run);
    expect(outcome).toEqual({ status: 'succeeded', output: ITEM });
    expect(worker.executed.map((offer) => [offer.activity, offer.strict, offer.grantedUntil])).toEqual([
      ['a', false, null],
      ['b', false, null],
    ]);
    expect(await kindsOf(engine.database, run)).toEqual([...ADMITTED, ...STEP, 'activity_activated', ...STEP, ...DONE]);
    await worker.close();
  });

  it('grants external work before it starts, the next step in the commit of the report', async () => {
    const worker = await TestWorker.open({ messaging: engine.messaging, activities: ['c', 'd'], free: 1 });
    const run = await engine.client.run('external', ITEM);
    await engine.client.outcome(run);
    expect(worker.offers.map((offer) => [offer.activity, offer.strict, offer.grantedUntil === null])).toEqual([
      ['c', true, true],
      ['d', true, false],
    ]);
    const events = await historyOf(engine.database, run);
    expect(events.map(({ body }) => body.kind)).toEqual([
      ...ADMITTED,
      ...STEP,
      'activity_activated',
      'attempt_granted',
      'activity_succeeded',
      ...DONE,
    ]);
    await worker.close();
  });

  it('gives every copy of a command the first answer, and a conflict to other content under its id', async () => {
    const { id, partition, data } = engine.client.startCommand('idle', ITEM);
    const first = await engine.client.send('start', id, partition, data);
    const again = await engine.client.send('start', id, partition, data);
    expect(again).toEqual(first);
    const other = JSON.stringify({ ...(JSON.parse(data) as object), input: { id: 'other', n: 1 } });
    expect(await engine.client.send('start', id, partition, other)).toMatchObject({ ok: false, code: 'AlreadyExists' });
    const copies = await Promise.all([1, 2, 3, 4].map(() => engine.client.send('start', id, partition, data)));
    expect(copies).toEqual([first, first, first, first]);
  });

  it('meets the same run for the same start key, and names it when the input differs', async () => {
    const first = await engine.client.start('idle', ITEM, { startKey: 'order 17' });
    expect(first).toMatchObject({ ok: true });
    expect(await engine.client.start('idle', { n: 7, id: 'i1' }, { startKey: 'order 17' })).toEqual(first);
    const run = first.ok ? first.run : '';
    expect(await engine.client.start('idle', { id: 'i2', n: 7 }, { startKey: 'order 17' })).toEqual({
      ok: false,
      code: 'AlreadyExists',
      message: `start key order 17 belongs to run ${run}, started with another input`,
      details: { run },
    });
  });

  it('meets one run when the same start key arrives many times at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, () => engine.client.start('idle', ITEM, { startKey: 'at once' })),
    );
    expect(new Set(results.map((result) => (result.ok ? result.run : result.message))).size).toBe(1);
  });

  it('resolves latest to the highest version, after the start key', async () => {
    expect(await engine.client.start('versioned', ITEM)).toMatchObject({ ok: true, version: 3 });
    expect(await engine.client.start('versioned', ITEM, { version: 1 })).toMatchObject({ ok: true, version: 1 });
    expect(await engine.client.start('versioned', ITEM, { version: 2 })).toEqual({
      ok: false,
      code: 'NotFound',
      message: 'no definition of versioned version 2 is published; publish it first',
    });
  });

  it('refuses an input that is not what the definition says, in a sentence, and keeps nothing', async () => {
    const before = await engine.database.query.countRuns({ namespace: 'default' });
    expect(await engine.client.start('pure', { id: 'i1' })).toMatchObject({ ok: false, code: 'InvalidArgument' });
    expect(await engine.database.query.countRuns({ namespace: 'default' })).toEqual(before);
  });

  it('refuses a command whose time is over', async () => {
    const { id, partition, data } = engine.client.startCommand('idle', ITEM);
    const late = JSON.stringify({ ...(JSON.parse(data) as object), notAfter: Date.now() - 1 });
    expect(await engine.client.send('start', id, partition, late)).toMatchObject({ ok: false, code: 'Expired' });
  });

  it('refuses a command that could still be applied when its answer may be forgotten', async () => {
    const { id, partition, data } = engine.client.startCommand('idle', ITEM);
    const lasting = JSON.stringify({ ...(JSON.parse(data) as object), notAfter: Date.now() + 13 * 3_600_000 });
    expect(await engine.client.send('start', id, partition, lasting)).toMatchObject({
      ok: false,
      code: 'InvalidArgument',
      message: expect.stringContaining('at most 12 h'),
    });
  });

  it('answers what is no command, and goes on', async () => {
    const { id, partition, data } = engine.client.startCommand('idle', ITEM);
    const broken = JSON.stringify({ ...(JSON.parse(data) as object), surprise: 1 });
    expect(await engine.client.send('start', id, partition, broken)).toEqual({
      ok: false,
      code: 'InvalidArgument',
      message: 'the command has an unknown field surprise',
    });
    expect(await engine.client.send('start', id, partition, data)).toMatchObject({ ok: true });
  });

  it('never answers into an inbox that is not the sender\u2019s own', async () => {
    const { id, partition, data } = engine.client.startCommand('idle', ITEM);
    const foreign = { ...(JSON.parse(data) as object), replyTo: 'gr.test.inbox.client.somebody.x' };
    const seen = engine.client.receipts.length;
    await engine.messaging.log.publish({
      partition,
      role: 'client',
      principal: 'tester',
      kind: 'start',
      data: JSON.stringify(foreign),
    });
    await engine.client.start('idle', ITEM);
    expect(
      engine.client.receipts.slice(seen).filter((receipt) => receipt.kind === 'client' && receipt.id === id),
    ).toEqual([]);
  });

  it('cancels a run whose work nobody has taken', async () => {
    const run = await engine.client.run('idle', ITEM);
    expect(await engine.client.cancel(run, 'changed my mind')).toMatchObject({ ok: true, run });
    const { outcome } = await engine.client.outcome(run);
    expect(outcome).toMatchObject({ status: 'cancelled', failure: { code: 'run.cancelled' } });
  });

  it('refuses to cancel a run that does not exist', async () => {
    const missing = '01900000-0000-7000-8000-000000000001';
    expect(await engine.client.cancel(missing as never, 'x')).toMatchObject({ ok: false, code: 'NotFound' });
  });
});
