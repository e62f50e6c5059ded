import { describe, expect, it } from '@jest/globals';
import type { Json } from '@graphrun/dsl';
import { chain } from './testing/chain.js';
import { claimed, START_MS, started, success } from './testing/scenario.js';
import { encodeCheckpoint, evolve, HistoryError, readEvent, reconstruct, UnknownEventError } from './index.js';

const program = chain({ steps: [{}] });

function finished() {
  const scenario = claimed(program);
  scenario.report(success(2));
  return scenario;
}

describe('reconstruct', () => {
  it('folds a history up to a sequence', () => {
    const { history } = finished();
    expect(reconstruct(program, history, 4).leaves.size).toBe(1);
    expect(reconstruct(program, history, 4).status.kind).toBe('active');
    expect(reconstruct(program, history, 4).seq).toBe(4);
    expect(reconstruct(program, history).status.kind).toBe('succeeded');
  });

  it('gives the live state from stored text', () => {
    const scenario = finished();
    const stored = scenario.history.map((event) => readEvent(JSON.parse(JSON.stringify(event)) as Json));
    expect(encodeCheckpoint(reconstruct(program, stored))).toBe(encodeCheckpoint(scenario.run));
  });

  it('refuses an empty history, a gap, a wrong beginning and a second admission', () => {
    const { history } = finished();
    expect(() => reconstruct(program, [])).toThrow(HistoryError);
    expect(() =>
      reconstruct(
        program,
        history.filter((event) => event.seq !== 3),
      ),
    ).toThrow('event 3 is missing, 4 came instead');
    expect(() => reconstruct(program, history.slice(1))).toThrow('a history begins with run_admitted at 1');
    const again = { ...history[0], seq: 4 } as (typeof history)[number];
    expect(() => reconstruct(program, [...history.slice(0, 3), again])).toThrow('is admitted again by event 4');
  });

  it('refuses an artifact that is not the pinned one', () => {
    expect(() => reconstruct(chain({ steps: [] }), finished().history)).toThrow('was admitted with artifact');
  });

  it('refuses an unknown version instead of guessing', () => {
    const { history } = finished();
    const newer = history.map((event) => ({ ...event, v: event.seq === 5 ? 2 : 1 }));
    expect(() => reconstruct(program, newer)).toThrow(new UnknownEventError('activity_succeeded', 2));
    expect(() =>
      reconstruct(
        program,
        history.map((event) => ({ ...event, v: 9 })),
      ),
    ).toThrow(UnknownEventError);
  });
});

describe('evolve', () => {
  it('counts the bytes of history as UTF-8', () => {
    const { history } = started(program, { n: 1, text: 'ä€😀' });
    const run = history.reduce<ReturnType<typeof evolve> | null>((state, event) => evolve(state, event, program), null);
    const bytes = history.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
    expect(run?.historyBytes).toBe(bytes);
  });

  it('never lets time run backwards', () => {
    const scenario = started(program);
    scenario.now = START_MS - 5_000;
    expect(scenario.claim()).toMatchObject({ grant: { deadline: START_MS + 10_000 } });
    expect(scenario.history.at(-1)?.at).toBe(START_MS);
  });
});

describe('readEvent', () => {
  const good = finished().history[4] as unknown as Json;

  it('reads what was written', () => {
    expect(readEvent(good)).toEqual(good);
  });

  it.each([
    ['kind', { ...(good as object), body: { kind: 'run_danced' } }, 'no reader for event "run_danced" version 1'],
    ['version', { ...(good as object), v: 3 }, 'no reader for event "activity_succeeded" version 3'],
    ['inherited name', { ...(good as object), body: { kind: 'toString' } }, 'no reader for event "toString" version 1'],
  ])('refuses an unknown %s', (_what, raw, message) => {
    expect(() => readEvent(raw as Json)).toThrow(UnknownEventError);
    expect(() => readEvent(raw as Json)).toThrow(message);
  });

  it.each<[string, Json]>([
    ['null', null],
    ['a text', 'event'],
    ['no body', { seq: 1, at: 1, v: 1 }],
    ['no sequence', { at: 1, v: 1, body: { kind: 'retry_due' } }],
    ['a sequence of 0', { seq: 0, at: 1, v: 1, body: { kind: 'retry_due' } }],
  ])('refuses a damaged row: %s', (_what, raw) => {
    expect(() => readEvent(raw)).toThrow(HistoryError);
  });
});
