/*
 * `npm run cluster`: the topology of docker-compose.yml from local binaries, for development. Options:
 *   --nats 1|3        NATS servers (3)
 *   --port N          of control (7070 if it is free, else any free one)
 *   --dir D           keep data and logs there (a temporary directory, removed at the end)
 *   --partitions N    (16)
 * Ctrl-C ends everything.
 */
import { Problem, runTool } from './setup/problem.mjs';
import { checkRequirements } from './setup/requirements.mjs';

await runTool(async () => {
  checkRequirements();
  const { clusterOptions } = await import('./setup/cluster-options.mjs');
  const { installDependencies } = await import('./setup/install.mjs');
  const { build } = await import('./setup/build.mjs');
  const { listenError } = await import('./setup/port.mjs');
  const { usage } = await import('./setup/cluster-usage.mjs');

  const options = clusterOptions(process.argv.slice(2));
  await installDependencies();
  await build();
  const { MissingBinary, startCluster } = await import(new URL('../libs/testing/dist/index.js', import.meta.url));

  const port = options.port ?? ((await listenError('127.0.0.1', 7070)) ? undefined : 7070);
  const interrupted = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
  });
  console.log('Starting NATS, PostgreSQL and the services ...');
  let ending = false;
  try {
    const cluster = await startCluster({ ...options, ...(port === undefined ? {} : { port }) });
    console.log(usage(cluster));
    for (const service of cluster.services) {
      void service.running.exited.then(({ code, signal }) => {
        if (!ending)
          console.error(`${service.name} ended (${signal ?? `code ${code}`}); its log is ${service.logFile}`);
      });
    }
    await interrupted;
    ending = true;
    console.log('Ending everything; a second Ctrl-C does it without waiting.');
    process.once('SIGINT', () => process.exit(130)); // the guardians then end what is left
    await cluster.stop();
    return 0;
  } catch (error) {
    if (error instanceof MissingBinary) throw new Problem(error.message);
    throw error;
  }
});
