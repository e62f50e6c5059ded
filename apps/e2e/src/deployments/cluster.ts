/** Services on a NATS server and PostgreSQL: two coordinators, control, a worker. */
import { startCluster } from '@graphrun/testing';
import type { Processes, ProcessesOptions } from './processes.js';

const PARTITIONS = 8;

export async function startServices({ dir, handlers, catalog, env }: ProcessesOptions): Promise<Processes> {
  const cluster = await startCluster({
    nats: 1,
    dir,
    coordinators: 2,
    partitions: PARTITIONS,
    workers: [{ name: 'worker-1', activities: [], handlers, catalog }],
    env,
  });
  // Both members at once: no partition keeps its owner.
  const mortal = [...cluster.coordinators, ...cluster.workers];
  return {
    url: cluster.url,
    database: cluster.postgres.url,
    kill: async () => {
      await Promise.all(mortal.map((service) => service.kill()));
    },
    comeBack: async () => {
      await Promise.all(mortal.map((service) => service.restart()));
    },
    stop: () => cluster.stop(),
  };
}
