/** A small cluster whose handlers have their effects at a provider, which can be told what requests meet. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventView } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import { eventually, removeDir, startCluster, startProvider, tempDir } from '@graphrun/testing';
import type { Cluster, ProviderClient, ProviderLedger, ProviderService, Service } from '@graphrun/testing';
import { definitionText, mergedCatalogText } from '../definitions.js';
import type { DefinitionName } from '../definitions.js';
import { PROVIDER_VARIABLE } from '../handlers/variables.js';
import { brokenEffects } from '../judge/effect-rules.js';
import { brokenHistory } from '../judge/history-rules.js';
import { historyOf, runsInPostgres } from '../judge/recorded-run.js';
import type { RunAnswer, RunDetails, WorkerAnswer } from './api-shapes.js';
import { Api } from './api.js';
import { built, requireBuild } from './built.js';

const PARTITIONS = 4;
/** A probe that finds out nothing is followed by the next one 30 s later. */
const RESTS_WITHIN_MS = 60_000;

export class ProvidedCluster {
  #commands = 0;

  private constructor(
    private readonly dir: string,
    private readonly provided: ProviderService,
    readonly cluster: Cluster,
    readonly api: Api,
  ) {}

  /** One coordinator, and a worker of each name that takes everything. */
  static async start(workers: readonly string[], definitions: readonly DefinitionName[]): Promise<ProvidedCluster> {
    requireBuild();
    const dir = await tempDir('e2e');
    const provided = await startProvider(dir);
    const closers = [() => removeDir(dir), () => provided.service.stop()];
    try {
      const catalog = join(dir, 'catalog.json');
      writeFileSync(catalog, mergedCatalogText());
      const handlers = built('apps/e2e/dist/handlers/provided.js');
      const cluster = await startCluster({
        nats: 1,
        dir,
        coordinators: 1,
        partitions: PARTITIONS,
        workers: workers.map((name) => ({ name, activities: [], handlers, catalog })),
        env: { [PROVIDER_VARIABLE]: provided.url },
      });
      closers.push(() => cluster.stop());
      const own = new ProvidedCluster(dir, provided, cluster, new Api(cluster.url));
      await own.#publish(definitions);
      return own;
    } catch (error) {
      for (const close of closers.reverse()) await close();
      throw error;
    }
  }

  get provider(): ProviderClient {
    return this.provided.client;
  }

  async stop(): Promise<void> {
    await this.provided.service.stop(); // cuts what is held, so that no worker waits for it
    await this.cluster.stop();
    await removeDir(this.dir);
  }

  async start(workflow: string, input: Json): Promise<string> {
    const { run } = await this.#command<RunAnswer>('/v1/runs', { workflow, version: 1, input });
    return run;
  }

  /** Sends a command on a run, decided on the state it has now. */
  async act(run: string, path: string, body: Readonly<Record<string, Json>>): Promise<void> {
    const { seq } = await this.inspect(run);
    const expected = path === 'signals' ? {} : { expected_seq: seq };
    await this.#command(`/v1/runs/${run}/${path}`, { ...body, ...expected });
  }

  inspect(run: string): Promise<RunDetails> {
    return this.api.get<RunDetails>(`/v1/runs/${run}`);
  }

  history(run: string): Promise<readonly EventView[]> {
    return historyOf(this.api, run);
  }

  /** The run when it has ended, or is blocked. */
  atRest(run: string): Promise<RunDetails> {
    return eventually(
      `run ${run} has come to rest`,
      async () => {
        const view = await this.inspect(run);
        return view.status === 'active' || view.status === 'stopping' ? undefined : view;
      },
      RESTS_WITHIN_MS,
    );
  }

  async ledger(run: string): Promise<ProviderLedger> {
    return (await this.provider.ledger()).of(run);
  }

  /** The ledger of a run once `check` holds. */
  ledgerWhen(run: string, what: string, check: (ledger: ProviderLedger) => boolean): Promise<ProviderLedger> {
    return eventually(
      `${what}, says the ledger`,
      async () => {
        const ledger = await this.ledger(run);
        return check(ledger) ? ledger : undefined;
      },
      RESTS_WITHIN_MS,
    );
  }

  /** The worker that was granted the last attempt of the run. */
  async holder(run: string): Promise<Service> {
    const granted = (await this.history(run)).filter(({ kind }) => kind === 'attempt_granted').at(-1);
    const { workers } = await this.api.get<{ readonly workers: readonly WorkerAnswer[] }>('/v1/workers');
    const name = workers.find(({ session }) => session === granted?.['session'])?.worker;
    const holder = this.cluster.workers.find((worker) => worker.name === name);
    if (holder === undefined) throw new Error(`no worker of this cluster holds run ${run}`);
    return holder;
  }

  /** What the tables and the ledger of the provider say against the promises: one sentence for each that was broken. */
  async broken(): Promise<readonly string[]> {
    const runs = await runsInPostgres(this.cluster.postgres.url);
    const ledger = await this.provider.ledger();
    const misused = ledger.misused().map(({ key }) => `effect ${key}: its key came back for something else`);
    return [...runs.flatMap(brokenHistory), ...brokenEffects(runs, ledger.physicalByKey()), ...misused];
  }

  async #publish(definitions: readonly DefinitionName[]): Promise<void> {
    await this.api.publishCatalog(mergedCatalogText());
    for (const name of definitions) await this.api.publishDefinition(definitionText(name));
  }

  #command<T>(path: string, body: unknown): Promise<T> {
    this.#commands += 1;
    return this.api.command<T>(path, body, { idempotencyKey: `provided-${this.#commands}` });
  }
}
