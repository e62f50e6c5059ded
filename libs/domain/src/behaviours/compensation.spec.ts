import { describe, expect, it } from '@jest/globals';
import { agenda, effectKey, type ActivationId } from '../index.js';
import { drive, output, type Driver, type Handler } from '../testing/driver.js';
import { error, OTHER_WORKER, returned, success, unhandled } from '../testing/scenario.js';
import {
  activity,
  body,
  complete,
  effect,
  from,
  literal,
  onError,
  undo,
  workflow,
  type Part,
} from '../testing/workflow.js';

/** A saga that pays and then fails, so that the payment is undone by `undo`. */
function paid(handler: Handler, compensation: Part = undo(), fields: Part = {}): Driver {
  const pay = activity('safe', 'fails', { compensation });
  const nodes = { pay, fails: effect('end'), end: complete() };
  const program = workflow({
    saga: { kind: 'saga', input: from('workflow.input'), body: body(nodes), next: 'end', ...fields },
    end: complete(from('workflow.input')),
    ...('on_error' in fields ? { caught: complete(literal('caught')) } : {}),
  });
  return drive(program, { fails: () => error('broken'), 'pay:compensation': handler });
}

const status = ({ scenario }: Driver): string | undefined =>
  scenario.run.obligations.get('a2' as ActivationId)?.status.kind;

describe('a compensation', () => {
  it('has its own effect key, its own input and its own role', () => {
    const { scenario } = paid(() => 'held');
    expect(agenda(scenario.run).claims.map(({ leaf }) => [leaf.id, leaf.node, leaf.input.value])).toEqual([
      ['a2c', 'pay', { undone: { n: 1 } }],
    ]);
    const { id } = scenario.run;
    expect(effectKey(id, 'a2c' as ActivationId)).toBe(`gr1:${id}:a2:compensation`);
    expect(effectKey(id, 'a2' as ActivationId)).toBe(`gr1:${id}:a2:forward`);
    expect(effectKey(id, 'a2cr' as ActivationId)).toBe(`gr1:${id}:a2:compensation`);
  });

  it('is repeated while the run stops, for a code that its contract lets retry', () => {
    const driver = paid(({ calls }) => (calls < 2 ? error('busy') : output(null)));
    expect(driver.scenario.run.status).toMatchObject({ kind: 'failed', compensation: { complete: true } });
    expect(driver.begun.slice(2)).toEqual(['pay:compensation', 'pay:compensation', 'pay:compensation']);
  });

  it('is repeated after it was lost, as its contract is RetrySafe', () => {
    const driver = paid(({ calls }) => (calls === 0 ? 'lost' : output(null)));
    driver.scenario.cancel();
    expect(driver.finish().scenario.run.status).toMatchObject({ compensation: { complete: true } });
  });

  it('that was handed back is offered again', () => {
    const driver = paid(({ calls }) => (calls === 0 ? returned() : output(null)));
    expect(driver.finish().scenario.run.status).toMatchObject({ compensation: { complete: true } });
  });

  it('has ten attempts by default', () => {
    const driver = paid(() => error('busy')).finish();
    expect(driver.begun.filter((name) => name === 'pay:compensation')).toHaveLength(10);
    expect(status(driver)).toBe('blocked_execution');
  });

  it.each<[string, Handler, string]>([
    ['a terminal error', () => error('broken'), 'broken'],
    ['an error that nobody declared', () => error('odd'), 'odd'],
    ['a retryable error that is not listed', () => error('busy'), 'busy'],
  ])('that ends with %s blocks the obligation and the run, and nothing is skipped', (_what, handler, code) => {
    const driver = paid(handler, undo('undo', { retry: { errors: [], max_attempts: 2 } }));
    expect(driver.scenario.kinds).toEqual(['attempt_failed', 'compensation_blocked']);
    expect(driver.scenario.run.status).toEqual({ kind: 'blocked', stop: null });
    expect(status(driver)).toBe('blocked_execution');
    expect(driver.scenario.leaf('a2c').status).toMatchObject({ kind: 'blocked', reason: { code } });
    expect(agenda(driver.scenario.run)).toMatchObject({ ready: [], claims: [], timers: [], blocked: true });
  });

  it('whose outcome is unknown and that may not be repeated blocks, until its late report settles it', () => {
    const driver = paid(() => 'lost', undo('undo_manual'));
    expect(driver.scenario.kinds).toEqual(['attempt_lost', 'compensation_blocked']);
    expect(driver.scenario.report(success(1), 'a2c', { session: OTHER_WORKER }).kind).toBe('stale');
    expect(driver.scenario.report(unhandled(), 'a2c').kind).toBe('stale');
    expect(driver.scenario.report(success(1), 'a2c')).toEqual({ kind: 'accepted' });
    expect(driver.scenario.run.status).toMatchObject({ kind: 'failed', compensation: { complete: true } });
  });

  it('that is blocked lets a late report of a retryable error be followed by another attempt', () => {
    const driver = paid(() => 'lost', undo('undo_manual'));
    driver.scenario.report(error('busy'), 'a2c');
    expect(status(driver)).toBe('compensating');
    expect(driver.scenario.run.status).toEqual({ kind: 'active' });
    expect(driver.scenario.leaf('a2c').status).toEqual({ kind: 'ready', generation: 2 });
  });

  it('that is done is never done again, and its report is answered again', () => {
    const driver = paid(() => 'held');
    driver.scenario.report(success(1), 'a2c');
    expect(driver.scenario.run.status.kind).toBe('failed');
    expect(driver.scenario.report(success(1), 'a2c')).toEqual({ kind: 'accepted', repeated: true });
    expect(driver.scenario.history.filter(({ body: { kind } }) => kind === 'compensation_completed')).toHaveLength(1);
  });

  it('that blocks keeps its saga from its error route', () => {
    const driver = paid(() => error('broken'), undo(), onError('caught'));
    expect(driver.scenario.run.status).toEqual({ kind: 'blocked', stop: null });
    driver.scenario.resolve('a2c', { kind: 'applied', output: 1 });
    expect(driver.scenario.run.status).toMatchObject({ kind: 'succeeded', output: { value: 'caught' } });
  });

  it('runs on whatever cancels the run in the meantime', () => {
    const driver = paid(() => 'held');
    driver.scenario.cancel();
    expect(agenda(driver.scenario.run).claims).toHaveLength(1);
    driver.scenario.expire('worker_lost', 'a2c');
    expect(agenda(driver.scenario.run).ready.map(({ leaf, attempt }) => [leaf.id, attempt])).toEqual([['a2c', 2]]);
  });

  it('is strict work: a report without a grant is refused', () => {
    const { scenario } = paid(() => 'held');
    scenario.expire('worker_lost', 'a2c');
    expect(scenario.leaf('a2c').status.kind).toBe('ready');
    expect(scenario.report(success(1), 'a2c', { lax: true })).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'FailedPrecondition' },
    });
  });
});
