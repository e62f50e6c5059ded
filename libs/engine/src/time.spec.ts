import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sequence } from './testing/definitions.js';
import { TestEngine } from './testing/embedded-engine.js';
import { FaultDatabase } from './testing/fault-store.js';
import { endOf, historyOf } from './testing/history.js';
import { TestWorker } from './testing/worker.js';

const ITEM = { id: 'i1', n: 7 };

describe('time', () => {
  const faults = new FaultDatabase();
  let engine: TestEngine;

  beforeEach(async () => {
    faults.fault = () => null;
    engine = await TestEngine.open({
      wrap: (database) => faults.wrap(database),
      definitions: [
        sequence('short', { s: { effects: 'external', timeout: '1s', maxAttempts: 1 } }),
        sequence('idle', { nobody: {} }),
        sequence('limited', { nobody: {} }, 1, { runTimeout: '1s' }),
      ],
    });
  });

  afterEach(() => engine.discard());

  it('a result that reached the log in time counts, though its deadline passed while PostgreSQL was away', async () => {
    let handOver: () => void = () => undefined;
    const taken = new Promise<void>((resolve) => (handOver = resolve));
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const worker = await TestWorker.open({
      messaging: engine.messaging,
      activities: ['s'],
      script: async (offer) => {
        handOver();
        await finished;
        return { kind: 'success', output: offer.input };
      },
    });
    const run = await engine.client.run('short', ITEM);
    await taken;
    const grant = (await historyOf(engine.database, run)).find(({ body }) => body.kind === 'attempt_granted');
    const deadline = grant?.body.kind === 'attempt_granted' ? grant.body.deadline : 0;
    let release: () => void = () => undefined;
    const away = new Promise<void>((resolve) => (release = resolve));
    faults.fault = (_writes, apply) => away.then(apply);
    // The outage begins with a commit of somebody else; the report arrives behind it, before the deadline.
    const other = engine.client.run('idle', ITEM);
    finish();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, deadline + 300 - Date.now())));
    faults.fault = () => null;
    release();
    await other;
    expect(await endOf(engine.database, run)).toEqual({ kind: 'run_succeeded', output: ITEM });
    const kinds = (await historyOf(engine.database, run)).map(({ body }) => body.kind);
    expect(kinds).not.toContain('attempt_lost');
    await worker.close();
  });

  it('a run times out at the time that was fixed at its admission', async () => {
    const run = await engine.client.run('limited', ITEM);
    expect(await endOf(engine.database, run)).toMatchObject({
      kind: 'run_cancelled',
      failure: { code: 'run.timeout' },
    });
    const events = await historyOf(engine.database, run);
    const [admitted, last] = [events[0], events.at(-1)];
    const deadline = admitted?.body.kind === 'run_admitted' ? admitted.body.deadline : null;
    expect(deadline).toBe((admitted?.at ?? 0) + 1000);
    expect(last?.at).toBeGreaterThanOrEqual(deadline ?? Number.POSITIVE_INFINITY);
  });

  it('a countdown does not begin anew with a restart', async () => {
    const run = await engine.client.run('limited', ITEM);
    await engine.stop();
    engine = await TestEngine.open({ dataDir: engine.dataDir });
    expect(await endOf(engine.database, run)).toMatchObject({ kind: 'run_cancelled' });
    const events = await historyOf(engine.database, run);
    // The restart itself takes longer than what was left.
    expect((events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)).toBeGreaterThanOrEqual(1000);
    expect(events.map(({ body }) => body.kind).filter((kind) => kind === 'run_stop_intended')).toHaveLength(1);
  });
});
