import { describe, expect, it } from '@jest/globals';
import type { CommandId } from '../index.js';
import { chain } from '../testing/chain.js';
import { Scenario, START_MS, started } from '../testing/scenario.js';

describe('start', () => {
  it('admits the run, opens its root scope and activates the first node', () => {
    const scenario = started(chain({ steps: [{}] }));
    expect(scenario.kinds).toEqual(['run_admitted', 'scope_opened', 'activity_activated']);
    expect(scenario.recorded[2]).toEqual({
      kind: 'activity_activated',
      activation: 'a1',
      scope: 's1',
      node: 'step1',
      input: { n: 1 },
    });
    expect(scenario.history.map((event) => event.cause)).toEqual(Array(3).fill({ command: 'start-1' }));
  });

  it('refuses an input that breaks the input schema, and there is no run', () => {
    const scenario = new Scenario(chain({ steps: [{}] }));
    const decision = scenario.start({ n: 'many' });
    expect(decision).toMatchObject({ kind: 'rejected', rejection: { code: 'InvalidArgument' } });
    expect(JSON.stringify(decision)).toContain('at /n does not fit chain version 1');
    expect(() => scenario.run).toThrow('has not started');
  });

  it('refuses a second start of the same workflow id, naming the run', () => {
    const scenario = started(chain({ steps: [{}] }));
    expect(scenario.start()).toEqual({
      kind: 'rejected',
      rejection: {
        code: 'AlreadyExists',
        message: `workflow id ${scenario.run.workflowId} has a run already: ${scenario.run.id}`,
      },
    });
  });

  it('fixes the deadline of the run at admission', () => {
    expect(started(chain({ steps: [{}], runTimeoutMs: 60_000 })).run.deadline).toBe(START_MS + 60_000);
    expect(started(chain({ steps: [{}] })).run.deadline).toBeNull();
  });

  it('ends in the same commit when nothing needs a worker', () => {
    const scenario = started(chain({ steps: [] }));
    expect(scenario.kinds).toEqual(['run_admitted', 'scope_opened', 'scope_completed', 'run_succeeded']);
    expect(scenario.run.status).toMatchObject({ kind: 'succeeded', output: { value: { n: 1 } } });
    expect(scenario.run.endedAt).toBe(START_MS);
  });

  it('answers every other command NotFound when there is no run', () => {
    const scenario = new Scenario(chain({ steps: [] }));
    const decision = scenario.execute({ kind: 'cancel', commandId: 'c' as CommandId, reason: 'r' }).decision;
    expect(decision).toMatchObject({ kind: 'rejected', rejection: { code: 'NotFound' } });
  });
});
