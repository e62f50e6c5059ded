import { describe, expect, it } from '@jest/globals';
import { LIMITS } from '@graphrun/dsl';
import { agenda, execute, type CommandContext, type CommandId, type RunCommand } from '../index.js';
import { chain } from '../testing/chain.js';
import { activated, runAfter } from '../testing/history.js';
import { START_MS, started } from '../testing/scenario.js';

const program = chain({ steps: [{}] });
const context: CommandContext = { now: START_MS + 999, arrivedAt: START_MS + 999, entropy: 0, by: 'engine' };
const cancel: RunCommand = { kind: 'cancel', commandId: 'c1' as CommandId, reason: 'enough' };

describe('progress', () => {
  it('continues what one commit may not hold, and no further than one commit each', () => {
    const open = LIMITS.progressTransitions * 2 + 1;
    const run = runAfter(program, ...Array.from({ length: open }, (_, index) => activated(`a${index + 1}`)));

    const first = execute(run, cancel, context);
    expect(first.events).toHaveLength(1 + LIMITS.progressTransitions);
    expect(agenda(run)).toMatchObject({ progressDue: true, ready: [], terminal: false });

    const second = execute(run, { kind: 'progress' }, context);
    expect(second.decision).toEqual({ kind: 'accepted' });
    expect(second.events).toHaveLength(LIMITS.progressTransitions);
    expect(second.events[0]?.event.cause).toEqual({ internal: 'progress' });

    const third = execute(run, { kind: 'progress' }, context);
    expect(third.events.map(({ event }) => event.body.kind)).toEqual([
      'activity_cancelled',
      'scope_cancelled',
      'run_cancelled',
    ]);
    expect(agenda(run).terminal).toBe(true);
  });

  it('is stale when nothing is left to continue', () => {
    expect(started(program).progress()).toEqual({ kind: 'stale', reason: 'nothing is left to continue' });
  });
});
