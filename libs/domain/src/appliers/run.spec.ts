import { describe, expect, it } from '@jest/globals';
import { execute, type CommandId, type EventBody, type RunId, type SignalEventId } from '../index.js';
import { chain } from '../testing/chain.js';
import { activated, granted, runAfter } from '../testing/history.js';
import { A1, START_MS } from '../testing/scenario.js';
import { nextTransition } from '../transitions.js';

const program = chain({ steps: [{ effects: 'external' }] });
const failure = { code: 'broken', message: 'it broke' };
const stop = (intent: 'failure' | 'cancel' | 'timeout'): EventBody => ({ kind: 'run_stop_intended', intent, failure });

const UNRESOLVED = { activation: A1, node: 'one', path: 'nodes.one', handler: 'safe/v1', reason: 'it is under way' };

describe('appliers of the run', () => {
  it('run_admitted makes an active run that keeps what it was admitted with', () => {
    const run = runAfter(program);
    expect(run).toMatchObject({
      status: { kind: 'active' },
      workflow: 'chain',
      version: 1,
      digest: program.digest,
      input: { value: { n: 1 }, seq: 1, at: '/input' },
      admittedAt: START_MS + 1,
      endedAt: null,
      seq: 2,
      updatedAt: START_MS + 2,
    });
  });

  it('run_stop_intended closes forward dispatch in every open scope, which keeps where it was', () => {
    const run = runAfter(program, stop('cancel'));
    expect(run.status).toEqual({ kind: 'stopping', intent: 'cancel', failure });
    expect([...run.scopes.values()]).toMatchObject([{ status: { kind: 'settling', failure: null }, next: 'step1' }]);
    expect(nextTransition(run)?.kind).toBe('end');
  });

  it('run_stop_intended by a failure is the failure of the root scope', () => {
    const run = runAfter(program, stop('failure'));
    expect([...run.scopes.values()]).toMatchObject([{ status: { kind: 'settling', failure } }]);
  });

  it('run_stop_intended leaves a blocked run blocked', () => {
    const run = runAfter(
      program,
      activated('a1'),
      granted('a1'),
      { kind: 'intervention_required', activation: A1, reason: failure },
      stop('timeout'),
    );
    expect(run.status).toEqual({ kind: 'blocked', stop: { intent: 'timeout', failure } });
  });

  it('run_stop_repeated is remembered and changes nothing else', () => {
    const run = runAfter(program, stop('cancel'), { kind: 'run_stop_repeated', intent: 'timeout', failure });
    expect(run.status).toEqual({ kind: 'stopping', intent: 'cancel', failure });
    expect([...run.repeatedStops]).toEqual(['timeout']);
  });

  it('run_paused holds the run by name and reason, and run_resumed lets it go', () => {
    const run = runAfter(program, { kind: 'run_paused', reason: 'look first' });
    expect(run.paused).toEqual({ since: START_MS + 3, reason: 'look first', by: 'engine' });
    const resumed = runAfter(
      program,
      { kind: 'run_paused', reason: 'look first' },
      { kind: 'run_resumed', reason: 'fine' },
    );
    expect(resumed.paused).toBeNull();
  });

  it('run_continued names the successor, to which signals are sent then', () => {
    const successor = '018bcfe5-6800-7000-8000-0001deadbeef' as RunId;
    const run = runAfter(program, { kind: 'run_continued', successor, input: { n: 2 } });
    expect(run.status).toEqual({ kind: 'continued', successor });
    const { decision } = execute(
      run,
      {
        kind: 'signal',
        commandId: 'c1' as CommandId,
        event: 'sig-1' as SignalEventId,
        signal: 'go',
        key: 'k',
        payload: 1,
      },
      { now: START_MS + 9, arrivedAt: START_MS + 9, entropy: 0, by: 'tester' },
    );
    expect(decision).toEqual({
      kind: 'rejected',
      rejection: {
        code: 'FailedPrecondition',
        message: `run ${run.id} continued as ${successor}; send the signal there`,
      },
    });
  });

  it.each([
    [
      { kind: 'run_terminated', failure, unresolved: [UNRESOLVED] },
      { kind: 'terminated', failure, unresolved: [UNRESOLVED] },
    ],
    [
      { kind: 'run_succeeded', output: { n: 2 } },
      { kind: 'succeeded', output: { value: { n: 2 }, seq: 3, at: '/output' } },
    ],
    [
      { kind: 'run_failed', failure },
      { kind: 'failed', failure, compensation: null },
    ],
    [
      { kind: 'run_cancelled', failure },
      { kind: 'cancelled', failure, compensation: null },
    ],
  ] as const)('%j ends the run, and nothing may follow', (body, status) => {
    const run = runAfter(program, body);
    expect(run.status).toEqual(status);
    expect(run.endedAt).toBe(START_MS + 3);
    expect(() => runAfter(program, body, activated('a1'))).toThrow(`has ${status.kind}, yet event 4 follows`);
  });
});
