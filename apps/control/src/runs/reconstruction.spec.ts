import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunId, RunView } from '@graphrun/domain';
import type { QueryStore, StoredRun } from '@graphrun/store';
import { embeddedControl } from '../spec/embedded-control.js';
import type { EmbeddedControl } from '../spec/embedded-control.js';
import { ask } from '../spec/request.js';
import { reconstruct, type Reconstruction } from './reconstruction.js';
import { RunReader } from './run-reader.js';

interface History {
  readonly events: readonly { readonly kind: string; readonly seq: number }[];
}

describe('reconstruction of a run', () => {
  let system: EmbeddedControl;
  let run: string;
  let history: History;

  beforeAll(async () => {
    system = await embeddedControl();
    const started = await ask(system.url, '/v1/runs?wait=30s', {
      json: { workflow: 'order', input: { order_id: 'o-1', amount: 1000 } },
    });
    run = (started.body as { run: string }).run;
    history = await read<History>('history');
  }, 60_000);

  afterAll(() => system.close());

  async function read<T>(path: string): Promise<T> {
    const answer = await ask(system.url, `/v1/runs/${run}/${path}`);
    expect(answer.status).toBe(200);
    return answer.body as T;
  }

  it('shows the run after each of its events, and what it waited for then', async () => {
    const kinds = history.events.map(({ kind }) => kind);
    const last = kinds.length;
    const activated = kinds.indexOf('activity_activated') + 1;
    const succeeded = kinds.indexOf('activity_succeeded') + 1;
    for (const [seq, status, activities] of [
      [1, 'active', []],
      [activated, 'active', [['reserve', 'ready']]],
      [succeeded, 'active', [['reserve', 'succeeded']]],
    ] as const) {
      const { state, ...rest } = await read<Reconstruction>(`reconstruct?seq=${seq}`);
      expect(rest).toEqual({ run, seq, last_seq: last, agrees: true });
      expect(state).toMatchObject({ status, seq });
      expect(state.activities.map(({ node, status: of }) => [node, of])).toEqual(activities);
    }
    const queued = await read<Reconstruction>(`reconstruct?seq=${activated}`);
    expect(queued.state.explain).toMatchObject([{ path: 'nodes.reserve' }]);
  });

  it('shows what inspect shows after the last event, and changes nothing', async () => {
    const { state, seq } = await read<Reconstruction>('reconstruct');
    const inspected = await ask(system.url, `/v1/runs/${run}`);
    expect(state).toEqual(inspected.body as RunView);
    expect(seq).toBe(history.events.length);
    expect(await read<History>('history')).toEqual(history);
  });

  it('says that there is no such event', async () => {
    const seq = history.events.length + 1;
    const answer = await ask(system.url, `/v1/runs/${run}/reconstruct?seq=${seq}`);
    expect(answer.body).toMatchObject({
      status: 400,
      code: 'InvalidArgument',
      detail: `Run ${run} has ${seq - 1} events; there is no event ${seq} (yet).`,
    });
  });

  it('finds a stored state that differs from what the events give', async () => {
    const { query } = system.database;
    // The checkpoint of the store, as if something had written another output into it.
    const changed = Object.create(query) as { -readonly [K in keyof QueryStore]: QueryStore[K] };
    changed.loadRuns = async (runs) => {
      const [stored] = await query.loadRuns(runs);
      if (stored?.checkpoint == null) throw new Error('the run has ended, so it has a checkpoint');
      const state = stored.checkpoint.state.replaceAll('pay-1', 'pay-2');
      const checkpoint: StoredRun['checkpoint'] = { ...stored.checkpoint, state };
      return [{ ...stored, checkpoint }];
    };
    expect(await reconstruct(new RunReader(query), run as RunId, null)).toMatchObject({ agrees: true });
    expect(await reconstruct(new RunReader(changed), run as RunId, null)).toMatchObject({ agrees: false });
  });
});
