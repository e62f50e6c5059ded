/*
 * `npm start`: everything from a fresh clone to a running engine with one finished example run. Plain Node, because it
 * runs before anything is installed. `npm start -- --once` ends after the example; other options go to `graphrun dev`.
 */
import { runTool } from './setup/problem.mjs';
import { checkRequirements } from './setup/requirements.mjs';

await runTool(async () => {
  checkRequirements();
  // Loaded only now: these need not parse on a Node that is too old.
  const { developmentCommand } = await import('./setup/development-command.mjs');
  const { checkPort } = await import('./setup/port.mjs');
  const { installDependencies } = await import('./setup/install.mjs');
  const { build } = await import('./setup/build.mjs');
  const { run } = await import('./setup/project.mjs');

  const { host, port, args } = developmentCommand(process.argv.slice(2));
  await checkPort(host, port);
  await installDependencies();
  await build();
  // Ctrl-C reaches the engine as well: it drains and ends, and we end with it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  return run(process.execPath, args);
});
