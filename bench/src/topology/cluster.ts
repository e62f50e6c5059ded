/** The topology that is measured: one coordinator, control, and one worker with all activities of the benchmarks. */
import { join } from 'node:path';
import { freePort } from '@graphrun/testing';
import type { RunningProcess } from '@graphrun/testing';
import type { CpuConsumer } from '../cpu/breakdown.js';
import type { Servers } from './servers.js';
import { becomesReady, startService } from './service.js';

export const CLUSTER = 'bench';

/** Served by the worker. What is not here has no worker, which is what B2 needs. */
const ACTIVITIES = ['bench.reserve', 'bench.charge', 'inventory.reserve', 'payment.charge'];

export interface ClusterOptions {
  readonly coordinators: number;
  readonly partitions: number;
  readonly profileDir: string | null;
}

export interface Cluster {
  /** Base URL of control. */
  readonly url: string;
  /** Every process that serves, with the client's. */
  readonly consumers: readonly CpuConsumer[];
  /** Processes of the product. */
  readonly services: readonly RunningProcess[];
  stop(): Promise<void>;
}

export async function startCluster(
  servers: Servers,
  { coordinators, partitions, profileDir }: ClusterOptions,
): Promise<Cluster> {
  const { dir, nats, postgres } = servers;
  const services: RunningProcess[] = [];
  const start = async (name: string, app: 'coordinator' | 'control' | 'worker', own: Record<string, string>) => {
    const env = {
      GRAPHRUN_CLUSTER: CLUSTER,
      GRAPHRUN_NATS_URLS: nats.urls,
      GRAPHRUN_DATABASE_URL: postgres.url,
      GRAPHRUN_PARTITIONS: String(partitions),
      ...own,
    };
    services.push(await startService({ name, app, env, logFile: join(dir, 'logs', `${name}.log`), profileDir }));
  };
  const stop = async (): Promise<void> => {
    // Work first, then decisions.
    for (const service of services.reverse()) await service.stop();
  };
  const port = String(await freePort());
  const members = Array.from({ length: coordinators }, (_, index) => `coordinator-${index + 1}`);
  try {
    // One after the other, so that the first one makes the tables and streams and the others find them.
    for (const member of members) {
      await start(member, 'coordinator', { GRAPHRUN_MEMBER: member, GRAPHRUN_MEMBERS: members.join(',') });
    }
    await start('control', 'control', { GRAPHRUN_HTTP_PORT: port, GRAPHRUN_PORT: port });
    await start('worker', 'worker', { GRAPHRUN_WORKER: 'bench', GRAPHRUN_WORKER_ACTIVITIES: ACTIVITIES.join(',') });
    const url = `http://127.0.0.1:${port}`;
    await becomesReady(url);
    const consumers = [
      ...services.map(({ name, pid }) => ({ name, pid })),
      { name: 'postgres', pid: postgres.pid, withChildren: true },
      ...nats.pids.map((pid) => ({ name: 'nats', pid })),
      { name: 'client', pid: process.pid },
    ];
    return { url, consumers, services, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
