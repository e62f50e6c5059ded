/** Gathers what the judge looks at, once every run has come to rest. */
import { eventually } from '@graphrun/testing';
import type { RunDetails, RunList } from '../harness/api-shapes.js';
import type { Api } from '../harness/api.js';
import { each } from '../harness/each.js';
import { readLedger } from '../harness/ledger-file.js';
import type { OrderLoad } from '../harness/order-load.js';
import type { OrderEvidence } from './order-judge.js';
import type { RecordedRun } from './recorded-run.js';

export interface Sources {
  readonly api: Api;
  readonly load: OrderLoad;
  readonly ledgerFile: string;
  readonly readRuns: () => Promise<readonly RecordedRun[]>;
}

const AT_ONCE = 8;

/** A worker may have died while it held a claim and be the only one of its kind: its lease of 30 s is the longest wait. */
const LONGEST_END_MS = 60_000;

/** Waits for the end of all runs, then asks everybody. Throws NeverHappened that shows why some have not ended. */
export async function gather({ api, load, ledgerFile, readRuns }: Sources): Promise<OrderEvidence> {
  await allEnd(api);
  const repeats = await each(load.receipts, AT_ONCE, (receipt) => load.ask(receipt));
  const runs = await readRuns();
  const details = await each(runs, AT_ONCE, ({ run }) => api.get<RunDetails>(`/v1/runs/${run}`));
  return { receipts: load.receipts, repeats, runs, details, calls: readLedger(ledgerFile) };
}

export async function allEnd(api: Api, timeoutMs = LONGEST_END_MS): Promise<void> {
  await eventually(
    'all runs have ended',
    async () => {
      const { runs } = await api.get<RunList>('/v1/runs?status=active,stopping,blocked&limit=3');
      if (runs.length === 0) return true;
      const waiting = await Promise.all(runs.map(({ run }) => api.get<RunDetails>(`/v1/runs/${run}`)));
      throw new Error(
        `not ended: ${JSON.stringify(waiting.map(({ run, status, explain }) => ({ run, status, explain })))}`,
      );
    },
    timeoutMs,
  );
}
