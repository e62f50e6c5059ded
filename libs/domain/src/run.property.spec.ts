/**
 * What holds for every run whatever happens to it: random commands, in time and late, doubled, stale and foreign, over
 * random chains.
 */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { activityNodeOf, contractOf } from './status.js';
import { chain, type ChainSpec, type StepSpec } from './testing/chain.js';
import { OTHER_WORKER, Scenario, WORKER } from './testing/scenario.js';
import {
  agenda,
  checkpointReferences,
  decodeCheckpoint,
  encodeCheckpoint,
  evolve,
  explain,
  isTerminal,
  reconstruct,
  type ActivationId,
  type ReportOutcome,
  type Run,
  type RunEvent,
} from './index.js';

const common = {
  recovery: fc.constantFrom('RetrySafe' as const, 'Manual' as const),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  timeoutMs: fc.constantFrom(1_000, 10_000),
};

const step: fc.Arbitrary<StepSpec> = fc.oneof(
  fc.record({
    ...common,
    effects: fc.constant('pure' as const),
    retryErrors: fc.constantFrom<readonly string[]>([], ['busy'], ['busy', 'activity.unhandled']),
  }),
  fc.record({
    ...common,
    effects: fc.constant('external' as const),
    retryErrors: fc.constantFrom<readonly string[]>([], ['busy']),
  }),
);

const chainSpec: fc.Arbitrary<ChainSpec> = fc.oneof(
  fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 3 }) }),
  fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 3 }), runTimeoutMs: fc.constantFrom(5_000, 60_000) }),
  fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 2 }),
    fail: fc.constant({ code: 'sorry', message: 'no' }),
  }),
);

const outcome: fc.Arbitrary<ReportOutcome> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('success' as const),
      output: fc.record({ n: fc.integer({ min: 0, max: 3 }) }),
    }),
  },
  { weight: 1, arbitrary: fc.constant<ReportOutcome>({ kind: 'success', output: { n: 1, text: 'x'.repeat(2_000) } }) },
  { weight: 1, arbitrary: fc.constant<ReportOutcome>({ kind: 'success', output: 'not an object' }) },
  ...['busy', 'broken', 'surprise'].map((code) => ({
    weight: 1,
    arbitrary: fc.constant<ReportOutcome>({ kind: 'error', failure: { code, message: 'm' } }),
  })),
  ...['activity.unhandled', 'worker.decode', 'worker.result_too_large'].map((code) => ({
    weight: 1,
    arbitrary: fc.constant<ReportOutcome>({ kind: 'unhandled', failure: { code, message: 'm' } }),
  })),
  { weight: 1, arbitrary: fc.constant<ReportOutcome>({ kind: 'returned', reason: 'draining' }) },
);

/** One thing that happens, told relative to whatever the run is then. */
const happening = fc.record({
  what: fc.oneof(
    { weight: 5, arbitrary: fc.constant('claim' as const) },
    { weight: 6, arbitrary: fc.constant('report' as const) },
    { weight: 3, arbitrary: fc.constant('expire' as const) },
    { weight: 3, arbitrary: fc.constant('timer' as const) },
    { weight: 1, arbitrary: fc.constant('repeat' as const) },
    { weight: 1, arbitrary: fc.constantFrom('cancel' as const, 'progress' as const) },
  ),
  passedMs: fc.constantFrom(0, 0, 1, 500, 2_000, 20_000, 70_000),
  lateMs: fc.constantFrom(0, 0, 0, 1_000, 50_000),
  entropy: fc.integer({ min: 0, max: 0xffff_ffff }),
  leaf: fc.nat({ max: 2 }),
  /** Added to the generation that would be right. */
  generationOff: fc.constantFrom(0, 0, 0, 0, -1, 1),
  session: fc.constantFrom(WORKER, WORKER, WORKER, OTHER_WORKER),
  lax: fc.boolean(),
  outcome,
  reason: fc.constantFrom('timeout' as const, 'lease' as const, 'worker_lost' as const),
  dueOff: fc.constantFrom(0, 0, 0, 1),
});

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

function happen(scenario: Scenario, event: Happening, before: Happening | undefined): void {
  scenario.now += event.passedMs;
  scenario.entropy = event.entropy;
  const activation = `a${Math.min(event.leaf + 1, Math.max(1, scenario.run.leaves.size))}` as ActivationId;
  const options = {
    session: event.session,
    lax: event.lax,
    arrivedAt: scenario.now - event.lateMs,
    generation: generationOf(scenario.run, activation) + event.generationOff,
  };
  switch (event.what) {
    case 'claim':
      return void scenario.claim(activation, options);
    case 'report':
      return void scenario.report(event.outcome, activation, options);
    case 'expire':
      return void scenario.expire(event.reason, activation, options.generation);
    case 'timer':
      return fireTimer(scenario, event);
    case 'cancel':
      return void scenario.cancel();
    case 'progress':
      return void scenario.progress();
    case 'repeat':
      if (before !== undefined && before.what !== 'repeat') happen(scenario, { ...before, passedMs: 0 }, undefined);
  }
}

/** Fires the first timer that is set, mostly at its time. */
function fireTimer(scenario: Scenario, event: Happening): void {
  const [timer] = agenda(scenario.run).timers;
  if (timer === undefined) return void scenario.timer('run', scenario.now);
  if (event.lateMs === 0) scenario.now = Math.max(scenario.now, timer.dueAt);
  scenario.timer(timer.name, timer.dueAt + event.dueOff);
}

function generationOf(run: Run, activation: ActivationId): number {
  const leaf = run.leaves.get(activation);
  if (leaf === undefined) return 1;
  return leaf.status.kind === 'ready' ? leaf.status.generation : (leaf.last?.generation ?? 1);
}

function checkNow(scenario: Scenario): void {
  const { run } = scenario;
  const reasons = explain(run, { now: scenario.now, workersFor: () => ({ able: 0, otherContract: 0 }) });
  expect(reasons.some(({ code }) => code !== 'children')).toBe(true);
  const { ready, claims, timers, progressDue, blocked, terminal } = agenda(run);
  expect(terminal).toBe(isTerminal(run.status));
  const wakes = ready.length + claims.length + timers.filter((timer) => timer.name !== 'run').length;
  // The run's own deadline alone is no reason to stand still.
  if (!terminal) expect(wakes > 0 || progressDue || blocked).toBe(true);
  for (const leaf of run.leaves.values()) {
    expect(leaf.attempts - leaf.returned).toBeLessThanOrEqual(activityNodeOf(run, leaf).retry.maxAttempts);
    expect(leaf.status.kind).not.toBe('ended');
    expect(run.open.has(leaf.id)).toBe(!['succeeded', 'failed', 'cancelled'].includes(leaf.status.kind));
  }
}

/** Rules about the whole history, read from the events alone. */
function checkHistory(run: Run, history: readonly RunEvent[]): void {
  expect(history.map((event) => event.seq)).toEqual(history.map((_event, index) => index + 1));
  expect(history.every((event, index) => index === 0 || event.at >= (history[index - 1]?.at ?? 0))).toBe(true);
  const succeeded = new Set<string>();
  /** Leaves whose last attempt may have had an effect nobody knows of. */
  const unknown = new Set<string>();
  const running = new Set<string>();
  let stopped = false;
  for (const { body } of history) {
    switch (body.kind) {
      case 'run_stop_intended':
        expect(stopped).toBe(false);
        stopped = true;
        break;
      case 'activity_activated':
        expect(stopped).toBe(false);
        break;
      case 'attempt_granted': {
        const leaf = leafOf(run, body.activation);
        const contract = contractOf(run, leaf);
        expect(stopped).toBe(false);
        expect(running.has(body.activation)).toBe(false);
        if (contract.effects === 'external' && contract.recovery === 'Manual')
          expect(unknown.has(body.activation)).toBe(false);
        running.add(body.activation);
        break;
      }
      case 'attempt_lost':
        running.delete(body.activation);
        if (body.reason === 'returned') break;
        unknown.add(body.activation);
        break;
      case 'attempt_failed':
        running.delete(body.activation);
        unknown.delete(body.activation);
        break;
      case 'activity_succeeded':
        expect(succeeded.has(body.activation)).toBe(false);
        succeeded.add(body.activation);
        running.delete(body.activation);
        break;
      case 'activity_cancelled':
        if (contractOf(run, leafOf(run, body.activation)).effects === 'external') {
          expect(running.has(body.activation)).toBe(false);
        }
        break;
      default:
        break;
    }
  }
}

function leafOf(run: Run, activation: ActivationId) {
  const leaf = run.leaves.get(activation);
  if (leaf === undefined) throw new Error(`no ${activation}`);
  return leaf;
}

/** From any point a checkpoint and the rest of the history give the same state. */
function checkRecovery(scenario: Scenario, at: number): void {
  const { history, program, run } = scenario;
  const upTo = 1 + (at % history.length);
  const text = encodeCheckpoint(reconstruct(program, history, upTo));
  const references = new Set(checkpointReferences(text));
  let recovered = decodeCheckpoint(program, text, (seq) => {
    const event = history[seq - 1];
    if (!references.has(seq) || event === undefined) throw new Error(`checkpoint asks for ${seq}`);
    return event;
  });
  expect(encodeCheckpoint(recovered)).toBe(text);
  for (const event of history.slice(upTo)) recovered = evolve(recovered, event, program);
  expect(encodeCheckpoint(recovered)).toBe(encodeCheckpoint(run));
}

describe('every run', () => {
  it('keeps its rules whatever happens to it', () => {
    const endings = new Map<string, number>();
    fc.assert(
      fc.property(
        chainSpec,
        fc.array(happening, { minLength: 1, maxLength: 40 }),
        fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
        (spec, happenings, points) => {
          const scenario = new Scenario(chain(spec));
          scenario.start();
          happenings.forEach((event, index) => {
            const ended = isTerminal(scenario.run.status) ? encodeCheckpoint(scenario.run) : null;
            happen(scenario, event, happenings[index - 1]);
            if (ended !== null) expect(encodeCheckpoint(scenario.run)).toBe(ended);
            checkNow(scenario);
          });
          checkHistory(scenario.run, scenario.history);
          for (const point of points) checkRecovery(scenario, point);
          const { kind } = scenario.run.status;
          endings.set(kind, (endings.get(kind) ?? 0) + 1);
        },
      ),
      { numRuns: 150, seed: 20_240_607 },
    );
    // The generator is worth something only if it reaches every end and every halt.
    expect([...endings.keys()].sort()).toEqual(['active', 'blocked', 'cancelled', 'failed', 'stopping', 'succeeded']);
  });
});
