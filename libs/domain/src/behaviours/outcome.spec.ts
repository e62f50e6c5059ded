import { describe, expect, it } from '@jest/globals';
import type { Effects, Recovery } from '@graphrun/dsl';
import type { EventKind, ReportOutcome } from '../index.js';
import { chain } from '../testing/chain.js';
import { claimed, error, success, unhandled } from '../testing/scenario.js';

interface Row {
  readonly when: string;
  readonly effects: Effects;
  readonly recovery?: Recovery;
  readonly retryErrors?: readonly string[];
  readonly report: ReportOutcome;
  /** The events of the attempt's end, and the code that stands in them. */
  readonly then: readonly EventKind[];
  readonly code: string;
}

const RETRY: readonly EventKind[] = ['attempt_failed', 'retry_scheduled'];
const FAIL: readonly EventKind[] = [
  'attempt_failed',
  'activity_failed',
  'run_stop_intended',
  'scope_failed',
  'run_failed',
];
const REPEAT: readonly EventKind[] = ['attempt_lost', 'retry_scheduled'];
const ASK: readonly EventKind[] = ['attempt_lost', 'intervention_required'];

const badOutput: ReportOutcome = { kind: 'success', output: { n: 'two' } };
const tooLarge = unhandled('300 KiB of 256 KiB', 'worker.result_too_large');
const decode = unhandled('cannot read', 'worker.decode');

/** Spec 03 "Attempts", row by row. */
const TABLE: readonly Row[] = [
  {
    when: 'a declared code that is listed',
    effects: 'pure',
    retryErrors: ['busy'],
    report: error('busy'),
    then: RETRY,
    code: 'busy',
  },
  {
    when: 'a declared code that is listed',
    effects: 'external',
    retryErrors: ['busy'],
    report: error('busy'),
    then: RETRY,
    code: 'busy',
  },
  {
    when: 'a declared code that is listed, of Manual work',
    effects: 'external',
    recovery: 'Manual',
    retryErrors: ['busy'],
    report: error('busy'),
    then: RETRY,
    code: 'busy',
  },
  { when: 'a retryable code that is not listed', effects: 'pure', report: error('busy'), then: FAIL, code: 'busy' },
  {
    when: 'a declared terminal code',
    effects: 'external',
    retryErrors: ['busy'],
    report: error('broken'),
    then: FAIL,
    code: 'broken',
  },
  {
    when: 'a code that nobody declared',
    effects: 'external',
    retryErrors: ['busy'],
    report: error('surprise'),
    then: FAIL,
    code: 'surprise',
  },
  { when: 'something thrown', effects: 'pure', report: unhandled(), then: FAIL, code: 'activity.unhandled' },
  {
    when: 'something thrown that the node retries',
    effects: 'pure',
    retryErrors: ['activity.unhandled'],
    report: unhandled(),
    then: RETRY,
    code: 'activity.unhandled',
  },
  { when: 'something thrown', effects: 'external', report: unhandled(), then: REPEAT, code: 'unhandled' },
  {
    when: 'something thrown by Manual work',
    effects: 'external',
    recovery: 'Manual',
    report: unhandled(),
    then: ASK,
    code: 'unhandled',
  },
  { when: 'a bad output', effects: 'pure', report: badOutput, then: FAIL, code: 'activity.bad_output' },
  { when: 'a bad output', effects: 'external', report: badOutput, then: REPEAT, code: 'bad_output' },
  {
    when: 'a bad output of Manual work',
    effects: 'external',
    recovery: 'Manual',
    report: badOutput,
    then: ASK,
    code: 'bad_output',
  },
  {
    when: 'a result that is too large',
    effects: 'pure',
    report: tooLarge,
    then: FAIL,
    code: 'worker.result_too_large',
  },
  { when: 'a result that is too large', effects: 'external', report: tooLarge, then: REPEAT, code: 'result_too_large' },
  {
    when: 'a result of Manual work that is too large',
    effects: 'external',
    recovery: 'Manual',
    report: tooLarge,
    then: ASK,
    code: 'result_too_large',
  },
  { when: 'an input that cannot be read', effects: 'pure', report: decode, then: FAIL, code: 'worker.decode' },
  {
    when: 'an input that cannot be read',
    effects: 'external',
    recovery: 'Manual',
    report: decode,
    then: FAIL,
    code: 'worker.decode',
  },
  {
    when: "a code of the engine's own, which says nothing",
    effects: 'external',
    recovery: 'Manual',
    report: error('run.cancelled'),
    then: ASK,
    code: 'unhandled',
  },
  {
    when: "a code of the engine's own",
    effects: 'pure',
    report: error('limit.history'),
    then: FAIL,
    code: 'activity.unhandled',
  },
];

describe('the end of an attempt', () => {
  it.each(TABLE)('$effects: $when -> $then.1 ($code)', (row) => {
    const scenario = claimed(
      chain({
        steps: [{ effects: row.effects, recovery: row.recovery ?? 'RetrySafe', retryErrors: row.retryErrors ?? [] }],
      }),
    );
    expect(scenario.report(row.report)).toEqual({ kind: 'accepted' });
    expect(scenario.kinds).toEqual(row.then);
    const [ended] = scenario.recorded;
    const code =
      ended?.kind === 'attempt_failed' ? ended.failure.code : ended?.kind === 'attempt_lost' ? ended.reason : null;
    expect(code).toBe(row.code);
  });

  it('a success that fits its schema is the result', () => {
    const scenario = claimed(chain({ steps: [{ effects: 'external' }] }));
    scenario.report(success(2));
    expect(scenario.recorded[0]).toEqual({
      kind: 'activity_succeeded',
      activation: 'a1',
      generation: 1,
      output: { n: 2 },
    });
  });

  it('says where a bad output breaks its schema', () => {
    const scenario = claimed(chain({ steps: [{ effects: 'pure' }] }));
    scenario.report(badOutput);
    const failure = scenario.run.status.kind === 'failed' ? scenario.run.status.failure : null;
    expect(failure?.message).toContain('output at /n breaks its schema');
  });

  it('exhausts the budget: the last known failure is the failure of the activity', () => {
    const scenario = claimed(chain({ steps: [{ retryErrors: ['busy'], maxAttempts: 2 }] }));
    scenario.report(error('busy', 'first'));
    scenario.claim();
    scenario.report(error('busy', 'second'));
    expect(scenario.run.status).toMatchObject({ kind: 'failed', failure: { code: 'busy', message: 'second' } });
  });
});
