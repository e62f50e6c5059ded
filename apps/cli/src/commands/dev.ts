/** `graphrun dev`: the whole system in this process, with its HTTP API. */
import { Option } from 'commander';
import type { Command } from 'commander';
import type { ExampleName } from '@graphrun/examples';
import type { ChangeFeed } from '@graphrun/messaging';
import { GraphrunError } from '@graphrun/protocol';
import { ApiClient } from '../client/api-client.js';
import { action, command, portNumber } from '../command.js';
import type { CommonOptions, Invocation } from '../command.js';
import { loadHandlers } from '../embedded/handlers.js';
import { openEmbedded } from '../embedded/open-embedded.js';
import { EXIT, exitCodeOfRun } from '../exit-codes.js';
import { readText } from '../files.js';
import { followRun } from '../follow-run.js';
import { aborted } from '../interrupts.js';
import { hostLogger } from '../logging.js';
import { Progress } from '../progress/progress.js';
import { runDocument, runLines } from '../run-text.js';
import type { RunDocument } from '../run-text.js';
import type { Terminal } from '../terminal.js';
import { DEFAULT_DATA_DIR } from './data-dir.js';
import { readHistory } from './history.js';
import { startRun } from './start.js';

interface DevOptions extends CommonOptions {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly handlers?: string;
  readonly catalog?: string;
  readonly example?: string | true;
  readonly once?: boolean;
}

/** The example runs in milliseconds; this only bounds what has gone wrong. */
const EXAMPLE_WAIT_MS = 60_000;

export function devCommand(invocation: Invocation): Command {
  return command('dev', 'run everything in this process, with the HTTP API')
    .option('--host <host>', 'address to serve on', '127.0.0.1')
    .addOption(new Option('--port <port>', 'port to serve on, 0 for any free one').argParser(portNumber).default(7070))
    .option('--data-dir <directory>', 'where runs are kept', DEFAULT_DATA_DIR)
    .option('--handlers <module>', 'module that exports handlers (default: the demo handlers)')
    .option('--catalog <file>', 'JSON catalog to publish at the start')
    .option('--example [name]', 'publish an example and run it (default: order)')
    .option('--once', 'end after the example')
    .action(action<DevOptions>(invocation, (options, terminal) => dev(invocation, options, terminal)));
}

async function dev(invocation: Invocation, options: DevOptions, terminal: Terminal): Promise<number> {
  const startedAt = performance.now();
  if (options.once === true && options.example === undefined) {
    throw new GraphrunError('InvalidArgument', '--once ends after the example; say which with --example.');
  }
  const catalog = options.catalog === undefined ? null : await readText(options.catalog);
  const interrupted = invocation.interrupts.claim();
  const logger = hostLogger(invocation.streams);
  // Checked before anything is opened: a wrong address or example should cost nothing.
  const { createControl, preloadControl, tryAddress } = await import('@graphrun/control');
  await tryAddress({ apiKeys: [] }, options.host, options.port);
  const example = options.example === undefined ? null : await findExample(options.example);
  const source = await loadHandlers(options.handlers);
  const embedded = await openEmbedded({
    dataDir: options.dataDir,
    ...source,
    logger,
    meanwhile: () => void preloadControl().catch(() => undefined), // createControl meets the failure
  });
  try {
    const control = await createControl(embedded.ports);
    try {
      if (catalog !== null) await control.services.catalogs.publishText(catalog, options.catalog ?? '');
      const url = await control.listen(options.host, options.port);
      const readyMs = Math.round(performance.now() - startedAt);
      terminal.line(
        `${terminal.style('bold', 'graphrun')} is ready at ${url} after ${readyMs} ms, data in ${options.dataDir}`,
      );
      const code = example === null ? EXIT.ok : await runExample(example, url, embedded.ports.feed, terminal);
      if (options.once === true) return code;
      terminal.line(`API reference: ${url}/docs   runs: ${url}/v1/runs   stop with Ctrl-C`);
      if (options.example === undefined)
        terminal.answer({ url, data_dir: options.dataDir, ready_ms: readyMs }, () => []);
      await aborted(interrupted);
      terminal.line('stopping: work in hand is finished or handed back');
      return EXIT.ok;
    } finally {
      await control.close();
    }
  } finally {
    await embedded.close();
  }
}

async function findExample(name: string | true): Promise<ExampleName> {
  const { exampleNames } = await import('@graphrun/examples');
  const wanted = name === true || name === 'order' ? 'sequence' : name;
  const example = exampleNames.find((known) => known === wanted);
  if (example !== undefined) return example;
  throw new GraphrunError(
    'InvalidArgument',
    `There is no example ${wanted}; there are order, ${exampleNames.join(', ')}.`,
  );
}

/** Everything over HTTP, as a client would do it; only the hint that something has happened comes from inside. */
async function runExample(
  example: ExampleName,
  url: string,
  feed: Pick<ChangeFeed, 'watch'>,
  terminal: Terminal,
): Promise<number> {
  const { exampleCatalogText, exampleDefinitionText, exampleInput } = await import('@graphrun/examples');
  const api = new ApiClient({ server: url, token: null, retryForMs: 0 });
  await api.call({
    method: 'POST',
    path: '/v1/catalogs',
    text: { mediaType: 'application/json', content: exampleCatalogText() },
  });
  const definition = await api.call<{ readonly workflow: string; readonly version: number }>({
    method: 'POST',
    path: '/v1/definitions',
    text: { mediaType: 'application/yaml', content: exampleDefinitionText(example) },
  });
  const body = { workflow: definition.workflow, version: definition.version, input: exampleInput(example) };
  const commandId = api.newCommandId();
  const { run } = await startRun(api, body, commandId, 0);
  const progress = new Progress(terminal);
  const readFrom = async (seq: number) => (await readHistory(api, run, seq, Infinity)).events;
  const following = await followRun(feed, run, readFrom, (event) => progress.show(event));
  const view: RunDocument = await startRun(api, body, commandId, EXAMPLE_WAIT_MS); // the same command: it only waits
  await following.stop();
  terminal.answer(runDocument(view), () => []);
  for (const line of runLines(view, terminal)) terminal.line(line);
  terminal.line(`${url}/v1/runs/${run}   ${url}/v1/runs/${run}/history`);
  return exitCodeOfRun(view.status);
}
