import { describe, expect, it } from '@jest/globals';
import {
  checkpointReferences,
  CheckpointError,
  decodeCheckpoint,
  encodeCheckpoint,
  evolve,
  type RunEvent,
} from '../index.js';
import { chain } from '../testing/chain.js';
import type { Scenario } from '../testing/scenario.js';
import { claimed, error, started, success } from '../testing/scenario.js';

const program = chain({ steps: [{ retryErrors: ['busy'] }, {}] });

function eventOf(scenario: Scenario): (seq: number) => RunEvent {
  return (seq) => {
    const event = scenario.history[seq - 1];
    if (event === undefined) throw new Error(`no event ${seq}`);
    return event;
  };
}

function reopen(scenario: Scenario, text: string) {
  return decodeCheckpoint(program, text, eventOf(scenario));
}

describe('checkpoint', () => {
  it('read back is the same state, byte for byte', () => {
    const scenario = claimed(program);
    scenario.entropy = 7;
    scenario.report(error('busy'));
    const text = encodeCheckpoint(scenario.run);
    const reread = reopen(scenario, text);
    expect(encodeCheckpoint(reread)).toBe(text);
    expect({ ...reread, program: null }).toEqual({ ...scenario.run, program: null });
  });

  it('continues as the live run does', () => {
    const scenario = claimed(program);
    const before = encodeCheckpoint(scenario.run);
    const known = scenario.history.length;
    scenario.report(success(2));
    let run = reopen(scenario, before);
    for (const event of scenario.history.slice(known)) run = evolve(run, event, program);
    expect(encodeCheckpoint(run)).toBe(encodeCheckpoint(scenario.run));
  });

  it('keeps values up to 1 KiB and refers to the events of larger ones', () => {
    const inline = started(program, { n: 1, text: 'x'.repeat(1024 - '{"n":1,"text":""}'.length) });
    expect(checkpointReferences(encodeCheckpoint(inline.run))).toEqual([]);

    const large = started(program, { n: 1, text: 'x'.repeat(1024 - '{"n":1,"text":""}'.length + 1) });
    const text = encodeCheckpoint(large.run);
    expect(checkpointReferences(text)).toEqual([1, 2, 3]);
    expect(text).not.toContain('xxxx');
    expect(reopen(large, text).input.value).toEqual(large.run.input.value);
  });

  it('refers to large outputs, also of the run', () => {
    const scenario = claimed(chain({ steps: [{}] }));
    scenario.report({ kind: 'success', output: { n: 2, text: 'x'.repeat(2_000) } });
    const text = encodeCheckpoint(scenario.run);
    expect(checkpointReferences(text)).toEqual([5, 7]);
    const reread = decodeCheckpoint(scenario.program, text, eventOf(scenario));
    expect(reread.status).toEqual(scenario.run.status);
  });

  it('of another artifact, format or shape is refused', () => {
    const scenario = started(program);
    const text = encodeCheckpoint(scenario.run);
    expect(() => decodeCheckpoint(chain({ steps: [] }), text, eventOf(scenario))).toThrow(CheckpointError);
    expect(() => reopen(scenario, text.replace('checkpoint/v2', 'checkpoint/v1'))).toThrow(
      'a checkpoint has format graphrun.checkpoint/v1; this engine reads graphrun.checkpoint/v2',
    );
    expect(() => reopen(scenario, text.slice(1))).toThrow('a checkpoint is not JSON');
  });

  it('that refers to an event without that value is refused', () => {
    const large = started(program, { n: 1, text: 'x'.repeat(2_000) });
    const wrong = claimed(program).history[3];
    if (wrong === undefined) throw new Error('the claim left no event');
    expect(() => decodeCheckpoint(program, encodeCheckpoint(large.run), () => wrong)).toThrow(
      'a checkpoint refers to /input of event 3, which is not there',
    );
  });
});
