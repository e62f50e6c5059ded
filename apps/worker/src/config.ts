/** Settings of the worker service. The variables and their meaning stand in the one table of `@graphrun/settings`. */
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LogLevel } from '@graphrun/settings';
import { readSettings } from '@graphrun/settings';

export interface WorkerConfig {
  readonly cluster: string;
  readonly natsUrls: readonly string[];
  /** Partitions of the cluster: fixed for its life, the same in all services. */
  readonly partitions: number;
  /** Replicas of streams that this process finds missing. */
  readonly replicas: number;
  /** Stable name of this worker over restarts. */
  readonly worker: string;
  /** Whom the NATS server knows this worker as. */
  readonly principal: string;
  /** Activities (`name` or `name/vN`) to serve, or null for all that handlers and catalog have. */
  readonly activities: readonly string[] | null;
  /** URL or package name of the module that exports `handlers`. */
  readonly handlers: string;
  /** Path of the catalog, or null for the `catalogPath` that the handler module exports. */
  readonly catalogPath: string | null;
  /** Attempts of one activity at once. */
  readonly slots: number;
  readonly maxRunning: number;
  readonly drainMs: number;
  /** Port of `/healthz` and `/readyz` on `healthHost`; 0 for any free port, null for none. */
  readonly healthPort: number | null;
  readonly healthHost: string;
  readonly logLevel: LogLevel;
}

/** The example handlers, for a first look. */
const DEFAULT_HANDLERS = '@graphrun/examples';

/** Throws GraphrunError `InvalidArgument` that names every variable that is wrong, and what it should be. */
export function workerConfigFromEnv(environment: Readonly<Record<string, string | undefined>>): WorkerConfig {
  const settings = readSettings(environment, [
    'cluster',
    'natsUrls',
    'natsReplicas',
    'partitions',
    'worker',
    'workerPrincipal',
    'workerActivities',
    'workerSlots',
    'workerMaxRunning',
    'workerDrainMs',
    'handlers',
    'catalog',
    'healthHost',
    'healthPort',
    'logLevel',
  ]);
  const worker = settings.worker === '' ? hostname() : settings.worker;
  return {
    cluster: settings.cluster,
    natsUrls: settings.natsUrls,
    partitions: settings.partitions,
    replicas: settings.natsReplicas,
    worker,
    principal: settings.workerPrincipal === '' ? worker : settings.workerPrincipal,
    activities: settings.workerActivities.length === 0 ? null : settings.workerActivities,
    handlers: moduleSpecifier(settings.handlers === '' ? DEFAULT_HANDLERS : settings.handlers),
    catalogPath: settings.catalog === '' ? null : settings.catalog,
    slots: settings.workerSlots,
    maxRunning: settings.workerMaxRunning,
    drainMs: settings.workerDrainMs,
    healthPort: settings.healthPort[0] ?? null,
    healthHost: settings.healthHost,
    logLevel: settings.logLevel,
  };
}

/** Paths become URLs, so that `import` takes them from any directory; names of packages and URLs stay. */
function moduleSpecifier(text: string): string {
  const path = resolve(text);
  const isPath = /^[./]/.test(text) || statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isPath ? pathToFileURL(path).href : text;
}
