/** `graphrun dev` is killed at random moments of 200 orders, and started again on the same directory. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleCatalogPath, exampleDefinitionText } from '@graphrun/examples';
import { removeDir, tempDir } from '@graphrun/testing';
import { LEDGER_VARIABLE, STEP_MS_VARIABLE } from './handlers/variables.js';
import { Api } from './harness/api.js';
import { built, requireBuild } from './harness/built.js';
import { DevProcess } from './harness/dev-process.js';
import { callsByKey } from './harness/ledger-file.js';
import { measured } from './harness/measures.js';
import { OrderLoad } from './harness/order-load.js';
import { campaignSeed, SeededRandom } from './harness/random.js';
import { gather } from './judge/evidence.js';
import { broken } from './judge/order-judge.js';
import { runsOverHttp } from './judge/recorded-run.js';

const ORDERS = 200;
const KILLS = 9;
const AT_ONCE = 8;
const STEP_MS = 6;

describe('an embedded engine', () => {
  let dir: string;
  let dev: DevProcess;

  beforeEach(async () => {
    requireBuild();
    dir = await tempDir('e2e-embedded');
    dev = await DevProcess.start({
      dir,
      handlers: built('apps/e2e/dist/handlers/orders.js'),
      catalog: exampleCatalogPath,
      env: { [LEDGER_VARIABLE]: join(dir, 'ledger.jsonl'), [STEP_MS_VARIABLE]: String(STEP_MS) },
    });
  });

  afterEach(async () => {
    await dev.stop();
    await removeDir(dir);
  });

  it('finishes each of 200 orders exactly once while it is killed at random moments, and loses no receipt', async () => {
    const random = new SeededRandom(campaignSeed());
    // Each kill strikes a random moment after a random receipt; the last one while the last orders are carried out.
    const moments = [...random.ascending(KILLS - 1, 5, ORDERS - 10), ORDERS];
    const api = new Api(dev.url);
    await api.publishDefinition(exampleDefinitionText('sequence'));
    const load = new OrderLoad(api, 'embedded');
    const started = load.start(ORDERS, { atOnce: AT_ONCE });
    const restartsMs: number[] = [];
    for (const receipts of moments) {
      await load.receipted(receipts);
      await pause(random.integer(0, 60));
      await dev.kill();
      restartsMs.push(await dev.start());
    }
    await started;
    const evidence = await gather({
      api,
      load,
      ledgerFile: join(dir, 'ledger.jsonl'),
      readRuns: () => runsOverHttp(api),
    });
    const calls = [...callsByKey(evidence.calls).values()];
    measured('embedded, killed under load', {
      seed: random.seed,
      kills: restartsMs.length,
      requests_repeated: api.repeats,
      effects: calls.length,
      physical_calls: evidence.calls.length,
      restart_ms_min: Math.min(...restartsMs),
      restart_ms_max: Math.max(...restartsMs),
    });
    expect(broken(evidence)).toEqual([]);
    expect(evidence.receipts).toHaveLength(ORDERS);
    expect(calls).toHaveLength(2 * ORDERS);
  }, 300_000);

  it('is ready again on a directory with runs in it', async () => {
    const api = new Api(dev.url);
    await api.publishDefinition(exampleDefinitionText('sequence'));
    const load = new OrderLoad(api, 'restart');
    await load.start(20, { atOnce: AT_ONCE });
    await dev.stop();
    const afterStopMs = await dev.start();
    await dev.kill();
    const afterKillMs = await dev.start();
    // A deadline against hangs: the target of 2 s is for a machine with nothing else to do, and is measured, not tested.
    measured('graphrun dev, restart on an existing directory', {
      after_stop_ms: afterStopMs,
      after_kill_ms: afterKillMs,
    });
    expect(Math.max(afterStopMs, afterKillMs)).toBeLessThan(10_000);
    const evidence = await gather({
      api,
      load,
      ledgerFile: join(dir, 'ledger.jsonl'),
      readRuns: () => runsOverHttp(api),
    });
    expect(broken(evidence)).toEqual([]);
  }, 60_000);
});
