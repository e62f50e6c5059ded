import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RunId } from '@graphrun/domain';
import type { ChangeFeed } from '@graphrun/messaging';
import { runIdFor } from '@graphrun/protocol';
import type { ChangeNotice, TerminalOutcome } from '@graphrun/protocol';
import { ManualClock } from '../spec/manual-clock.js';
import { admittedAt, Outcomes } from './outcomes.js';

const SUCCEEDED: TerminalOutcome = { status: 'succeeded', output: 7 };

describe('waiting for outcomes', () => {
  let clock: ManualClock;
  let announce: (notice: ChangeNotice) => void;
  let stored: Map<RunId, TerminalOutcome>;
  let reads: RunId[];
  let errors: unknown[];
  let failing: boolean;
  let outcomes: Outcomes;
  let run: RunId;

  beforeEach(async () => {
    clock = new ManualClock();
    stored = new Map();
    reads = [];
    errors = [];
    failing = false;
    run = runIdFor('00000001'.padEnd(32, '0') as never, 1, clock.now());
    const feed = {
      watch: (onNotice: (notice: ChangeNotice) => void) => {
        announce = onNotice;
        return Promise.resolve({ close: () => Promise.resolve() });
      },
    } as unknown as ChangeFeed;
    const read = (wanted: RunId) => {
      reads.push(wanted);
      return failing ? Promise.reject(new Error('no database')) : Promise.resolve(stored.get(wanted) ?? null);
    };
    outcomes = new Outcomes(feed, read, clock, 4, (error) => errors.push(error));
    await outcomes.start();
  });

  function notice(commitNo: number, ended: readonly RunId[] = [], more: Partial<ChangeNotice> = {}): ChangeNotice {
    const changes = ended.map((id) => ({ run: id, seq: 9, ended: true, outcome: SUCCEEDED }));
    return { partition: 1, epoch: 1, commitNo, backlog: 0, changes, ...more };
  }

  it('tells the outcome that a notice brings, without reading anything', async () => {
    const outcome = outcomes.wait(run, { timeoutMs: 1000 });
    announce(notice(1, [run]));
    expect(await outcome).toEqual(SUCCEEDED);
    expect(reads).toEqual([]);
    expect(outcomes.waiting).toBe(0);
  });

  it('knows an end that was announced before anybody asked', async () => {
    announce(notice(1, [run]));
    expect(outcomes.hasEnded(run)).toBe(true);
    expect(await outcomes.wait(run, { timeoutMs: 1000 })).toEqual(SUCCEEDED);
    expect(reads).toEqual([]);
  });

  it('gives up after the time and leaves nothing behind', async () => {
    const outcome = outcomes.wait(run, { timeoutMs: 1000 });
    clock.advance(1000);
    expect(await outcome).toBeNull();
    expect(outcomes.waiting).toBe(0);
  });

  it('looks an older run up at once: its end may have been announced long ago', async () => {
    stored.set(run, SUCCEEDED);
    clock.advance(1001);
    expect(await outcomes.wait(run, { timeoutMs: 1000 })).toEqual(SUCCEEDED);
    expect(reads).toEqual([run]);
  });

  it('reads the outcome when it was too large for the notice', async () => {
    stored.set(run, SUCCEEDED);
    const outcome = outcomes.wait(run, { timeoutMs: 1000 });
    announce(notice(1, [], { changes: [{ run, seq: 9, ended: true }] }));
    expect(await outcome).toEqual(SUCCEEDED);
  });

  it.each([
    ['a commit was missed', { commitNo: 3, epoch: 1 }],
    ['the partition has another epoch', { commitNo: 2, epoch: 2 }],
  ])('looks its waiters up when %s', async (_what, next) => {
    announce(notice(1));
    const outcome = outcomes.wait(run, { timeoutMs: 10_000 });
    stored.set(run, SUCCEEDED);
    announce(notice(next.commitNo, [], { epoch: next.epoch }));
    expect(outcomes.gaps).toBe(1);
    clock.advance(200);
    expect(await outcome).toEqual(SUCCEEDED);
  });

  it('does not look up the waiters of other partitions, nor for late or doubled notices', () => {
    const other = runIdFor('00000002'.padEnd(32, '0') as never, 1, clock.now());
    announce(notice(1));
    announce(notice(2));
    void outcomes.wait(other, { timeoutMs: 10_000 });
    announce(notice(2));
    announce(notice(1));
    expect(outcomes.gaps).toBe(0);
    announce(notice(9));
    clock.advance(200);
    expect(outcomes.gaps).toBe(1);
    expect(reads).toEqual([]);
  });

  it('looks every five seconds even when no notice comes, and only while somebody waits', async () => {
    const outcome = outcomes.wait(run, { timeoutMs: 60_000 });
    clock.advance(5000);
    expect(reads).toEqual([run]);
    await settle();
    stored.set(run, SUCCEEDED);
    clock.advance(5000);
    expect(await outcome).toEqual(SUCCEEDED);
    await settle();
    clock.advance(60_000);
    expect(reads).toEqual([run, run]);
  });

  it('reports a read that failed and tries again', async () => {
    failing = true;
    const outcome = outcomes.wait(run, { timeoutMs: 60_000 });
    clock.advance(5000);
    await settle();
    expect(errors).toEqual([new Error('no database')]);
    failing = false;
    stored.set(run, SUCCEEDED);
    clock.advance(5000);
    expect(await outcome).toEqual(SUCCEEDED);
  });

  it('ends a wait when the client has gone, and all waits when it closes', async () => {
    let gone = (): void => undefined;
    const first = outcomes.wait(run, { timeoutMs: 60_000, whenGone: (listener) => (gone = listener) });
    const second = outcomes.wait(run, { timeoutMs: 60_000 });
    gone();
    expect(await first).toBeNull();
    expect(outcomes.waiting).toBe(1);
    await outcomes.close();
    expect(await second).toBeNull();
    expect(outcomes.waiting).toBe(0);
  });

  describe('of a run that continues as another', () => {
    let successor: RunId;
    let continued: TerminalOutcome;
    const change = (of: RunId, outcome: TerminalOutcome) => ({ run: of, seq: 9, ended: true, outcome });

    beforeEach(() => {
      successor = runIdFor('00000001'.padEnd(32, '0') as never, 2, clock.now());
      continued = { status: 'continued', successor };
    });

    it('tells how the last one ended', async () => {
      const last = outcomes.follow(run, { timeoutMs: 1000 });
      announce(notice(1, [], { changes: [change(run, continued)] }));
      await settle();
      announce(notice(2, [], { changes: [change(successor, SUCCEEDED)] }));
      expect(await last).toEqual({ run: successor, outcome: SUCCEEDED });
      expect(outcomes.waiting).toBe(0);
    });

    it('waits no longer than it was asked to in all', async () => {
      const last = outcomes.follow(run, { timeoutMs: 1000 });
      clock.advance(600);
      announce(notice(1, [], { changes: [change(run, continued)] }));
      await settle();
      clock.advance(399);
      expect(outcomes.waiting).toBe(1);
      clock.advance(1);
      expect(await last).toEqual({ run: successor, outcome: null });
    });

    it('ends when the client has gone, whichever it waits for', async () => {
      let gone = (): void => undefined;
      const last = outcomes.follow(run, { timeoutMs: 60_000, whenGone: (listener) => (gone = listener) });
      announce(notice(1, [], { changes: [change(run, continued)] }));
      await settle();
      gone();
      expect(await last).toEqual({ run: successor, outcome: null });
      expect(outcomes.waiting).toBe(0);
    });

    it('looks at nothing without a time to wait', async () => {
      announce(notice(1, [], { changes: [change(run, continued)] }));
      expect(await outcomes.follow(run, { timeoutMs: 0 })).toEqual({ run, outcome: null });
    });
  });

  it('reads the admission time from the id of a run', () => {
    expect(admittedAt(run)).toBe(clock.now());
  });
});

/** Lets the promises of a look-up run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
