/**
 * What the end-to-end suite runs on: the same product, embedded in one process or as a cluster. A test speaks to either
 * through HTTP alone, and both have their effects at a provider that says what really happened.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventView } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import { eventually, removeDir, startProvider, tempDir } from '@graphrun/testing';
import type { ProviderClient, ProviderService } from '@graphrun/testing';
import { mergedCatalogText } from '../definitions.js';
import { PROVIDER_VARIABLE } from '../handlers/variables.js';
import type { CommandAnswer, RunAnswer, RunDetails } from '../harness/api-shapes.js';
import { Api } from '../harness/api.js';
import { built, requireBuild } from '../harness/built.js';
import { historyOf } from '../judge/recorded-run.js';
import { startServices } from './cluster.js';
import { startEmbedded } from './embedded.js';
import type { Processes } from './processes.js';

export const DEPLOYMENTS = ['embedded', 'cluster'] as const;

export type DeploymentKind = (typeof DEPLOYMENTS)[number];

const WAIT_MS = 60_000;
const AT_REST: ReadonlySet<string> = new Set([
  'blocked',
  'succeeded',
  'failed',
  'cancelled',
  'continued',
  'terminated',
]);

export interface StartOptions {
  readonly startKey?: string;
  readonly idempotencyKey?: string;
}

export interface SignalOf {
  readonly signal: string;
  readonly key: string;
  readonly payload: Json;
}

export class Deployment {
  #commands = 0;

  private constructor(
    readonly kind: DeploymentKind,
    readonly dir: string,
    private readonly provided: ProviderService,
    private readonly processes: Processes,
    readonly api: Api,
  ) {}

  static async start(kind: DeploymentKind): Promise<Deployment> {
    requireBuild();
    const dir = await tempDir(`e2e-${kind}`);
    const provided = await startProvider(dir);
    try {
      const catalog = join(dir, 'catalog.json');
      writeFileSync(catalog, mergedCatalogText());
      const handlers = built('apps/e2e/dist/handlers/suite.js');
      const env = { [PROVIDER_VARIABLE]: provided.url };
      const processes = await PROCESSES[kind]({ dir, handlers, catalog, env });
      const api = new Api(processes.url);
      await api.publishCatalog(mergedCatalogText());
      return new Deployment(kind, dir, provided, processes, api);
    } catch (error) {
      await provided.service.stop();
      throw error;
    }
  }

  get provider(): ProviderClient {
    return this.provided.client;
  }

  /** Of PostgreSQL; null where only the process itself can read its tables. */
  get database(): string | null {
    return this.processes.database;
  }

  async stop(): Promise<void> {
    await this.provided.service.stop(); // cuts what is held, so that no worker waits for it
    await this.processes.stop();
    await removeDir(this.dir);
  }

  /** SIGKILL to all that decides and works, then all of it again. `meanwhile` happens while nobody is there. */
  async crash(meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    await this.processes.kill();
    await meanwhile();
    await this.processes.comeBack();
  }

  /** A definition as YAML, or as the document that YAML would say. */
  publish(definition: string | object): Promise<unknown> {
    return this.api.publishDefinition(typeof definition === 'string' ? definition : JSON.stringify(definition));
  }

  async start(workflow: string, input: Json, options: StartOptions = {}): Promise<string> {
    const { run } = await this.startCommand(workflow, input, options);
    return run;
  }

  startCommand(workflow: string, input: Json, { startKey, idempotencyKey }: StartOptions = {}): Promise<RunAnswer> {
    const body = { workflow, version: 1, input, ...(startKey !== undefined && { start_key: startKey }) };
    return this.#command<RunAnswer>('/v1/runs', body, idempotencyKey);
  }

  /** A command on a run; with `expected: true` it is decided on the state that the run has now. */
  async act(run: string, path: string, body: Readonly<Record<string, Json>>, expected = false): Promise<CommandAnswer> {
    const on = expected ? { expected_seq: (await this.inspect(run)).seq } : {};
    return this.#command<CommandAnswer>(`/v1/runs/${run}/${path}`, { ...body, ...on });
  }

  signal(run: string, { signal, key, payload }: SignalOf): Promise<CommandAnswer> {
    return this.act(run, 'signals', { signal, key, payload });
  }

  cancel(run: string): Promise<CommandAnswer> {
    return this.act(run, 'cancel', { reason: 'the customer called' });
  }

  inspect(run: string): Promise<RunDetails> {
    return this.api.get<RunDetails>(`/v1/runs/${run}`);
  }

  history(run: string): Promise<readonly EventView[]> {
    return historyOf(this.api, run);
  }

  /** The run, once `check` holds. */
  when(run: string, what: string, check: (view: RunDetails) => boolean): Promise<RunDetails> {
    return eventually(
      `${what} (run ${run}, ${this.kind})`,
      async () => {
        const view = await this.inspect(run);
        if (check(view)) return view;
        throw new Error(`it is ${JSON.stringify(view)}`);
      },
      WAIT_MS,
    );
  }

  /** The run, once it has ended or is blocked. */
  atRest(run: string): Promise<RunDetails> {
    return this.when(run, 'it comes to rest', ({ status }) => AT_REST.has(status));
  }

  #command<T>(path: string, body: unknown, idempotencyKey?: string): Promise<T> {
    this.#commands += 1;
    return this.api.command<T>(path, body, { idempotencyKey: idempotencyKey ?? `suite-${this.#commands}` });
  }
}

const PROCESSES = { embedded: startEmbedded, cluster: startServices } as const;
