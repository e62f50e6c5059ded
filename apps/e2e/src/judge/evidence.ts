/** Gathers what the judge looks at, once every run has come to rest. */
import { eventually } from '@graphrun/testing';
import type { RunDetails, RunList } from '../harness/api-shapes.js';
import { ApiRefusal } from '../harness/api.js';
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
const ASK_FOR_MS = 2_000;

/** A worker may have died while it held a claim and be the only one of its kind: its lease of 30 s is the longest wait. */
const LONGEST_END_MS = 60_000;

/** Waits for the end of all runs, then asks everybody. Throws NeverHappened that shows why some have not ended. */
export async function gather({ api, load, ledgerFile, readRuns }: Sources): Promise<OrderEvidence> {
  await allEnd(api);
  const repeats = await each(load.receipts, AT_ONCE, (receipt) => unlessRefused(load.ask(receipt)));
  const runs = await readRuns();
  const details = await each(runs, AT_ONCE, ({ run }) => unlessRefused(api.get<RunDetails>(`/v1/runs/${run}`)));
  const { quarantine } = await api.get<{ readonly quarantine: readonly unknown[] }>('/v1/quarantine');
  const { unrecoverable } = await api.get<{ readonly unrecoverable: readonly unknown[] }>('/v1/unrecoverable');
  return {
    receipts: load.receipts,
    repeats: repeats.filter((repeat) => repeat !== null),
    runs,
    details: details.filter((view) => view !== null),
    calls: readLedger(ledgerFile),
    setAside: [...quarantine, ...unrecoverable],
  };
}

/** A refusal is evidence too: the judge misses what was not answered. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiRefusal) return null;
    throw error;
  }
}

export async function allEnd(api: Api, timeoutMs = LONGEST_END_MS): Promise<void> {
  const asked = api.withRetries(ASK_FOR_MS); // a question that is not answered must not use up the time
  let waiting: readonly RunDetails[] = [];
  const check = async (): Promise<boolean> => {
    const { runs } = await asked.get<RunList>('/v1/runs?status=active,stopping,blocked&limit=3');
    waiting = await Promise.all(runs.map(({ run }) => asked.get<RunDetails>(`/v1/runs/${run}`)));
    return waiting.length === 0;
  };
  try {
    await eventually('all runs have ended', check, timeoutMs);
  } catch (cause) {
    const seen = waiting.map(({ run, status, explain }) => ({ run, status, explain }));
    throw new Error(`runs have not ended within ${timeoutMs} ms, among them ${JSON.stringify(seen)}`, { cause });
  }
}
