/** Handlers that exit, hang, answer nonsense, too much, or throw: what becomes of their runs, and that others go on. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@graphrun/testing';
import { OwnCluster } from './harness/own-cluster.js';
import { Supervisor } from './harness/supervisor.js';
import { historyOf } from './judge/recorded-run.js';

/** Attempts that each step may have. */
const BUDGET = 2;
const SETTLES_MS = 45_000;

/** How one run comes to rest. */
interface Rest {
  readonly status: 'failed' | 'blocked';
  /** Why each of its attempts was lost; null when its one attempt failed for a known reason. */
  readonly loss: string | null;
  readonly code: string;
  /** Physical calls of the handler: at least, at most. */
  readonly calls: readonly [number, number];
}

interface Expected {
  /** How the handler goes wrong. */
  readonly activity: string;
  readonly timeout: string;
  /** What becomes of a run whose step is external and RetrySafe: after two unknown outcomes a person must say. */
  readonly external: Rest;
  readonly pure: Rest;
  readonly message: RegExp;
}

const CASES: readonly Expected[] = [
  {
    activity: 'e2e.exit',
    timeout: '30s',
    external: { status: 'blocked', loss: 'worker_lost', code: 'activity.lost', calls: [2, 2] },
    // Pure work may run before it is claimed, so each attempt may be called unclaimed first; but not for ever.
    pure: { status: 'failed', loss: 'worker_lost', code: 'activity.lost', calls: [2, 6] },
    message: /session/,
  },
  {
    activity: 'e2e.hang',
    timeout: '1s',
    external: { status: 'blocked', loss: 'timeout', code: 'activity.timeout', calls: [2, 2] },
    pure: { status: 'failed', loss: 'timeout', code: 'activity.timeout', calls: [2, 2] },
    message: /no report by the deadline of attempt 2/,
  },
  {
    activity: 'e2e.wrong_shape',
    timeout: '30s',
    external: { status: 'blocked', loss: 'bad_output', code: 'activity.bad_output', calls: [2, 2] },
    pure: { status: 'failed', loss: null, code: 'activity.bad_output', calls: [1, 1] },
    message: /^output at \/value breaks its schema: /,
  },
  {
    activity: 'e2e.too_large',
    timeout: '30s',
    external: { status: 'blocked', loss: 'result_too_large', code: 'worker.result_too_large', calls: [2, 2] },
    pure: { status: 'failed', loss: null, code: 'worker.result_too_large', calls: [1, 1] },
    message: /^the output is over the limit payloadBytes of 262144 bytes/,
  },
  {
    activity: 'e2e.undeclared',
    timeout: '30s',
    external: { status: 'failed', loss: null, code: 'shop.on_fire', calls: [1, 1] },
    pure: { status: 'failed', loss: null, code: 'shop.on_fire', calls: [1, 1] },
    message: /^the shop is on fire$/,
  },
  {
    activity: 'e2e.throws',
    timeout: '30s',
    external: { status: 'blocked', loss: 'unhandled', code: 'activity.unhandled', calls: [2, 2] },
    pure: { status: 'failed', loss: null, code: 'activity.unhandled', calls: [1, 1] },
    message: /^TypeError: total is not a function$/,
  },
];

function expectedHistory({ status, loss }: Rest): readonly string[] {
  const start = ['run_admitted', 'scope_opened', 'activity_activated'];
  const failure = ['activity_failed', 'run_stop_intended', 'scope_failed', 'run_failed'];
  if (loss === null) return [...start, 'attempt_granted', 'attempt_failed', ...failure];
  const lost = [...start, 'attempt_granted', 'attempt_lost', 'retry_scheduled', 'attempt_granted', 'attempt_lost'];
  return status === 'blocked' ? [...lost, 'intervention_required'] : [...lost, ...failure];
}

describe('a handler gone wrong', () => {
  let own: OwnCluster;
  const supervisors: Supervisor[] = [];

  beforeAll(async () => {
    own = await OwnCluster.start([
      { name: 'worker-exit', activities: ['e2e.exit'] },
      // Sound and faulty handlers side by side in one process.
      {
        name: 'worker-mixed',
        activities: [...CASES.map(({ activity }) => activity).filter((name) => name !== 'e2e.exit'), 'e2e.echo'],
      },
    ]);
    supervisors.push(new Supervisor(own.worker('worker-exit')));
    await own.publish({ workflow: 'neighbour', activity: 'e2e.echo', version: 1, timeout: '30s', maxAttempts: BUDGET });
  }, 90_000);

  afterAll(async () => {
    for (const supervisor of supervisors) await supervisor.release();
    await own.stop();
  }, 60_000);

  describe.each(CASES)('$activity', ({ activity, timeout, external, pure, message }) => {
    it.each([
      ['external', 1, external],
      ['pure', 2, pure],
    ] as const)(
      'ends its %s run in the one right way, while its neighbours go on',
      async (effects, version, expected) => {
        const workflow = `${activity}.${effects}`;
        await own.publish({ workflow, activity, version, timeout, maxAttempts: BUDGET });
        const { run } = await own.start(workflow, 1);
        const neighbour = await own.start('neighbour', 7, '20s');
        expect(neighbour).toMatchObject({ status: 'succeeded', output: { value: 7 } });

        const settled = await eventually(
          `${workflow} has come to rest`,
          async () => {
            const view = await own.inspect(run);
            return view.status === 'active' || view.status === 'stopping' ? undefined : view;
          },
          SETTLES_MS,
        );
        const events = await historyOf(own.api, run);
        // A drawn delay of 0 ms makes the retry due at once, without an event.
        const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'retry_due');
        expect(kinds).toEqual(expectedHistory(expected));
        expect(settled.status).toBe(expected.status);
        const losses = events.filter(({ kind }) => kind === 'attempt_lost').map(({ reason }) => reason);
        expect(losses).toEqual(expected.loss === null ? [] : Array.from({ length: BUDGET }, () => expected.loss));
        if (expected.status === 'failed') {
          expect(settled.error?.code).toBe(expected.code);
          expect(settled.error?.message).toMatch(message);
        } else {
          const reasons = settled.explain.map(({ code, path }) => ({ code, path }));
          expect(reasons).toEqual([{ code: 'intervention_required', path: 'nodes.work' }]);
          expect(settled.explain[0]?.message).toContain(expected.code);
          expect(events.at(-1)?.['reason']).toMatchObject({ code: expected.code });
        }
        const [least, most] = expected.calls;
        expect(own.calls(run)).toBeGreaterThanOrEqual(least);
        expect(own.calls(run)).toBeLessThanOrEqual(most);
      },
      SETTLES_MS + 30_000,
    );
  });

  it('costs nobody but itself: the worker of the others never ended', () => {
    expect(own.worker('worker-mixed').running.exit).toBeUndefined();
  });
});
