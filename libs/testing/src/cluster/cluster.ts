import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startNats, type NatsService } from '../services/nats.js';
import { freePort } from '../services/port.js';
import { startPostgres, type PostgresService } from '../services/postgres.js';
import { removeDir, tempDir } from '../services/temp-dir.js';
import { Service } from './service.js';

/** One worker service: which activities it takes, and the code that handles them. */
export interface WorkerPlan {
  readonly name: string;
  /** Activity names; empty takes every one of the catalog. */
  readonly activities: readonly string[];
  /** Module with the handlers; the examples when left out. */
  readonly handlers?: string;
  /** Catalog file; the examples' one when left out. */
  readonly catalog?: string;
  /** Added to the environment of this worker. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ClusterOptions {
  /** NATS servers: 3 when left out. */
  readonly nats?: 1 | 3;
  readonly coordinators?: number;
  /** One for each activity type of the order example when left out. */
  readonly workers?: readonly WorkerPlan[];
  readonly partitions?: number;
  /** Of control; a free one when left out. */
  readonly port?: number;
  /** Kept by `stop` with data and logs; a temporary one that `stop` removes when left out. */
  readonly dir?: string;
  /** Added to the environment of every service. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The whole topology of `docker-compose.yml` from local processes. */
export interface Cluster {
  /** Base URL of control. */
  readonly url: string;
  readonly dir: string;
  readonly nats: NatsService;
  readonly postgres: PostgresService;
  readonly coordinators: readonly Service[];
  readonly workers: readonly Service[];
  readonly control: Service;
  /** Every service of the product. */
  readonly services: readonly Service[];
  /** Starts one more worker service. */
  addWorker(plan: WorkerPlan): Promise<Service>;
  /** Ends everything in the order in which a deployment does: work first, then decisions, then storage. */
  stop(): Promise<void>;
}

/** The built project: this file lies in `libs/testing/{src,dist}/cluster`. */
const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url));

/** One worker for each activity type of the order example. */
export const ORDER_WORKERS: readonly WorkerPlan[] = [
  { name: 'worker-inventory', activities: ['inventory.reserve', 'inventory.release'] },
  { name: 'worker-payment', activities: ['payment.charge', 'payment.refund'] },
];

/** Starts servers and services (`npm run build` must have been run) and returns when all of them are ready. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const dir = options.dir ?? (await tempDir('cluster'));
  mkdirSync(join(dir, 'logs'), { recursive: true });
  chmodSync(dir, 0o755); // the user that PostgreSQL runs as must be able to pass
  const closers: (() => Promise<void>)[] = [];
  try {
    const starting = [
      startPostgres({ dir: join(dir, 'postgres') }).then((server) => keep(server, closers)),
      startNats({ dir: join(dir, 'nats'), count: options.nats ?? 3 }).then((servers) => keep(servers, closers)),
    ] as const;
    await settled(starting);
    const [postgres, nats] = await Promise.all(starting);
    const started = new StartedCluster(dir, options, nats, postgres);
    closers.push(() => started.stop());
    await started.start(options.port ?? (await freePort()));
    return started;
  } catch (error) {
    // The newest first: services before the servers they use.
    for (const close of closers.reverse()) await close();
    throw error;
  }
}

/** As `Promise.all`, but a failure is passed on only when all have settled: what is still on its way up cannot be ended. */
async function settled(starting: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(starting);
  await Promise.all(starting);
}

function keep<T extends { stop(): Promise<void> }>(server: T, closers: (() => Promise<void>)[]): T {
  closers.push(() => server.stop());
  return server;
}

class StartedCluster implements Cluster {
  readonly coordinators: Service[] = [];
  readonly workers: Service[] = [];
  url = '';
  private startedControl: Service | undefined;

  constructor(
    readonly dir: string,
    private readonly options: ClusterOptions,
    readonly nats: NatsService,
    readonly postgres: PostgresService,
  ) {}

  get control(): Service {
    if (this.startedControl === undefined) throw new Error('control has not been started');
    return this.startedControl;
  }

  get services(): readonly Service[] {
    return [...this.coordinators, ...(this.startedControl ? [this.startedControl] : []), ...this.workers];
  }

  async start(port: number): Promise<void> {
    const members = Array.from({ length: this.options.coordinators ?? 2 }, (_, index) => `coordinator-${index + 1}`);
    const [first, ...others] = members.map((member) => async () => {
      const env = { GRAPHRUN_MEMBER: member, GRAPHRUN_MEMBERS: members.join(',') };
      this.coordinators.push(await this.startService(member, 'coordinator', env));
    });
    // The first one alone: it makes the tables and streams that the others find.
    await first?.();
    await settled([
      ...others.map((start) => start()),
      this.startControl(port),
      ...(this.options.workers ?? ORDER_WORKERS).map((plan) => this.addWorker(plan)),
    ]);
  }

  private async startControl(port: number): Promise<void> {
    const env = { GRAPHRUN_HTTP_HOST: '127.0.0.1', GRAPHRUN_HTTP_PORT: String(port) };
    this.startedControl = await this.startService('control', 'control', env, port);
    this.url = this.startedControl.healthUrl;
  }

  async addWorker(plan: WorkerPlan): Promise<Service> {
    const worker = await this.startService(plan.name, 'worker', {
      GRAPHRUN_WORKER: plan.name,
      GRAPHRUN_WORKER_ACTIVITIES: plan.activities.join(','),
      GRAPHRUN_HANDLERS: plan.handlers ?? '',
      GRAPHRUN_CATALOG: plan.catalog ?? '',
      ...plan.env,
    });
    this.workers.push(worker);
    return worker;
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await this.startedControl?.stop();
    await Promise.all(this.coordinators.map((coordinator) => coordinator.stop()));
    await Promise.all([this.nats.stop(), this.postgres.stop()]);
    if (this.options.dir === undefined) await removeDir(this.dir);
  }

  /** Control serves its health on its API's port, the others on one of their own. */
  private async startService(
    name: string,
    app: string,
    own: Readonly<Record<string, string>>,
    apiPort?: number,
  ): Promise<Service> {
    const healthPort = apiPort ?? (await freePort());
    return Service.start({
      name,
      main: join(PROJECT, 'apps', app, 'dist/main.js'),
      logFile: join(this.dir, 'logs', `${name}.log`),
      healthUrl: `http://127.0.0.1:${healthPort}`,
      env: {
        GRAPHRUN_CLUSTER: 'default',
        GRAPHRUN_NATS_URLS: this.nats.urls,
        GRAPHRUN_NATS_REPLICAS: String(this.nats.servers.length),
        GRAPHRUN_DATABASE_URL: this.postgres.url,
        GRAPHRUN_PARTITIONS: String(this.options.partitions ?? 16),
        ...(apiPort === undefined ? { GRAPHRUN_HEALTH_PORT: String(healthPort) } : {}),
        ...this.options.env,
        ...own,
      },
    });
  }
}
