/** A cluster of the built product that carries out orders: two coordinators, three workers, control. */
import { join } from 'node:path';
import { exampleDefinitionText, exampleCatalogText } from '@graphrun/examples';
import { removeDir, startCluster, tempDir } from '@graphrun/testing';
import type { Cluster, WorkerPlan } from '@graphrun/testing';
import { LEDGER_VARIABLE, STEP_MS_VARIABLE } from '../handlers/variables.js';
import { gather } from '../judge/evidence.js';
import type { OrderEvidence } from '../judge/order-judge.js';
import { runsInPostgres } from '../judge/recorded-run.js';
import { Api } from './api.js';
import { built, requireBuild } from './built.js';
import { OrderLoad } from './order-load.js';

export const PARTITIONS = 16;
/** Of each activity; two of them make an order. */
const STEP_MS = 20;
const INVENTORY = 'inventory.reserve';
const PAYMENT = 'payment.charge';

/** Each activity has a worker of its own and one in common, so that no single death stops an activity. */
function workers(): readonly WorkerPlan[] {
  const handlers = built('apps/e2e/dist/handlers/orders.js');
  return [
    { name: 'worker-inventory', activities: [INVENTORY], handlers },
    { name: 'worker-payment', activities: [PAYMENT], handlers },
    { name: 'worker-both', activities: [INVENTORY, PAYMENT], handlers },
  ];
}

export interface OrderCluster {
  readonly cluster: Cluster;
  readonly api: Api;
  readonly load: OrderLoad;
  /** What the judge looks at, when all runs have ended. */
  evidence(): Promise<OrderEvidence>;
  stop(): Promise<void>;
}

export interface OrderClusterOptions {
  readonly nats: 1 | 3;
  /** Start keys begin with it. */
  readonly prefix: string;
}

export async function startOrderCluster({ nats, prefix }: OrderClusterOptions): Promise<OrderCluster> {
  requireBuild();
  const dir = await tempDir('e2e');
  const ledgerFile = join(dir, 'ledger.jsonl');
  const env = { [LEDGER_VARIABLE]: ledgerFile, [STEP_MS_VARIABLE]: String(STEP_MS) };
  const cluster = await startCluster({ nats, dir, coordinators: 2, partitions: PARTITIONS, workers: workers(), env });
  const stop = async (): Promise<void> => {
    await cluster.stop();
    await removeDir(dir);
  };
  try {
    const api = new Api(cluster.url);
    await api.publishCatalog(exampleCatalogText());
    await api.publishDefinition(exampleDefinitionText('sequence'));
    const load = new OrderLoad(api, prefix);
    const readRuns = () => runsInPostgres(cluster.postgres.url);
    return { cluster, api, load, stop, evidence: () => gather({ api, load, ledgerFile, readRuns }) };
  } catch (error) {
    await stop();
    throw error;
  }
}
