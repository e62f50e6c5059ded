/**
 * Processes die after each obligation of a five-step saga, and again after each undo: five runs that stand in five
 * places meet the same death. The ledger of the provider says what became of their effects.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Service } from '@graphrun/testing';
import { measured } from './harness/measures.js';
import { ProvidedCluster } from './harness/provided-cluster.js';

const TEST_MS = 180_000;
/** The activations of the five steps, in their order. */
const STEPS = ['a2', 'a3', 'a4', 'a5', 'a6'] as const;
const ALL_KEYS = [
  ...STEPS.map((step) => `${step}:forward`),
  ...STEPS.toReversed().map((step) => `${step}:compensation`),
];

/** A run that is held in one place of its way and in one of its way back. */
interface Held {
  readonly run: string;
  /** Ends of effect keys: the first thing after the obligation of its step, and the undo of its step. */
  readonly forward: string;
  readonly back: string;
}

describe('a saga of five steps', () => {
  let own: ProvidedCluster;

  beforeAll(async () => {
    own = await ProvidedCluster.start(['worker-1'], ['five-steps']);
  }, TEST_MS);

  afterAll(() => own.stop(), TEST_MS);

  /** One run for each step: held after it was taken, and when it is to be undone. */
  async function startHeld(prefix: string): Promise<readonly Held[]> {
    return Promise.all(
      STEPS.map(async (step, index) => {
        const order = { order_id: `${prefix}-${step}`, amount: 100 };
        const next = STEPS[index + 1];
        // After the last step comes its own undo.
        const held = {
          forward: `:${next ?? step}:${next ? 'forward' : 'compensation'}`,
          back: `:${step}:compensation`,
        };
        for (const key of new Set(Object.values(held)))
          await own.provider.rule({ key, input: { order_id: order.order_id } }, { kind: 'hold' });
        return { run: await own.start('e2e_five_steps', order), ...held };
      }),
    );
  }

  async function allAt(runs: readonly Held[], place: 'forward' | 'back'): Promise<void> {
    await Promise.all(
      runs.map((held) =>
        own.ledgerWhen(held.run, `it is held at ${held[place]}`, ({ lines }) =>
          lines.some(({ kind, key }) => kind === 'requested' && key.endsWith(held[place])),
        ),
      ),
    );
  }

  /** The process dies; what it had asked for lands while it is gone; it comes back. */
  async function killAndRelease(victim: Service): Promise<number> {
    const killedAt = performance.now();
    await victim.kill();
    await own.provider.release({});
    await victim.restart();
    return performance.now() - killedAt;
  }

  it.each(['worker', 'coordinator'] as const)(
    'has each step undone once, in reverse order, when its %s is killed after each obligation and after each undo',
    async (name) => {
      const victim = (name === 'worker' ? own.cluster.workers[0] : own.cluster.coordinators[0]) as Service;
      const runs = await startHeld(name);
      await allAt(runs, 'forward');
      const restartMs = await killAndRelease(victim);
      await allAt(runs, 'back');
      await killAndRelease(victim);
      const startedAt = performance.now();
      for (const { run } of runs) {
        const ended = await own.atRest(run);
        expect(ended).toMatchObject({ status: 'failed', error: { code: 'order.refused' } });
        expect(ended.compensation).toEqual({ complete: true, irreversible: [], unresolved: [] });
        const ledger = await own.ledger(run);
        expect(ledger.keys()).toEqual(ALL_KEYS.map((key) => `gr1:${run}:${key}`));
        // Only the death of the one who asked is a reason to ask again.
        if (name === 'coordinator') expect(ledger.requests()).toBe(ALL_KEYS.length);
        else expect(ledger.requests()).toBeGreaterThan(ALL_KEYS.length);
      }
      measured(`${name} killed after each obligation of a saga`, {
        restart_ms: restartMs,
        undone_ms: performance.now() - startedAt,
      });
    },
    TEST_MS,
  );

  it('agrees with the history of every run', async () => {
    expect(await own.broken()).toEqual([]);
  });
});
