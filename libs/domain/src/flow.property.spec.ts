/** What holds for every run of every workflow, whatever happens to it: see `testing/rules.ts` and `testing/checks.ts`. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aborting, generated, GENERATED_INPUT, KEYS } from './testing/generated.js';
import { checkHistory } from './testing/rules.js';
import { OTHER_WORKER, Scenario, WORKER } from './testing/scenario.js';
import {
  agenda,
  encodeCheckpoint,
  isTerminal,
  roleOf,
  type Leaf,
  type ReportOutcome,
  type Resolution,
} from './index.js';

const FAILURE = { code: 'broken', message: 'm' };

const outcome: fc.Arbitrary<ReportOutcome> = fc.oneof(
  { weight: 10, arbitrary: fc.constant<ReportOutcome>({ kind: 'success', output: { n: 1 } }) },
  { weight: 1, arbitrary: fc.constant<ReportOutcome>({ kind: 'success', output: 'x'.repeat(1_100) }) },
  { weight: 1, arbitrary: fc.constant<ReportOutcome>({ kind: 'error', failure: { code: 'busy', message: 'm' } }) },
  { weight: 2, arbitrary: fc.constant<ReportOutcome>({ kind: 'error', failure: FAILURE }) },
  {
    weight: 1,
    arbitrary: fc.constant<ReportOutcome>({
      kind: 'unhandled',
      failure: { code: 'activity.unhandled', message: 'm' },
    }),
  },
  { weight: 1, arbitrary: fc.constant<ReportOutcome>({ kind: 'returned', reason: 'draining' }) },
);

const answer: fc.Arbitrary<ReportOutcome> = fc.oneof(
  fc.constant<ReportOutcome>({ kind: 'probed', answer: 'applied', output: { n: 2 } }),
  fc.constant<ReportOutcome>({ kind: 'probed', answer: 'not_applied' }),
  fc.constant<ReportOutcome>({ kind: 'probed', answer: 'unknown' }),
  fc.constant<ReportOutcome>({ kind: 'returned', reason: 'draining' }),
);

const resolution: fc.Arbitrary<Resolution> = fc.constantFrom<Resolution>(
  { kind: 'applied', output: { n: 3 } },
  { kind: 'not_applied' },
  { kind: 'retry', attempts: 1 },
  { kind: 'fail', failure: FAILURE },
  { kind: 'input', input: { n: 4 } },
);

const WHAT = [
  ['claim', 8],
  ['report', 10],
  ['expire', 2],
  ['timer', 4],
  ['signal', 2],
  ['progress', 1],
  ['cancel', 0.3],
  ['pause', 0.5],
  ['resume', 1],
  ['resolve', 2],
  ['abandon', 0.3],
  ['terminate', 0.1],
  ['repeat', 1],
  ['restart', 1],
] as const;

/** One thing that happens, told relative to whatever the run is then. */
const happening = fc.record({
  what: fc.oneof(...WHAT.map(([what, weight]) => ({ weight: weight * 10, arbitrary: fc.constant(what) }))),
  passedMs: fc.constantFrom(0, 0, 0, 500, 6_000, 400_000),
  lateMs: fc.constantFrom(0, 0, 0, 10_000),
  entropy: fc.integer({ min: 0, max: 0xffff_ffff }),
  which: fc.nat({ max: 5 }),
  foreign: fc.nat({ max: 9 }).map((n) => n === 0),
  outcome,
  answer,
  resolution,
});

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

function pick<T>(from: readonly T[], which: number): T | undefined {
  return from[which % Math.max(1, from.length)];
}

function happen(scenario: Scenario, event: Happening, before: Happening | undefined): void {
  const { run } = scenario;
  scenario.now += event.passedMs;
  scenario.entropy = event.entropy;
  const { ready, claims, timers } = agenda(run);
  const session = event.foreign ? OTHER_WORKER : WORKER;
  const arrivedAt = scenario.now - event.lateMs;
  switch (event.what) {
    case 'claim': {
      const leaf = pick(ready, event.which)?.leaf ?? pick([...run.leaves.values()], event.which);
      return void scenario.claim(leaf?.id, { session: WORKER });
    }
    case 'report': {
      const claimed = pick(claims, event.which)?.leaf ?? pick([...run.leaves.values()], event.which);
      return report(scenario, claimed, event, { session, arrivedAt });
    }
    case 'expire':
      return void scenario.expire(event.foreign ? 'timeout' : 'worker_lost', pick(claims, event.which)?.leaf.id);
    case 'timer': {
      const timer = pick(timers, event.which);
      if (timer === undefined || timer.name === 'run') return;
      scenario.now = Math.max(scenario.now, timer.dueAt);
      return void scenario.timer(timer.name, timer.dueAt);
    }
    case 'signal':
      return void scenario.signal('go', event.which, { key: pick(KEYS, event.which) ?? 'k1', arrivedAt });
    case 'resolve': {
      const asked = [...run.leaves.values()].filter(({ status }) => ['blocked', 'reconciling'].includes(status.kind));
      const owing = [...run.obligations.values()].filter(({ status }) => status.kind === 'blocked_input');
      const id = pick([...asked.map((leaf) => leaf.id), ...owing.map(({ forward }) => forward)], event.which);
      return void scenario.resolve(
        id ?? 'a1',
        owing.length > 0 ? { kind: 'input', input: { n: 4 } } : event.resolution,
      );
    }
    case 'restart':
      return scenario.restart(event.foreign ? 'history' : 'checkpoint');
    case 'repeat':
      if (before !== undefined && before.what !== 'repeat') happen(scenario, { ...before, passedMs: 0 }, undefined);
      return;
    default:
      return void scenario[event.what]();
  }
}

function report(
  scenario: Scenario,
  leaf: Leaf | undefined,
  event: Happening,
  options: { readonly session: typeof WORKER; readonly arrivedAt: number },
): void {
  if (leaf === undefined) return;
  const probe = roleOf(leaf.id) === 'reconciliation';
  scenario.report(probe ? event.answer : event.outcome, leaf.id, { ...options, lax: event.which % 2 === 0 });
}

/** Does everything that anybody may do, until the run has ended; the last resort is to give up. */
function bringToEnd(scenario: Scenario): void {
  const patience = 1_000;
  for (let step = 0; step < patience && !isTerminal(scenario.run.status); step++) {
    const { ready, claims, timers, progressDue, paused } = agenda(scenario.run);
    const [offered] = ready;
    const [running] = claims;
    const [timer] = timers.filter(({ name }) => name !== 'inbox');
    const [blocked] = [...scenario.run.leaves.values()].filter(({ status }) => status.kind === 'blocked');
    const [owing] = [...scenario.run.obligations.values()].filter(({ status }) => status.kind === 'blocked_input');
    if (paused) scenario.resume();
    else if (progressDue) scenario.progress();
    else if (offered !== undefined) scenario.claim(offered.leaf.id);
    else if (running !== undefined) {
      const probe = roleOf(running.leaf.id) === 'reconciliation';
      scenario.report(
        probe ? { kind: 'probed', answer: 'unknown' } : { kind: 'success', output: { n: 1 } },
        running.leaf.id,
        { session: running.claim.session },
      );
    } else if (blocked !== undefined) scenario.resolve(blocked.id, { kind: 'applied', output: { n: 5 } });
    else if (owing !== undefined) scenario.resolve(owing.forward, { kind: 'input', input: { n: 6 } });
    else if (timer !== undefined) {
      scenario.now = Math.max(scenario.now, timer.dueAt);
      scenario.timer(timer.name, timer.dueAt);
    } else throw new Error(`the run stands still:\n${encodeCheckpoint(scenario.run)}`);
  }
  if (!isTerminal(scenario.run.status)) throw new Error(`the run does not end:\n${encodeCheckpoint(scenario.run)}`);
}

/** What an end leaves behind. A terminated run leaves everything as it was. */
function checkEnd({ run }: Scenario): void {
  expect(agenda(run)).toMatchObject({ ready: [], claims: [], timers: [], terminal: true });
  if (run.status.kind === 'terminated') return;
  expect([[...run.open], [...run.pending]]).toEqual([[], []]);
  for (const scope of run.scopes.values()) expect(['completed', 'failed', 'cancelled']).toContain(scope.status.kind);
  const owed = [...run.obligations.values()].map(({ status }) => status.kind);
  for (const kind of owed) expect(['compensated', 'irreversible', 'abandoned']).toContain(kind);
}

describe('every run', () => {
  it.each([
    ['of any workflow', generated, 20_240_608],
    ['with a saga that aborts', aborting, 20_240_609],
  ])('%s keeps the rules whatever happens to it, and can always be brought to an end', (_what, programs, seed) => {
    const seen = new Map<string, number>();
    const count = (what: string): unknown => seen.set(what, (seen.get(what) ?? 0) + 1);
    fc.assert(
      fc.property(programs, fc.array(happening, { minLength: 10, maxLength: 60 }), (program, happenings) => {
        const scenario = new Scenario(program);
        scenario.start(GENERATED_INPUT);
        happenings.forEach((event, index) => {
          const ended = isTerminal(scenario.run.status) ? encodeCheckpoint(scenario.run) : null;
          happen(scenario, event, happenings[index - 1]);
          if (ended !== null) expect(encodeCheckpoint(scenario.run)).toBe(ended);
          count(scenario.run.status.kind);
        });
        bringToEnd(scenario);
        checkHistory(program, scenario.history);
        checkEnd(scenario);
        for (const { body } of scenario.history) count(body.kind);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 150), seed: seed + Number(process.env['SEED'] ?? 0) },
    );
    if (process.env['SHOW']) console.log([...seen].map(([a, b]) => `${a} ${b}`).join('\n'));
  });
});
