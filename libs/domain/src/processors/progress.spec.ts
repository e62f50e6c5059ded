import { describe, expect, it } from '@jest/globals';
import { LIMITS } from '@graphrun/dsl';
import {
  agenda,
  decodeCheckpoint,
  encodeCheckpoint,
  execute,
  type ActivationId,
  type CommandContext,
  type CommandId,
  type RunCommand,
  type SessionId,
} from '../index.js';
import { chain } from '../testing/chain.js';
import { activated, granted, runAfter } from '../testing/history.js';
import { A1, A2, START_MS, started } from '../testing/scenario.js';

const A3 = 'a3' as ActivationId;
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

  it('is what every other command leaves to it: a run that stops starts nothing in the meantime', () => {
    const mixed = chain({ steps: [{ effects: 'external' }, { effects: 'pure', retryErrors: ['busy'] }] });
    const failure = { code: 'busy', message: 'try later' };
    const filler = Array.from({ length: LIMITS.progressTransitions }, (_, index) =>
      activated(`a${index + 4}`, 'step2'),
    );
    const run = runAfter(
      mixed,
      activated('a1'),
      granted('a1'),
      ...filler,
      activated('a2', 'step2'),
      activated('a3', 'step2'),
      granted('a3'),
      { kind: 'attempt_failed', activation: A3, generation: 1, failure },
      { kind: 'retry_scheduled', activation: A3, delayMs: 500, dueAt: START_MS + 500 },
    );
    execute(run, cancel, context);
    expect(agenda(run)).toMatchObject({ progressDue: true, timers: [] });
    const text = encodeCheckpoint(run);
    const reread = decodeCheckpoint(mixed, text, () => {
      throw new Error('no value is large');
    });
    expect(agenda(reread).progressDue).toBe(true);

    const session = 'worker-1' as SessionId;
    const offered = { activation: A2, generation: 1, session };
    const late: RunCommand[] = [
      { kind: 'claim', ...offered },
      { kind: 'report', ...offered, lax: true, outcome: { kind: 'success', output: { n: 2 } } },
      { kind: 'timer', activation: A3, dueAt: START_MS + 500 },
    ];
    const reason = 'the run is stopping and starts nothing more';
    for (const command of late)
      expect(execute(run, command, context)).toMatchObject({ decision: { kind: 'stale', reason }, events: [] });
    const repeat = execute(run, { kind: 'claim', activation: A1, generation: 1, session }, context);
    expect(repeat).toMatchObject({ decision: { kind: 'accepted', repeated: true }, events: [] });
    expect(encodeCheckpoint(run)).toBe(text);
  });

  it('is stale when nothing is left to continue', () => {
    expect(started(program).progress()).toEqual({ kind: 'stale', reason: 'nothing is left to continue' });
  });
});
