import { describe, expect, it } from '@jest/globals';
import { agenda } from '../index.js';
import { drive, type Handlers } from '../testing/driver.js';
import { error, success } from '../testing/scenario.js';
import {
  activity,
  body,
  complete,
  effect,
  from,
  irreversible,
  literal,
  onError,
  workflow,
  type Part,
} from '../testing/workflow.js';

const ABANDONED = {
  code: 'saga.abandoned',
  message: 'compensation was abandoned after broken: broken it was',
};

/** A saga with two payments and a mail, which then fails; undoing the second payment fails as well. */
function stuck(fields: Part = {}, handlers: Handlers = {}) {
  const send = activity('safe', 'fails', { compensation: irreversible('it is sent') });
  const nodes = { one: effect('two'), two: effect('send'), send, fails: effect('end'), end: complete() };
  const program = workflow({
    saga: { kind: 'saga', input: from('workflow.input'), body: body(nodes), next: 'end', ...fields },
    end: complete(from('workflow.input')),
    ...('on_error' in fields ? { caught: complete(literal('caught')) } : {}),
  });
  return drive(program, { fails: () => error('broken'), undo: () => error('broken'), ...handlers }).scenario;
}

describe('abandon', () => {
  it('gives up on everything that is still owed and ends the run with saga.abandoned, naming it', () => {
    const scenario = stuck();
    expect(scenario.run.status.kind).toBe('blocked');
    expect(scenario.abandon()).toEqual({ kind: 'accepted' });
    expect(scenario.kinds).toEqual([
      'obligation_abandoned',
      'obligation_abandoned',
      'run_stop_intended',
      'container_failed',
      'scope_failed',
      'run_failed',
    ]);
    const unresolved = (activation: string, node: string) => ({
      activation,
      node,
      handler: 'undo/v1',
      reason: 'its compensation was abandoned',
    });
    expect(scenario.run.status).toEqual({
      kind: 'failed',
      failure: ABANDONED,
      compensation: {
        complete: false,
        irreversible: [{ activation: 'a4', node: 'send', handler: null, reason: 'it is sent' }],
        unresolved: [unresolved('a2', 'one'), unresolved('a3', 'two')],
      },
    });
  });

  it('is not undone by an error route: the run ends', () => {
    const scenario = stuck(onError('caught'));
    scenario.abandon();
    expect(scenario.run.status).toMatchObject({ kind: 'failed', failure: ABANDONED });
  });

  it('ends a cancelled run as failed, too', () => {
    const scenario = stuck();
    scenario.cancel();
    scenario.abandon();
    expect(scenario.run.status).toMatchObject({
      kind: 'failed',
      failure: {
        code: 'saga.abandoned',
        message: 'compensation was abandoned after run.cancelled: no longer wanted',
      },
    });
  });

  it('withdraws the compensation that runs, whose report is late from then on', () => {
    const scenario = stuck({}, { undo: () => 'held' });
    expect(agenda(scenario.run).claims.map(({ leaf }) => leaf.id)).toEqual(['a3c']);
    scenario.abandon();
    expect(scenario.run.status).toMatchObject({ kind: 'failed', failure: ABANDONED });
    expect(scenario.report(success(1), 'a3c')).toEqual({ kind: 'stale', reason: 'the run has failed' });
  });

  it('keeps what was undone before: only the rest is unresolved', () => {
    const scenario = stuck({}, { 'two:compensation': () => success(1), 'one:compensation': () => error('broken') });
    scenario.abandon();
    expect(scenario.run.status).toMatchObject({
      kind: 'failed',
      compensation: { complete: false, unresolved: [{ activation: 'a2' }] },
    });
  });

  it('stops the rest of the run, whose own sagas are undone as usual', () => {
    const inner = (nodes: Parameters<typeof body>[0]) =>
      body({
        saga: { kind: 'saga', input: from('scope.input'), body: body({ ...nodes, end: complete() }), next: 'end' },
        end: complete(),
      });
    const branch = (name: string, nodes: Parameters<typeof body>[0]) => ({
      name,
      input: from('workflow.input'),
      body: inner(nodes),
    });
    const program = workflow({
      both: {
        kind: 'parallel',
        branches: [
          branch('stuck', { bad: effect('fails'), fails: effect('end') }),
          branch('fine', { good: effect('more'), more: effect('end') }),
        ],
        next: 'end',
      },
      end: complete(from('workflow.input')),
    });
    const driver = drive(program, {
      fails: () => error('broken'),
      more: () => 'held',
      'bad:compensation': () => error('broken'),
    });
    const { scenario } = driver;
    scenario.abandon();
    expect(scenario.run.status).toMatchObject({ kind: 'stopping', intent: 'failure', failure: { code: 'broken' } });
    const [running = ''] = driver.held;
    scenario.report(error('broken'), running);
    driver.settle();
    expect(driver.begun.at(-1)).toBe('good:compensation');
    expect(scenario.run.status).toMatchObject({
      kind: 'failed',
      failure: ABANDONED,
      compensation: { unresolved: [{ node: 'bad' }] },
    });
  });

  it('is refused where nothing is undone, on an older state, and after the end', () => {
    const scenario = stuck();
    expect(scenario.abandon(scenario.run.seq - 1)).toMatchObject({ rejection: { code: 'FailedPrecondition' } });
    scenario.abandon();
    expect(scenario.abandon()).toMatchObject({ rejection: { code: 'FailedPrecondition' } });
    const fine = drive(workflow({ do: activity('pure', 'end'), end: complete() }), { do: () => 'held' }).scenario;
    expect(fine.abandon()).toEqual({
      kind: 'rejected',
      rejection: {
        code: 'FailedPrecondition',
        message: `run ${fine.run.id} undoes nothing: there is no compensation to abandon`,
      },
    });
  });
});
