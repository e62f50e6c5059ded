/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access --
   what comes back as JSON is examined member by member */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunView } from '@graphrun/domain';
import { eventually } from '@graphrun/testing';
import { APPROVAL, RELEASE, UNDO } from '../spec/definitions.js';
import { embeddedControl } from '../spec/embedded-control.js';
import type { EmbeddedControl } from '../spec/embedded-control.js';
import { OpenApiChecker } from '../spec/openapi-checker.js';
import { ask } from '../spec/request.js';
import type { Answer } from '../spec/request.js';

const RESERVED = { order_id: 'o-1', amount: 1000, reservation_id: 'res-1' };

describe('actions on a run', () => {
  let system: EmbeddedControl;
  let url: string;
  let checker: OpenApiChecker;

  beforeAll(async () => {
    // Nobody can release a reservation here, in either role.
    const broken = () => {
      throw new Error('the warehouse does not answer');
    };
    system = await embeddedControl(
      {},
      {
        'inventory.release/v1': { handler: broken, roles: ['forward', 'compensation'] },
      },
    );
    url = system.url;
    checker = await OpenApiChecker.of(url);
    for (const yaml of [APPROVAL, RELEASE, UNDO]) {
      const published = await ask(url, '/v1/definitions', { json: { yaml } });
      expect(published.body).toMatchObject({ version: 1 });
    }
  }, 60_000);

  afterAll(() => system.close());

  /** The run, in exactly the shape that is described. */
  async function inspect(run: string): Promise<RunView> {
    const answer = await ask(url, `/v1/runs/${run}`);
    expect(checker.problemWith('/v1/runs/{id}', 'get', answer)).toBeNull();
    return answer.body as RunView;
  }

  async function act(run: string, action: string, json: unknown, key?: string): Promise<Answer> {
    const named = key === undefined ? {} : { headers: { 'idempotency-key': key } };
    const answer = await ask(url, `/v1/runs/${run}/${action}`, { json, ...named });
    expect(checker.problemWith(`/v1/runs/{id}/${action}`, 'post', answer)).toBeNull();
    expect(checker.takes(`/v1/runs/{id}/${action}`, json)).toBe(true);
    return answer;
  }

  async function start(workflow: string, input: unknown): Promise<string> {
    const answer = await ask(url, '/v1/runs', { json: { workflow, input } });
    expect(answer.status).toBe(202);
    return answer.body.run as string;
  }

  /** The run once it is in this state. */
  async function inState(run: string, status: string): Promise<RunView> {
    return eventually(`run ${run} is ${status}`, async () => {
      const view = await inspect(run);
      return view.status === status ? view : null;
    });
  }

  const approval = (order_id: string) => start('approval', { order_id, amount: 1 });

  it('shows what a run waits for, takes the signal and ends', async () => {
    const run = await approval('o-1');
    const view = await inspect(run);
    expect(view.waits).toEqual([
      {
        wait: 'w1',
        scope: 's1',
        node: 'wait',
        path: 'nodes.wait',
        signal: 'approve',
        key: 'o-1',
        status: 'pending',
        deadline: view.started_at + 3_600_000,
        since: view.started_at,
      },
    ]);
    expect(view.explain).toMatchObject([{ code: 'signal', path: 'nodes.wait', due_at: view.started_at + 3_600_000 }]);
    const sent = await act(run, 'signals', { signal: 'approve', key: 'o-1', payload: { value: 7 } }, 'approve-1');
    expect(sent.status).toBe(202);
    expect(sent.headers.get('idempotency-key')).toBe('approve-1');
    expect(sent.body).toEqual({ run, workflow_id: view.workflow_id, accepted: true, event_id: 'approve-1' });
    expect(await inState(run, 'succeeded')).toMatchObject({ output: { value: 7 }, waits: [], buffered_signals: 0 });
  });

  it('keeps a signal that comes before its wait, and knows its event id again', async () => {
    const run = await approval('o-2');
    const signal = { signal: 'approve', key: 'later', payload: { value: 1 }, event_id: 'early' };
    const first = await act(run, 'signals', signal);
    expect(first.body).toMatchObject({ accepted: true, event_id: 'early' });
    expect(await inspect(run)).toMatchObject({ status: 'active', buffered_signals: 1 });
    expect((await act(run, 'signals', signal)).body).toEqual(first.body);
    expect(await inspect(run)).toMatchObject({ status: 'active', buffered_signals: 1 });
    const other = await act(run, 'signals', { ...signal, payload: { value: 2 } });
    expect(other.body).toMatchObject({ status: 409, code: 'AlreadyExists' });
  });

  it.each([
    ['a signal that the definition does not declare', { signal: 'reject' }, 400, 'has no signal "reject"'],
    ['a payload that breaks its schema', { payload: { value: 'many' } }, 400, 'the payload at /value does not fit'],
  ])('refuses %s', async (_what, wrong, status, sentence) => {
    const run = await approval('o-3');
    const answer = await act(run, 'signals', { signal: 'approve', key: 'o-3', payload: { value: 1 }, ...wrong });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code: 'InvalidArgument', detail: expect.stringContaining(sentence) });
  });

  it('pauses and resumes a run, both as often as asked', async () => {
    const run = await approval('o-4');
    expect((await act(run, 'pause', { reason: 'the auditors are here' })).status).toBe(202);
    expect((await act(run, 'pause', { reason: 'again' })).status).toBe(202);
    const paused = await inspect(run);
    expect(paused).toMatchObject({
      status: 'active',
      paused: { since: expect.any(Number), reason: 'the auditors are here', by: 'local' },
    });
    expect(paused.explain[0]).toMatchObject({
      code: 'paused',
      path: 'run',
      action: `resume it: graphrun resume ${run}`,
    });
    const satisfied = await act(run, 'signals', { signal: 'approve', key: 'o-4', payload: { value: 4 } });
    expect(satisfied.status).toBe(202);
    expect(await inspect(run)).toMatchObject({ status: 'active', waits: [], buffered_signals: 0 });
    const stale = await act(run, 'resume', { reason: 'they left', expected_seq: paused.seq });
    expect(stale.status).toBe(412);
    expect(stale.body.detail).toMatch(/^run \S+ is at event \d+, not at \d+; look at it again before you decide$/);
    expect((await act(run, 'resume', { reason: 'they left' })).status).toBe(202);
    expect(await inState(run, 'succeeded')).toMatchObject({ output: { value: 4 } });
    expect((await act(run, 'resume', { reason: 'again' })).status).toBe(412);
  });

  describe('on an effect that nobody knows about', () => {
    const blocked = async () => {
      const run = await start('release', RESERVED);
      const view = await inState(run, 'blocked');
      expect(view.activities).toMatchObject([
        { activation: 'a1', role: 'forward', status: 'blocked', error: { code: 'activity.unhandled' } },
      ]);
      expect(view.explain).toMatchObject([
        {
          code: 'intervention_required',
          path: 'nodes.release',
          action: expect.stringContaining(`graphrun resolve ${run} --activation a1`),
        },
      ]);
      return { run, decided: { activation: 'a1', reason: 'I have asked them', expected_seq: view.seq } };
    };

    it('takes the word of an operator that it happened', async () => {
      const { run, decided } = await blocked();
      const wrong = await act(run, 'resolve', { ...decided, resolution: { kind: 'applied', output: 'done' } });
      expect(wrong.body).toMatchObject({ status: 400, detail: expect.stringContaining('does not fit the contract') });
      const resolved = await act(run, 'resolve', { ...decided, resolution: { kind: 'applied', output: null } });
      expect(resolved.status).toBe(202);
      expect(resolved.body).toMatchObject({ run, accepted: true });
      expect(await inState(run, 'succeeded')).toMatchObject({ output: null });
      const { events } = (await ask(url, `/v1/runs/${run}/history`)).body;
      expect(events.find(({ kind }: { kind: string }) => kind === 'intervention_resolved')).toMatchObject({
        by: 'local',
        activation: 'a1',
        resolution: { kind: 'applied', output: null },
        reason: 'I have asked them',
      });
    });

    it('refuses a decision on an older state of the run, and one about what is not blocked', async () => {
      const { run, decided } = await blocked();
      const resolution = { kind: 'not_applied' };
      const older = await act(run, 'resolve', { ...decided, expected_seq: decided.expected_seq - 1, resolution });
      expect(older.body).toMatchObject({ status: 412, detail: expect.stringContaining('look at it again') });
      const elsewhere = await act(run, 'resolve', { ...decided, activation: 'a2', resolution });
      expect(elsewhere.body).toMatchObject({ status: 412, detail: `a2 of run ${run} is not blocked: it is not there` });
    });

    it('gives it more attempts, or lets it fail', async () => {
      const { run, decided } = await blocked();
      expect((await act(run, 'resolve', { ...decided, resolution: { kind: 'retry', attempts: 2 } })).status).toBe(202);
      const again = await inState(run, 'blocked');
      expect(again.activities).toMatchObject([{ activation: 'a1', attempts: 3, max_attempts: 3 }]);
      const failure = { code: 'warehouse.gone', message: 'it burnt down' };
      const failed = await act(run, 'resolve', {
        ...decided,
        expected_seq: again.seq,
        resolution: { kind: 'fail', failure },
      });
      expect(failed.status).toBe(202);
      expect(await inState(run, 'failed')).toMatchObject({ error: failure });
      const body = { reason: 'it was rebuilt', expected_seq: again.seq };
      expect((await act(run, 'reopen', body)).body).toMatchObject({
        status: 412,
        detail: expect.stringContaining('look at it again'),
      });
      const now = { ...body, expected_seq: (await inspect(run)).seq };
      expect((await act(run, 'reopen', { ...now, version: 9 })).body).toMatchObject({
        status: 404,
        detail: 'no definition of release version 9 is published; publish it first',
      });
      const opened = await act(run, 'reopen', now, 'reopen-1');
      expect(opened.status).toBe(202);
      expect((await act(run, 'reopen', now, 'reopen-1')).body).toEqual(opened.body);
      expect((await act(run, 'reopen', now)).status).toBe(412);
      // One attempt more, which is all that its node allows, and not the two that were added before.
      const fresh = await inState(run, 'blocked');
      expect(fresh).toMatchObject({ ended_at: null, activities: [{ activation: 'a1', attempts: 4, max_attempts: 4 }] });
      const applied = { ...decided, expected_seq: fresh.seq, resolution: { kind: 'applied', output: null } };
      expect((await act(run, 'resolve', applied)).status).toBe(202);
      expect(await inState(run, 'succeeded')).not.toHaveProperty('error');
    });

    it('ends the run at once when it is terminated, by whoever asked first', async () => {
      const { run, decided } = await blocked();
      const body = { reason: 'no time', expected_seq: decided.expected_seq };
      expect((await act(run, 'terminate', body)).status).toBe(202);
      expect(await inspect(run)).toMatchObject({
        status: 'terminated',
        error: { code: 'run.cancelled', message: 'no time' },
        unresolved: [
          {
            activation: 'a1',
            node: 'release',
            path: 'nodes.release',
            handler: 'inventory.release/v1',
            reason: expect.stringContaining('nobody knows whether it has happened: activity.unhandled'),
          },
        ],
        ended_at: expect.any(Number),
      });
      expect((await act(run, 'terminate', body)).status).toBe(202);
      expect((await act(run, 'cancel', { reason: 'too late' })).body).toMatchObject({
        status: 412,
        detail: expect.stringContaining('terminated'),
      });
      const listed = await ask(url, '/v1/runs?status=terminated,continued&counts=true');
      expect(listed.body.runs.map(({ run: id }: { run: string }) => id)).toEqual([run]);
      expect(listed.body.counts).toMatchObject({ terminated: 1, continued: 0, active: 0 });
    });
  });

  it('shows what a saga owes, and ends with saga.abandoned when an operator gives it up', async () => {
    const command = {
      json: { workflow: 'undo', input: { order_id: 'o', amount: 1 } },
      headers: { 'idempotency-key': 'undo-1' },
    };
    const { run } = (await ask(url, '/v1/runs', command)).body;
    const view = await inState(run, 'blocked');
    expect(view.obligations).toEqual([
      {
        activation: expect.any(String),
        node: 'reserve',
        handler: 'inventory.release',
        status: 'blocked_execution',
        order: 1,
        error: { code: 'activity.unhandled', message: expect.stringContaining('the warehouse does not answer') },
      },
    ]);
    const activation = view.obligations[0]?.activation;
    expect(view.containers).toMatchObject([{ node: 'order', kind: 'saga', status: 'settling' }]);
    expect(view.explain).toMatchObject([
      { code: 'compensation_blocked', action: expect.stringContaining(`--activation ${String(activation)}c`) },
    ]);
    const abandoned = await act(run, 'abandon', { reason: 'written off', expected_seq: view.seq });
    expect(abandoned.status).toBe(202);
    const outcome = {
      status: 'failed',
      error: { code: 'saga.abandoned' },
      compensation: {
        complete: false,
        irreversible: [],
        unresolved: [{ activation, node: 'reserve', handler: 'inventory.release/v1' }],
      },
    };
    expect(await inspect(run)).toMatchObject(outcome);
    // The answer to a start that waited says as much.
    const waited = await ask(url, '/v1/runs?wait=30s', command);
    expect(checker.problemWith('/v1/runs', 'post', waited)).toBeNull();
    expect(waited).toMatchObject({ status: 200, body: { run, ...outcome } });
    const nothing = await act(run, 'abandon', { reason: 'again', expected_seq: view.seq });
    expect(nothing.status).toBe(412);
  });
});
