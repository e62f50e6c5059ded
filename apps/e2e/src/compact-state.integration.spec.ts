/** A thousand items and a thousand iterations, with real processes: what their state and their history weigh. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { definitionText } from './definitions.js';
import { Deployment, DEPLOYMENTS } from './deployments/deployment.js';
import { measured } from './harness/measures.js';

const THOUSAND = 1_000;
/** Bytes of the five events of an item. */
const MOST_HISTORY_EACH = 1_300;
const TEST_MS = 120_000;
const COUNTERS = Array.from({ length: THOUSAND }, (_, value) => ({ value }));

describe.each(DEPLOYMENTS)('compact state, %s', (kind) => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.start(kind);
    for (const name of ['wide-foreach', 'long-loop'] as const) await deployment.publish(definitionText(name));
  }, TEST_MS);

  afterAll(() => deployment.stop(), TEST_MS);

  /** Bytes of the stored checkpoint and of all stored events of a run; null where the tables cannot be read. */
  async function stored(run: string): Promise<{ readonly checkpoint: number; readonly events: number } | null> {
    if (deployment.database === null) return null;
    const client = new Client({ connectionString: deployment.database });
    await client.connect();
    try {
      const { rows } = await client.query<{ checkpoint: number; events: number }>(
        `SELECT (SELECT max(octet_length(state)) FROM graphrun.checkpoint WHERE run = $1)::int AS checkpoint,
                (SELECT sum(octet_length(data)) FROM graphrun.event WHERE run = $1)::int AS events`,
        [run],
      );
      return rows[0] ?? null;
    } finally {
      await client.end();
    }
  }

  it.each([
    {
      name: 'a foreach over 1,000 items',
      workflow: 'e2e_wide_foreach',
      input: COUNTERS,
      output: COUNTERS.map(({ value }) => ({ value: value + 1 })),
      // The items refer to the input; a small result is kept for each.
      mostState: 120_000,
    },
    {
      name: 'a loop of 1,000 iterations',
      workflow: 'e2e_long_loop',
      input: { value: 0 },
      output: { value: THOUSAND },
      mostState: 25_000,
    },
  ])(
    '$name has a compact state, and little more than a kilobyte of history for each',
    async ({ workflow, input, output, mostState }) => {
      const begun = performance.now();
      const run = await deployment.start(workflow, input);
      await deployment.when(run, 'all are done', ({ waits }) => waits.length === 1);
      const ms = performance.now() - begun;
      const tables = await stored(run);
      await deployment.signal(run, { signal: 'go', key: 'all', payload: null });
      expect(await deployment.atRest(run)).toMatchObject({ status: 'succeeded', output });
      const history = await deployment.history(run);
      expect(history.filter(({ kind: event }) => event === 'activity_succeeded')).toHaveLength(THOUSAND);
      measured(`${workflow}, ${kind}`, {
        ms,
        events: history.length,
        history_bytes_each: (tables?.events ?? Buffer.byteLength(JSON.stringify(history))) / THOUSAND,
        history_from: tables === null ? 'http' : 'tables',
        checkpoint_bytes: tables?.checkpoint ?? 'not to be seen',
      });
      expect(await deployment.api.get(`/v1/runs/${run}/reconstruct`)).toMatchObject({ agrees: true });
      if (tables === null) return;
      expect(tables.checkpoint).toBeLessThan(mostState);
      expect(tables.events).toBeLessThan(MOST_HISTORY_EACH * THOUSAND);
    },
    TEST_MS,
  );
});
