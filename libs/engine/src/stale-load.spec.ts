import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivationId, RunId, SessionId } from '@graphrun/domain';
import { execute } from '@graphrun/domain';
import { loadProgram } from '@graphrun/dsl';
import { partitionOfRun } from '@graphrun/protocol';
import type { ApplyOutcome, Database, StoredRun } from '@graphrun/store';
import { eventually } from '@graphrun/testing';
import { loadRun } from './load.js';
import { Partition } from './partition.js';
import { PartitionBatch } from './processor/batch.js';
import { Resident } from './residency.js';
import { sequence } from './testing/definitions.js';
import { PARTITIONS, TestEngine } from './testing/embedded-engine.js';
import { kindsOf } from './testing/history.js';
import { replaced } from './testing/replaced.js';
import { TestWorker } from './testing/worker.js';

const ITEM = { id: 'i', n: 1 };
const STEP = sequence('step', { work: { effects: 'external' } });

/** Holds back what the next load of runs has read until it is let go. */
class SlowLoads {
  #armed: { readonly reached: () => void; readonly released: Promise<void> } | null = null;

  arm(): { readonly reached: Promise<void>; release(): void } {
    const gate = { reached: (): void => undefined, release: (): void => undefined };
    const reached = new Promise<void>((resolve) => (gate.reached = resolve));
    const released = new Promise<void>((resolve) => (gate.release = resolve));
    this.#armed = { reached: gate.reached, released };
    return { reached, release: gate.release };
  }

  wrap(database: Database): Database {
    const loadRuns = async (runs: readonly RunId[]): Promise<readonly StoredRun[]> => {
      const stored = await database.engine.loadRuns(runs);
      const armed = this.#armed;
      this.#armed = null;
      armed?.reached();
      await armed?.released;
      return stored;
    };
    const engine = replaced(database.engine, { loadRuns });
    return replaced(database, { engine });
  }
}

describe('a partition that is lost and won back while its runs are loaded', () => {
  const loads = new SlowLoads();
  let engine: TestEngine;

  beforeEach(async () => {
    engine = await TestEngine.open({
      wrap: (database) => loads.wrap(database),
      definitions: [STEP],
      // Room for one run, so that another one drives it out of memory and the next command has to load it.
      config: { residentBytes: 4_000, partitionRenewMs: 100 },
    });
  });

  afterEach(() => engine.discard());

  /** Takes the partition as another member and grants the step there. */
  async function grantElsewhere(run: RunId, session: SessionId): Promise<ApplyOutcome> {
    const { engine: store, query } = engine.database;
    const id = partitionOfRun(run, PARTITIONS);
    const epoch = (await store.partitions()).find(({ partition }) => partition === id)?.epoch ?? 0;
    const row = await store.takeOver(id, 'other', epoch, 10_000);
    const [stored] = await store.loadRuns([run]);
    if (row === null || stored === undefined) throw new Error('another one was faster');
    const loaded = await loadRun(stored, {
      program: () => Promise.resolve(loadProgram(STEP)),
      eventsAt: (...which) => query.eventsAt(...which),
    });
    const batch = new PartitionBatch(new Partition(row), PARTITIONS, 256);
    const claim = { activation: 'a1' as ActivationId, generation: 1, session };
    const context = { now: row.engineTime, arrivedAt: row.engineTime, entropy: 0, by: session };
    const { events } = execute(loaded, { kind: 'claim', ...claim }, context);
    batch.record(new Resident(loaded, id, 0, null), 'active', events, row.engineTime);
    return store.apply([batch.close().writes]);
  }

  it('goes on from what its other owner has committed, not from what was read before', async () => {
    const run = await engine.client.run('step', ITEM);
    const partition = partitionOfRun(run, PARTITIONS);
    await engine.client.run('step', { id: 'another', n: 2 });
    const slow = loads.arm();
    // The report is in the log before the grant is in the store: only who has seen the grant can take it.
    const worker = await TestWorker.open({ messaging: engine.messaging, activities: [] });
    const outcome = { kind: 'success', output: ITEM };
    const attempt = { run, partition, activation: 'a1' as ActivationId, generation: 1 };
    const reported = worker.send('report', attempt, { lax: false, outcome });
    await slow.reached;
    await eventually(
      'another owner commits',
      async () => (await grantElsewhere(run, worker.session)).kind === 'committed',
    );
    await eventually('it is taken back', async () => {
      const row = (await engine.database.engine.partitions()).find((candidate) => candidate.partition === partition);
      return row?.owner === 'm1' && engine.coordinator.health().partitions.includes(partition);
    });
    slow.release();
    expect(await reported).toMatchObject({ verdict: 'accepted' });
    expect(await kindsOf(engine.database, run)).toEqual([
      'run_admitted',
      'scope_opened',
      'activity_activated',
      'attempt_granted',
      'activity_succeeded',
      'scope_completed',
      'run_succeeded',
    ]);
    expect(await engine.database.query.quarantine(10)).toEqual([]);
    await worker.close();
  });
});
