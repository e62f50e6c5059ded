import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sequence } from './testing/definitions.js';
import { TestEngine } from './testing/embedded-engine.js';
import { passOn, TestWorker } from './testing/worker.js';

const ITEM = { id: 'i1', n: 7 };

describe('the engine on embedded adapters', () => {
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await TestEngine.open({
      definitions: [sequence('pure', { a: {}, b: {} }), sequence('external', { c: { effects: 'external' }, d: { effects: 'external' } })],
    });
  });

  afterAll(() => engine.discard());

  it('runs a pure sequence with one message a step, the second handed over in the first receipt', async () => {
    const worker = await TestWorker.open({ messaging: engine.messaging, activities: ['a', 'b'], free: 1, script: passOn });
    const run = await engine.client.run('pure', ITEM);
    expect(await engine.client.outcome(run)).toMatchObject({ run, ended: true, outcome: { status: 'succeeded', output: ITEM } });
    expect(worker.executed.map((offer) => [offer.activity, offer.strict, offer.grantedUntil])).toEqual([
      ['a', false, null],
      ['b', false, null],
    ]);
    await worker.close();
  });
});
