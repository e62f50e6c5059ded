/** Settings of the worker service, from the environment. All mistakes are reported at once, before anything starts. */
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isName, LIMITS, parseVersionedName, POLICIES } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

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
  /** Attempts of one activity at once, or null for the SDK's default. */
  readonly slots: number | null;
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
export function workerConfigFromEnv(env: Readonly<Record<string, string | undefined>>): WorkerConfig {
  const reader = new EnvReader(env);
  const worker = reader.text('GRAPHRUN_WORKER', hostname());
  const config: WorkerConfig = {
    cluster: reader.text('GRAPHRUN_CLUSTER', 'graphrun'),
    natsUrls: reader.list('GRAPHRUN_NATS_URLS', 'nats://127.0.0.1:4222'),
    partitions: reader.integer('GRAPHRUN_PARTITIONS', 16, 1, 1_024),
    replicas: reader.integer('GRAPHRUN_NATS_REPLICAS', 1, 1, 5),
    worker,
    principal: reader.text('GRAPHRUN_PRINCIPAL', worker),
    activities: reader.activities('GRAPHRUN_WORKER_ACTIVITIES'),
    handlers: moduleSpecifier(reader.text('GRAPHRUN_HANDLERS', DEFAULT_HANDLERS)),
    catalogPath: reader.optional('GRAPHRUN_CATALOG'),
    slots: reader.optionalInteger('GRAPHRUN_SLOTS', 1, LIMITS.activeLeavesPerWorker),
    maxRunning: reader.integer('GRAPHRUN_MAX_RUNNING', LIMITS.activeLeavesPerWorker, 1, LIMITS.activeLeavesPerWorker),
    drainMs: reader.integer('GRAPHRUN_DRAIN_MS', POLICIES.drainMs, 0, 3_600_000),
    healthPort: reader.optionalInteger('GRAPHRUN_HEALTH_PORT', 0, 65_535),
    healthHost: reader.text('GRAPHRUN_HEALTH_HOST', '127.0.0.1'),
    logLevel: reader.oneOf('GRAPHRUN_LOG_LEVEL', LOG_LEVELS, 'info'),
  };
  reader.finish();
  return config;
}

/** Paths become URLs, so that `import` takes them from any directory; names of packages and URLs stay. */
function moduleSpecifier(text: string): string {
  const path = resolve(text);
  const isPath = /^[./]/.test(text) || statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isPath ? pathToFileURL(path).href : text;
}

class EnvReader {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #errors: string[] = [];

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** An empty variable is an unset one: compose files and charts write empty defaults. */
  optional(name: string): string | null {
    const text = this.#env[name]?.trim();
    return text === undefined || text === '' ? null : text;
  }

  text(name: string, fallback: string): string {
    const text = this.optional(name) ?? fallback;
    if (text.length > 256) this.#errors.push(`${name} has ${text.length} characters; at most 256 are allowed`);
    return text;
  }

  list(name: string, example: string): readonly string[] {
    const items = splitList(this.optional(name) ?? '');
    if (items.length === 0) this.#errors.push(`${name} is not set; set it to one or more addresses such as ${example}`);
    return items;
  }

  activities(name: string): readonly string[] | null {
    const text = this.optional(name);
    if (text === null) return null;
    const items = splitList(text);
    for (const item of items) {
      if (isName(item) || parseVersionedName(item) !== null) continue;
      this.#errors.push(
        `${name} holds ${JSON.stringify(item)}; write activities as payment.charge or payment.charge/v1`,
      );
    }
    return items;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    return this.optionalInteger(name, min, max) ?? fallback;
  }

  optionalInteger(name: string, min: number, max: number): number | null {
    const text = this.optional(name);
    if (text === null) return null;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.#errors.push(`${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`);
    return null;
  }

  oneOf<const Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
    const text = this.optional(name);
    if (text === null) return fallback;
    const value = values.find((known) => known === text);
    if (value === undefined)
      this.#errors.push(`${name} must be one of ${values.join(', ')}, not ${JSON.stringify(text)}`);
    return value ?? fallback;
  }

  finish(): void {
    const errors = this.#errors;
    if (errors.length === 0) return;
    throw new GraphrunError('InvalidArgument', `the worker cannot start: ${errors.join('; ')}`, {
      details: { errors },
    });
  }
}

function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
