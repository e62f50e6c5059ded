import { describe, expect, it } from '@jest/globals';
import { agenda } from '../index.js';
import { drive, type Driver, type Handlers } from '../testing/driver.js';
import { error, success } from '../testing/scenario.js';
import {
  activity,
  body,
  complete,
  effect,
  from,
  irreversible,
  literal,
  workflow,
  type Nodes,
} from '../testing/workflow.js';

function branch(name: string, nodes: Nodes) {
  return { name, input: from('workflow.input'), body: body({ ...nodes, end: complete() }) };
}

function parallel(...branches: ReturnType<typeof branch>[]) {
  return workflow({ all: { kind: 'parallel', branches, next: 'end' }, end: complete(from('workflow.input')) });
}

const HELD: Handlers = { held: () => 'held', pure_held: () => 'held' };

/** Everything that a run may leave open. */
function crowded(): Driver {
  const send = activity('safe', 'held', { compensation: irreversible('it is sent') });
  const saga = body({ pay: effect('send'), send, held: effect('end'), end: complete() });
  const program = parallel(
    branch('pure', { pure_held: activity('pure', 'end') }),
    branch('retried', { retried: activity('safe', 'end', { retry: { errors: ['busy'] } }) }),
    branch('waits', { waits: { kind: 'delay', duration: '1h', next: 'end' } }),
    branch('lost', { lost: activity('manual', 'end') }),
    branch('saga', { saga: { kind: 'saga', input: literal(1), body: saga, next: 'end' } }),
  );
  const driver = drive(program, { ...HELD, retried: () => 'held', lost: () => 'held' });
  driver.scenario.entropy = 7;
  driver.scenario.report(error('busy'), idOf(driver, 'retried'));
  driver.scenario.expire('lease', idOf(driver, 'lost'));
  return driver;
}

function idOf({ scenario }: Driver, node: string): string {
  const leaf = [...scenario.run.leaves.values()].find((each) => each.node === node);
  if (leaf === undefined) throw new Error(`no activity at ${node}`);
  return leaf.id;
}

describe('terminate', () => {
  it('ends the run at once, without cleanup, and lists the effects that this leaves open', () => {
    const driver = crowded();
    const { scenario } = driver;
    const open = [scenario.run.open.size, scenario.run.pending.size];
    expect(scenario.terminate()).toEqual({ kind: 'accepted' });
    expect(scenario.recorded).toEqual([
      {
        kind: 'run_terminated',
        failure: { code: 'run.cancelled', message: 'enough' },
        // Not the pure work, and not what has failed for a known reason and waits for its retry.
        unresolved: [
          {
            activation: idOf(driver, 'lost'),
            node: 'lost',
            path: expect.stringContaining('.nodes.lost'),
            handler: expect.stringMatching(/\/v1$/),
            reason: expect.stringContaining('nobody knows whether it has happened: activity.lost'),
          },
          {
            activation: idOf(driver, 'held'),
            node: 'held',
            path: expect.stringContaining('.nodes.held'),
            handler: 'safe/v1',
            reason: 'attempt 1 is under way and may still have its effect',
          },
          {
            activation: idOf(driver, 'pay'),
            node: 'pay',
            path: expect.stringContaining('.nodes.pay'),
            handler: 'undo/v1',
            reason: 'it was not undone',
          },
          {
            activation: idOf(driver, 'send'),
            node: 'send',
            path: expect.stringContaining('.nodes.send'),
            handler: null,
            reason: expect.any(String),
          },
        ],
      },
    ]);
    expect([scenario.run.open.size, scenario.run.pending.size]).toEqual(open);
    expect(agenda(scenario.run)).toMatchObject({ ready: [], claims: [], timers: [], blocked: false, terminal: true });
  });

  it('lets nothing follow: claims, reports, losses and timers are about the past', () => {
    const driver = crowded();
    const { scenario } = driver;
    const [timer] = agenda(scenario.run).timers;
    scenario.terminate();
    const reason = 'the run has terminated';
    const held = idOf(driver, 'held');
    scenario.now += 10_000_000;
    for (const decision of [
      scenario.claim(held),
      scenario.report(success(1), held),
      scenario.report(success(1), idOf(driver, 'lost')),
      scenario.expire('timeout', held),
      scenario.timer(timer?.name ?? '', timer?.dueAt ?? 0),
    ]) {
      expect(decision).toEqual({ kind: 'stale', reason });
    }
    expect(scenario.progress().kind).toBe('stale');
    expect(scenario.cancel().kind).toBe('rejected');
  });

  it('interrupts a compensation, which is unresolved then', () => {
    const nodes = { pay: effect('fails'), fails: effect('end'), end: complete() };
    const program = workflow({
      saga: { kind: 'saga', input: from('workflow.input'), body: body(nodes), next: 'end' },
      end: complete(from('workflow.input')),
    });
    const { scenario } = drive(program, { fails: () => error('broken'), undo: () => 'held' });
    scenario.terminate();
    expect(scenario.run.status).toMatchObject({
      kind: 'terminated',
      unresolved: [{ activation: 'a2c' }, { activation: 'a2' }],
    });
  });

  it('ends a paused and a blocked run as well', () => {
    const paused = drive(parallel(branch('one', { held: activity('safe', 'end') })), HELD).scenario;
    paused.pause();
    paused.terminate();
    expect(paused.run).toMatchObject({
      status: { kind: 'terminated', unresolved: [{ activation: 'a2' }] },
      paused: null,
    });
  });

  it('is idempotent, refused on an older state, and refused after another end', () => {
    const { scenario } = crowded();
    expect(scenario.terminate(1)).toMatchObject({ kind: 'rejected', rejection: { code: 'FailedPrecondition' } });
    scenario.terminate();
    expect(scenario.terminate()).toEqual({ kind: 'accepted', repeated: true });
    expect(scenario.recorded).toEqual([]);
    const done = drive(parallel(branch('one', {}))).scenario;
    expect(done.terminate()).toMatchObject({ kind: 'rejected', rejection: { code: 'FailedPrecondition' } });
  });
});
