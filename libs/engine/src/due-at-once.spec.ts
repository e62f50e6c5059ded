import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunEvent, RunId } from '@graphrun/domain';
import type { PartitionWrites } from '@graphrun/store';
import { definition, sequence } from './testing/definitions.js';
import { TestEngine } from './testing/embedded-engine.js';
import { FaultDatabase } from './testing/fault-store.js';

const TIMERS = 1_000;

/** Timers that fired in a commit. */
function fired(writes: readonly PartitionWrites[]): number {
  const events = writes.flatMap((of) => of.events.flatMap(({ data }) => JSON.parse(data) as RunEvent[]));
  return events.filter(({ body }) => body.kind === 'timer_fired').length;
}

describe('a thousand timers that are due in the same millisecond', () => {
  const faults = new FaultDatabase();
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await TestEngine.open({
      partitions: 1,
      wrap: (database) => faults.wrap(database),
      definitions: [
        sequence('idle', { nobody: {} }),
        definition(
          'alarm',
          {},
          'start: wait\nnodes: {wait: {kind: wait_until, at: {from: workflow.input, path: /n}, next: end}, end: {kind: complete, output: {from: workflow.input}}}',
        ),
      ],
    });
  });

  afterAll(() => engine.discard());

  function startMany(workflow: string, count: number, n: number): Promise<readonly RunId[]> {
    return Promise.all(Array.from({ length: count }, () => engine.client.run(workflow, { id: 'i', n })));
  }

  it('are decided in batches, and a command that comes meanwhile goes between them', async () => {
    // All must be waiting before they are due: the pace of this machine says when that will be.
    const begun = Date.now();
    await startMany('idle', TIMERS / 10, 0);
    const dueAt = Date.now() + 15 * (Date.now() - begun) + 500;

    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let hold: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (hold = resolve));
    const runs = await startMany('alarm', TIMERS, dueAt);
    faults.fault = (writes, apply) => {
      if (fired(writes) === 0) return null;
      hold();
      return released.then(apply);
    };
    await held;
    // The commit of the first timers is under way; a command arrives, and is answered behind a few of the others.
    const answer = engine.client.start('idle', { id: 'other', n: 0 });
    await engine.messaging.log.tail(0);
    faults.fault = () => null;
    release();
    const result = await answer;
    for (const run of runs) {
      const output = { id: 'i', n: dueAt };
      expect((await engine.client.outcome(run)).outcome).toEqual({ status: 'succeeded', output });
    }

    const other = result.ok ? result.run : '';
    const commits = faults.commits.map(({ writes }) => ({
      fired: fired(writes),
      answered: writes.some(({ runInserts }) => runInserts.some(({ run }) => run === other)),
    }));
    const at = commits.findIndex(({ answered }) => answered);
    const before = commits.slice(0, at).reduce((sum, commit) => sum + commit.fired, 0);
    const after = commits.slice(at).reduce((sum, commit) => sum + commit.fired, 0);
    expect(before + after).toBe(TIMERS);
    // At most what was being committed, what was decided on top of it, and what stood in the inbox.
    expect(before).toBeLessThanOrEqual(3 * 32);
  });
});
