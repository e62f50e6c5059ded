import { describe, expect, it } from '@jest/globals';
import { settle } from '../testing/manual-clock.js';
import { useFixture } from '../testing/use-fixture.js';
import { contract } from '../testing/worker-fixture.js';
import { ActivityError } from './activity-error.js';
import type { ActivityContext } from './handler.js';

const charge = contract('charge', { effects: 'external' });
const price = contract('price');

const open = useFixture([charge, price]);

describe('reports', () => {
  it('are repeated with the same content, later and later, until their receipt', async () => {
    const { worker, owner, offer, clock } = await open();
    worker.handle('price', 1, () => 1);
    await worker.start();
    offer('price', { strict: false });
    const first = await owner.nextReport();
    await clock.advance(1_000);
    expect(await owner.nextReport()).toEqual(first);
    await clock.advance(1_999);
    expect(owner.unread).toEqual([]);
    await clock.advance(1);
    expect(await owner.nextReport()).toEqual(first);
    await clock.advance(60_000);
    const sent = owner.commands.length;
    await clock.advance(5_000);
    expect(owner.commands.length).toBe(sent + 1);
    owner.accept(first);
    await settle();
    const before = owner.commands.length;
    await clock.advance(60_000);
    expect(owner.commands.length).toBe(before);
    expect(worker.status().unreceipted).toBe(0);
  });

  it('survive an outage of the log', async () => {
    let away = false;
    const { worker, owner, offer, clock } = await open({
      wrap: (messaging) => ({
        ...messaging,
        queue: messaging.queue,
        feed: messaging.feed,
        log: {
          publish: (command, options) =>
            away ? Promise.reject(new Error('no route')) : messaging.log.publish(command, options),
        },
      }),
    });
    worker.handle('price', 1, () => 'kept');
    await worker.start();
    away = true;
    offer('price', { strict: false });
    await clock.advance(120_000);
    expect(owner.commands).toEqual([]);
    expect(worker.status().notReady).toEqual([
      'the command log has taken nothing for 120 s',
      'a result has waited 120 s for its receipt',
    ]);
    expect(worker.status().notAlive).toEqual([]);
    away = false;
    await clock.advance(5_000);
    const report = await owner.nextReport();
    expect(report.outcome).toEqual({ kind: 'success', output: 'kept' });
    owner.accept(report);
    await settle();
    expect(worker.status().notReady).toEqual([]);
  });
});

describe('outcomes', () => {
  async function outcomeOf(handler: (input: never, context: ActivityContext) => unknown): Promise<unknown> {
    const { worker, owner, offer } = await open();
    worker.handle('price', 1, handler);
    await worker.start();
    offer('price', { strict: false, input: { amount: 1 } });
    return (await owner.nextReport()).outcome;
  }

  it('a code that the handler reports', async () => {
    expect(await outcomeOf(() => Promise.reject(new ActivityError('declined', 'the bank said no')))).toEqual({
      kind: 'error',
      failure: { code: 'declined', message: 'the bank said no' },
    });
  });

  it('anything else that is thrown is unhandled', async () => {
    expect(
      await outcomeOf(() => {
        throw new TypeError('x is not a function');
      }),
    ).toEqual({
      kind: 'unhandled',
      failure: { code: 'activity.unhandled', message: 'TypeError: x is not a function' },
    });
  });

  it('a thrown value that is no error is unhandled too', async () => {
    expect(
      await outcomeOf(() => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- handlers of others do
        throw 'so what';
      }),
    ).toEqual({
      kind: 'unhandled',
      failure: { code: 'activity.unhandled', message: 'the handler threw a string: so what' },
    });
  });

  it('a message of any length is cut to 1 KiB of text that can be stored', async () => {
    const outcome = (await outcomeOf(() => {
      throw new ActivityError('declined', `a\0b\uD800${'ä'.repeat(2_000)}`);
    })) as { failure: { message: string } };
    expect(Buffer.byteLength(outcome.failure.message)).toBeLessThanOrEqual(1_024);
    expect(outcome.failure.message.slice(0, 6)).toBe('a\uFFFDb\uFFFDää');
    expect(outcome.failure.message.at(-1)).toBe('…');
  });

  it('undefined is null', async () => {
    expect(await outcomeOf(() => undefined)).toEqual({ kind: 'success', output: null });
  });

  it('an output over 256 KiB fails the attempt and names the limit', async () => {
    expect(await outcomeOf(() => 'x'.repeat(256 * 1_024))).toEqual({
      kind: 'unhandled',
      failure: {
        code: 'worker.result_too_large',
        message: 'the output is over the limit payloadBytes of 262144 bytes; store it elsewhere and return a reference',
      },
    });
  });

  it('an output that is no JSON is a bad output that names the place', async () => {
    expect(await outcomeOf(() => ({ when: new Date(0) }))).toEqual({
      kind: 'unhandled',
      failure: { code: 'activity.bad_output', message: 'the output at /when is not a plain JSON object' },
    });
  });

  it('an output of the wrong shape goes to the engine, which knows the schema of the run', async () => {
    expect(await outcomeOf(() => ({ not: 'what the schema says' }))).toEqual({
      kind: 'success',
      output: { not: 'what the schema says' },
    });
  });

  it('an input that the decoder refuses is a reported failure', async () => {
    const { worker, owner, offer } = await open();
    worker.handle<number>('price', 1, (amount) => amount, {
      decode: () => {
        throw new Error('amount is missing');
      },
    });
    await worker.start();
    offer('price', { strict: false });
    expect((await owner.nextReport()).outcome).toEqual({
      kind: 'error',
      failure: {
        code: 'worker.decode',
        message: 'the decoder of forward/price/1 refused the input: amount is missing',
      },
    });
  });
});
