/** The one table of settings: services read them by it, and the documentation is written from it. */
import type { ApiKey, Parser } from './parsers.js';
import { activity, apiKey, integer, list, name, oneOf, text, url } from './parsers.js';

export interface Setting<T> {
  readonly variable: string;
  readonly parse: Parser<T>;
  /** Text that stands in for an absent variable; undefined makes the variable required where the setting is used. */
  readonly fallback: string | undefined;
  readonly meaning: string;
  /** Its value must not be shown. */
  readonly secret?: true;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

function setting<T>(
  variable: string,
  parse: Parser<T>,
  fallback: string | undefined,
  meaning: string,
  more: { readonly secret?: true } = {},
): Setting<T> {
  return { variable, parse, fallback, meaning, ...more };
}

export const SETTINGS = {
  cluster: setting('GRAPHRUN_CLUSTER', name, 'graphrun', 'Name of the cluster; streams and subjects carry it.'),
  natsUrls: setting(
    'GRAPHRUN_NATS_URLS',
    list(url('nats', 'tls'), 1),
    undefined,
    'NATS servers, separated by commas, such as nats://127.0.0.1:4222.',
  ),
  natsReplicas: setting(
    'GRAPHRUN_NATS_REPLICAS',
    integer(1, 5),
    '1',
    'Replicas of the streams that have to be created.',
  ),
  databaseUrl: setting(
    'GRAPHRUN_DATABASE_URL',
    url('postgres', 'postgresql'),
    undefined,
    'PostgreSQL, such as postgres://user@host:5432/graphrun.',
    { secret: true },
  ),
  partitions: setting('GRAPHRUN_PARTITIONS', integer(1, 1024), '16', 'Partitions; fixed for the life of a cluster.'),
  member: setting('GRAPHRUN_MEMBER', name, undefined, 'Id of this coordinator, never reused for another.'),
  members: setting('GRAPHRUN_MEMBERS', list(name, 1), undefined, 'All coordinators that may own partitions.'),
  httpHost: setting('GRAPHRUN_HTTP_HOST', text, '127.0.0.1', 'Address on which control serves HTTP.'),
  httpPort: setting(
    'GRAPHRUN_HTTP_PORT',
    integer(0, 65_535),
    '7070',
    'Port on which control serves HTTP; 0 takes a free one.',
  ),
  healthHost: setting(
    'GRAPHRUN_HEALTH_HOST',
    text,
    '127.0.0.1',
    'Address for health and metrics of coordinator and worker.',
  ),
  healthPort: setting(
    'GRAPHRUN_HEALTH_PORT',
    list(integer(0, 65_535)),
    '',
    'Port for /healthz, /readyz and /metrics of coordinator and worker; unset serves none.',
  ),
  apiKeys: setting(
    'GRAPHRUN_API_KEYS',
    list<ApiKey>(apiKey),
    '',
    'Keys of the HTTP API as name:token, separated by commas; required off the loopback address.',
    { secret: true },
  ),
  worker: setting(
    'GRAPHRUN_WORKER',
    text,
    '',
    'Name of the worker, stable over restarts, such as payments-0; the host name when empty.',
  ),
  workerPrincipal: setting('GRAPHRUN_PRINCIPAL', text, '', 'Whom NATS knows the worker as; its name when empty.'),
  workerActivities: setting(
    'GRAPHRUN_WORKER_ACTIVITIES',
    list(activity),
    '',
    'Activities that the worker runs; empty runs all for which it has handlers.',
  ),
  workerSlots: setting('GRAPHRUN_SLOTS', integer(1, 128), '32', 'Attempts of one activity that a worker runs at once.'),
  workerMaxRunning: setting('GRAPHRUN_MAX_RUNNING', integer(1, 128), '128', 'Attempts that a worker runs at once.'),
  workerDrainMs: setting(
    'GRAPHRUN_DRAIN_MS',
    integer(0, 3_600_000),
    '30000',
    'How long a worker that is told to stop may finish what runs, in milliseconds.',
  ),
  handlers: setting('GRAPHRUN_HANDLERS', text, '', 'Module with the handlers; empty takes the examples.'),
  catalog: setting('GRAPHRUN_CATALOG', text, '', 'Catalog file of the worker; empty takes the examples.'),
  logLevel: setting<LogLevel>(
    'GRAPHRUN_LOG_LEVEL',
    oneOf('debug', 'info', 'warn', 'error'),
    'info',
    'Least level that is logged.',
  ),
};

type ValueOf<S> = S extends Setting<infer T> ? T : never;
export type Settings = { readonly [K in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[K]> };
export type SettingName = keyof Settings;
