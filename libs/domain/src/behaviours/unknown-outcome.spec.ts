import { describe, expect, it } from '@jest/globals';
import { drive, type Driver, type Handlers } from '../testing/driver.js';
import { error, returned, unhandled } from '../testing/scenario.js';
import { activity, body, complete, from, workflow } from '../testing/workflow.js';

const HELD: Handlers = { safe: () => 'held', pure: () => 'held' };

/** Work that may be repeated, beside work that is about to fail and to close it. */
function besideFailure(): Driver {
  const branch = (name: string, of: string) => ({
    name,
    input: from('workflow.input'),
    body: body({ do: activity(of, 'end', { retry: { max_attempts: 3 } }), end: complete() }),
  });
  return drive(
    workflow({
      both: { kind: 'parallel', branches: [branch('left', 'safe'), branch('right', 'pure')], next: 'end' },
      end: complete(from('workflow.input')),
    }),
    HELD,
  );
}

describe('an external attempt that was lost before its scope was closed', () => {
  it.each([
    ['is offered again', () => undefined],
    [
      'was handed back',
      ({ scenario }: Driver) => {
        scenario.claim('a2');
        scenario.report(returned(), 'a2');
      },
    ],
  ])('is asked about as what it was lost for, also when it %s', (_what, meanwhile) => {
    const driver = besideFailure();
    const { scenario } = driver;
    scenario.report(unhandled(), 'a2');
    expect(scenario.leaf('a2').status).toEqual({ kind: 'ready', generation: 2 });
    meanwhile(driver);
    scenario.report(error('broken'), 'a3');
    const reason = { code: 'activity.unhandled', message: 'TypeError: x is undefined' };
    expect(scenario.recorded).toContainEqual({ kind: 'intervention_required', activation: 'a2', reason });
    scenario.resolve('a2', { kind: 'not_applied' });
    expect(scenario.recorded).toContainEqual({ kind: 'activity_failed', activation: 'a2', failure: reason });
  });

  it('is asked about as what it was lost for when it is handed back after the scope was closed', () => {
    const { scenario } = besideFailure();
    scenario.report(unhandled(), 'a2');
    scenario.claim('a2');
    scenario.report(error('broken'), 'a3');
    expect(scenario.kinds).not.toContain('intervention_required');
    scenario.report(returned(), 'a2');
    expect(scenario.recorded).toContainEqual({
      kind: 'intervention_required',
      activation: 'a2',
      reason: { code: 'activity.unhandled', message: 'TypeError: x is undefined' },
    });
  });
});
