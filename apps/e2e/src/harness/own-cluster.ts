/** A small cluster for the campaign's own activities. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeDir, startCluster, tempDir } from '@graphrun/testing';
import type { Cluster, Service } from '@graphrun/testing';
import { faultyCatalogPath, oneStep } from '../definitions.js';
import type { OneStep } from '../definitions.js';
import { LEDGER_VARIABLE } from '../handlers/variables.js';
import type { RunAnswer, RunDetails } from './api-shapes.js';
import { Api } from './api.js';
import { built, requireBuild } from './built.js';
import { readLedger } from './ledger-file.js';

export const OWN_PARTITIONS = 4;

export interface WorkerOf {
  readonly name: string;
  readonly activities: readonly string[];
}

export class OwnCluster {
  #started = 0;

  private constructor(
    private readonly dir: string,
    readonly cluster: Cluster,
    readonly api: Api,
  ) {}

  static async start(workers: readonly WorkerOf[]): Promise<OwnCluster> {
    requireBuild();
    const dir = await tempDir('e2e');
    const cluster = await startCluster({
      nats: 1,
      dir,
      coordinators: 1,
      partitions: OWN_PARTITIONS,
      workers: workers.map(plan),
      env: { [LEDGER_VARIABLE]: ledgerOf(dir) },
    });
    const own = new OwnCluster(dir, cluster, new Api(cluster.url));
    try {
      await own.api.publishCatalog(readFileSync(faultyCatalogPath, 'utf8'));
    } catch (error) {
      await own.stop();
      throw error;
    }
    return own;
  }

  async stop(): Promise<void> {
    await this.cluster.stop();
    await removeDir(this.dir);
  }

  addWorker(worker: WorkerOf): Promise<Service> {
    return this.cluster.addWorker(plan(worker));
  }

  worker(name: string): Service {
    const worker = this.cluster.workers.find((candidate) => candidate.name === name);
    if (worker === undefined) throw new RangeError(`there is no worker ${name}`);
    return worker;
  }

  publish(step: OneStep): Promise<unknown> {
    return this.api.publishDefinition(oneStep(step));
  }

  /** Starts a run; returns its receipt at once, or with `wait` (a duration) the run as it was when it ended. */
  async start(workflow: string, value: number, wait?: string): Promise<RunAnswer> {
    this.#started += 1;
    const query = wait === undefined ? '' : `?wait=${wait}`;
    const body = { workflow, version: 1, input: { value } };
    return this.api.command<RunAnswer>(`/v1/runs${query}`, body, { idempotencyKey: `own-${this.#started}` });
  }

  inspect(run: string): Promise<RunDetails> {
    return this.api.get<RunDetails>(`/v1/runs/${run}`);
  }

  /** Physical calls of an activity of a run. */
  calls(run: string): number {
    return readLedger(ledgerOf(this.dir)).filter(({ key }) => key.startsWith(`gr1:${run}:`)).length;
  }
}

function plan({ name, activities }: WorkerOf) {
  return { name, activities, handlers: built('apps/e2e/dist/handlers/faulty.js') };
}

function ledgerOf(dir: string): string {
  return join(dir, 'ledger.jsonl');
}
