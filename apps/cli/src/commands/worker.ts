/** `graphrun worker`: a worker of a cluster in this process: the worker service, with options over its environment. */
import type { Command } from 'commander';
import { action, command } from '../command.js';
import type { CommonOptions, Invocation } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { aborted } from '../interrupts.js';

interface WorkerOptions extends CommonOptions {
  readonly nats?: string;
  readonly cluster?: string;
  readonly name?: string;
  readonly handlers?: string;
  readonly catalog?: string;
  readonly activities?: string;
  readonly slots?: string;
}

export function workerCommand(invocation: Invocation): Command {
  return command('worker', 'run activities of a cluster')
    .option('--nats <urls>', 'comma-separated NATS servers (or GRAPHRUN_NATS_URLS)')
    .option('--cluster <name>', 'name of the cluster (or GRAPHRUN_CLUSTER)')
    .option('--name <worker>', 'stable name of this worker (or GRAPHRUN_WORKER)')
    .option('--handlers <module>', 'module that exports handlers (or GRAPHRUN_HANDLERS)')
    .option('--catalog <file>', 'JSON catalog with their contracts (or GRAPHRUN_CATALOG)')
    .option('--activities <list>', 'serve only these activities (or GRAPHRUN_WORKER_ACTIVITIES)')
    .option('--slots <n>', 'attempts of one activity at once (or GRAPHRUN_SLOTS)')
    .action(
      action<WorkerOptions>(invocation, async (options, terminal) => {
        const interrupted = invocation.interrupts.claim();
        const [{ runWorker, workerConfigFromEnv }, { pino }] = await Promise.all([
          import('@graphrun/worker'),
          import('pino'),
        ]);
        const config = workerConfigFromEnv(environment(options, invocation.streams.env));
        // Logs go to stderr: stdout is for the one document of --json.
        const logger = pino({ level: config.logLevel, base: { worker: config.worker } }, invocation.streams.stderr);
        const running = await runWorker(config, logger);
        terminal.answer({ worker: config.worker, cluster: config.cluster, health_port: running.healthPort }, () => [
          `worker ${config.worker} takes work of cluster ${config.cluster}; Ctrl-C drains it`,
        ]);
        await aborted(interrupted);
        await running.close();
        return EXIT.ok;
      }),
    );
}

/** Options say the same as the variables, and win. */
function environment(options: WorkerOptions, env: Readonly<Record<string, string | undefined>>) {
  const given: Readonly<Record<string, string | undefined>> = {
    GRAPHRUN_NATS_URLS: options.nats,
    GRAPHRUN_CLUSTER: options.cluster,
    GRAPHRUN_WORKER: options.name,
    GRAPHRUN_HANDLERS: options.handlers,
    GRAPHRUN_CATALOG: options.catalog,
    GRAPHRUN_WORKER_ACTIVITIES: options.activities,
    GRAPHRUN_SLOTS: options.slots,
  };
  return { ...env, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}
