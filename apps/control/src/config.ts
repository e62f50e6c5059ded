/** Settings of control, from the environment; all mistakes are reported at once. */
import { GraphrunError } from '@graphrun/protocol';

export interface ApiKey {
  /** The principal of requests with this key. */
  readonly name: string;
  readonly token: string;
}

export interface ControlConfig {
  /** Partitions of the cluster; must be what the store records. */
  readonly partitions: number;
  /** Empty: loopback only, everybody is `local`. */
  readonly apiKeys: readonly ApiKey[];
  /** `embedded` when engine, worker host and control are one process. */
  readonly mode: 'cluster' | 'embedded';
}

/** The one namespace there is so far. */
export const NAMESPACE = 'default';

export interface ServiceConfig extends ControlConfig {
  readonly host: string;
  readonly port: number;
  readonly cluster: string;
  readonly natsUrls: readonly string[];
  /** Replicas of streams that this process finds missing. */
  readonly replicas: number;
  /** Whom the NATS server knows this process as. */
  readonly principal: string;
  readonly databaseUrl: string;
  readonly logLevel: string;
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'];

/** Reads `name:token,name:token`; problems are added to `errors`. */
export function parseApiKeys(list: string, errors: string[]): readonly ApiKey[] {
  const keys: ApiKey[] = [];
  for (const entry of list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')) {
    const colon = entry.indexOf(':');
    const name = entry.slice(0, colon);
    const token = entry.slice(colon + 1);
    // The token itself is never shown.
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name) || colon < 0) {
      errors.push('GRAPHRUN_API_KEYS must be name:token,name:token with names of A-Z a-z 0-9 _ . -');
    } else if (token.length < 16) {
      errors.push(`GRAPHRUN_API_KEYS: the token of ${name} must have at least 16 characters`);
    } else keys.push({ name, token });
  }
  return keys;
}

function integer(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  min: number,
  max: number,
  errors: string[],
): number {
  const given = text(env, name, String(fallback));
  const value = /^\d+$/.test(given) ? Number(given) : NaN;
  if (value >= min && value <= max) return value;
  errors.push(`${name} must be an integer from ${min} to ${max}, not ${JSON.stringify(given)}`);
  return fallback;
}

function requiredText(env: NodeJS.ProcessEnv, name: string, example: string, errors: string[]): string {
  const value = text(env, name, '');
  if (value === '') errors.push(`${name} is not set; set it to something like ${example}`);
  return value;
}

/** An empty variable is an unset one: compose files and charts write empty defaults. */
function text(env: NodeJS.ProcessEnv, name: string, fallback: string): string {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? fallback : value;
}

/** Throws `InvalidArgument` that names every setting that is wrong, and what it should be. */
export function serviceConfig(env: NodeJS.ProcessEnv): ServiceConfig {
  const errors: string[] = [];
  const config: ServiceConfig = {
    mode: 'cluster',
    host: text(env, 'GRAPHRUN_HTTP_HOST', '127.0.0.1'),
    port: integer(env, 'GRAPHRUN_HTTP_PORT', 7070, 0, 65_535, errors),
    partitions: integer(env, 'GRAPHRUN_PARTITIONS', 16, 1, 1024, errors),
    cluster: text(env, 'GRAPHRUN_CLUSTER', 'graphrun'),
    natsUrls: requiredText(env, 'GRAPHRUN_NATS_URLS', 'nats://127.0.0.1:4222', errors)
      .split(',')
      .map((url) => url.trim())
      .filter((url) => url !== ''),
    replicas: integer(env, 'GRAPHRUN_NATS_REPLICAS', 1, 1, 5, errors),
    principal: text(env, 'GRAPHRUN_PRINCIPAL', 'control'),
    databaseUrl: requiredText(env, 'GRAPHRUN_DATABASE_URL', 'postgres://graphrun@127.0.0.1:5432/graphrun', errors),
    apiKeys: parseApiKeys(text(env, 'GRAPHRUN_API_KEYS', ''), errors),
    logLevel: text(env, 'GRAPHRUN_LOG_LEVEL', 'info'),
  };
  if (!LOG_LEVELS.includes(config.logLevel)) errors.push(`GRAPHRUN_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
  if (errors.length > 0) {
    throw new GraphrunError('InvalidArgument', `The settings are not valid: ${errors.join('; ')}.`, {
      details: { errors },
    });
  }
  return config;
}
