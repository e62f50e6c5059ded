/** Settings of control. The variables and their meaning stand in the one table of `@graphrun/settings`. */
import type { ApiKey, LogLevel } from '@graphrun/settings';
import { readSettings } from '@graphrun/settings';

/** The one namespace there is so far. */
export const NAMESPACE = 'default';

export interface ControlConfig {
  /** Partitions of the cluster; must be what the store records. */
  readonly partitions: number;
  /** Empty: loopback only, everybody is `local`. */
  readonly apiKeys: readonly ApiKey[];
  /** `embedded` when engine, worker host and control are one process. */
  readonly mode: 'cluster' | 'embedded';
}

export interface ServiceConfig extends ControlConfig {
  readonly cluster: string;
  readonly natsUrls: readonly string[];
  readonly natsReplicas: number;
  readonly databaseUrl: string;
  readonly httpHost: string;
  readonly httpPort: number;
  readonly logLevel: LogLevel;
}

/** Throws GraphrunError `InvalidArgument` that names every setting that is wrong, and what it should be. */
export function serviceConfig(environment: Readonly<Record<string, string | undefined>>): ServiceConfig {
  const settings = readSettings(environment, [
    'cluster',
    'natsUrls',
    'natsReplicas',
    'databaseUrl',
    'partitions',
    'httpHost',
    'httpPort',
    'apiKeys',
    'logLevel',
  ]);
  return { ...settings, mode: 'cluster' };
}
