/** `graphrun run`: one shot in an embedded engine: start (or resume) a run, show it, print its outcome, exit. */
import type { Command } from 'commander';
import type { ControlServices, HistoryPage } from '@graphrun/control';
import type { EventView, RunId, RunView } from '@graphrun/domain';
import { GraphrunError, isRunId, newCommandId } from '@graphrun/protocol';
import { action, command } from '../command.js';
import type { CommonOptions, Invocation } from '../command.js';
import { loadHandlers } from '../embedded/handlers.js';
import { openEmbedded } from '../embedded/open-embedded.js';
import { exitCodeOfRun } from '../exit-codes.js';
import { readJson, readText } from '../files.js';
import { followRun } from '../follow-run.js';
import { aborted } from '../interrupts.js';
import { hostLogger } from '../logging.js';
import { Progress } from '../progress/progress.js';
import { runDocument, runLines } from '../run-text.js';
import type { Terminal } from '../terminal.js';
import { DEFAULT_DATA_DIR } from './data-dir.js';

interface RunOptions extends CommonOptions {
  readonly definition?: string;
  readonly catalog?: string;
  readonly input?: string;
  readonly dataDir: string;
  readonly handlers?: string;
  readonly startKey?: string;
  readonly resume?: string;
}

/** A run may take for ever; timers take 24 days at most. */
const LONGEST_WAIT_MS = 24 * 24 * 60 * 60 * 1000;

export function runCommand(invocation: Invocation): Command {
  return command('run', 'run a definition in this process, without a server')
    .option('--definition <file>', 'YAML definition')
    .option('--catalog <file>', 'JSON catalog with the schemas and activities that it uses')
    .option('--input <file>', 'JSON file with the input (default: null)')
    .option('--data-dir <directory>', 'where runs are kept', DEFAULT_DATA_DIR)
    .option('--handlers <module>', 'module that exports handlers (default: the demo handlers)')
    .option('--start-key <key>', 'the same key and input meet the same run')
    .option('--resume <run>', 'go on with a run that was interrupted')
    .action(
      action<RunOptions>(invocation, async (options, terminal) => {
        checkUsage(options);
        // Read before anything is opened: a wrong file should cost nothing.
        const files = options.resume === undefined ? await readFiles(options) : null;
        const interrupted = invocation.interrupts.claim();
        const source = await loadHandlers(options.handlers);
        const embedded = await openEmbedded({
          dataDir: options.dataDir,
          ...source,
          logger: hostLogger(invocation.streams),
        });
        const { ControlServices: Services } = await import('@graphrun/control');
        const services = new Services(embedded.ports);
        try {
          await services.start();
          const run =
            files === null ? (options.resume as RunId) : await start(services, files, options.startKey ?? null); // checked by checkUsage
          const view = await watch(services, embedded.ports.feed, run, terminal, interrupted);
          terminal.answer(runDocument(view), () => runLines(view, terminal));
          if (interrupted.aborted) terminal.note(resumeHint(run, options));
          return exitCodeOfRun(view.status);
        } finally {
          await services.close();
          await embedded.close();
        }
      }),
    );
}

function checkUsage(options: RunOptions): void {
  if (options.resume !== undefined) {
    if (options.definition !== undefined || options.input !== undefined || options.startKey !== undefined) {
      throw new GraphrunError(
        'InvalidArgument',
        '--resume goes on with a run that has its definition and input; leave --definition, --input and --start-key out.',
      );
    }
    if (!isRunId(options.resume))
      throw new GraphrunError('InvalidArgument', `${options.resume} is not the id of a run.`);
  } else if (options.definition === undefined) {
    throw new GraphrunError(
      'InvalidArgument',
      'Say what to run with --definition, or go on with --resume; see --help.',
    );
  }
}

async function readFiles(options: RunOptions) {
  const path = options.definition ?? '';
  return {
    path,
    yaml: await readText(path),
    catalog: options.catalog === undefined ? null : await readText(options.catalog),
    catalogPath: options.catalog ?? '',
    input: options.input === undefined ? null : await readJson(options.input),
  };
}

async function start(
  services: ControlServices,
  files: Awaited<ReturnType<typeof readFiles>>,
  startKey: string | null,
): Promise<RunId> {
  if (files.catalog !== null) await services.catalogs.publishText(files.catalog, files.catalogPath);
  const { workflow, version } = await services.definitions.publishYaml(files.yaml, files.path);
  const started = await services.starter.start({
    principal: 'local',
    commandId: newCommandId(),
    workflow,
    version,
    startKey,
    input: files.input,
    waitMs: 0,
  });
  return started.run;
}

/** Waits for the end of the run and of those that it continues as; the last one is what is told. */
async function watch(
  services: ControlServices,
  feed: Parameters<typeof followRun>[0],
  first: RunId,
  terminal: Terminal,
  interrupted: AbortSignal,
): Promise<RunView> {
  await services.reader.row(first); // a run that does not exist is told before it is waited for
  const progress = new Progress(terminal);
  const stopped = aborted(interrupted);
  let run = first;
  for (;;) {
    const readFrom = readerOf(services, run);
    const following = terminal.interactive
      ? await followRun(feed, run, readFrom, (event) => progress.show(event))
      : null;
    const outcome = await services.outcomes.wait(run, {
      timeoutMs: LONGEST_WAIT_MS,
      whenGone: (listener) => void stopped.then(listener),
    });
    await following?.stop();
    if (outcome?.status !== 'continued') return services.inspector.inspect(run);
    run = outcome.successor;
  }
}

/** Reads all events of the run from a sequence on. */
function readerOf(services: ControlServices, run: RunId): (fromSeq: number) => Promise<readonly EventView[]> {
  return async (fromSeq) => {
    const events: EventView[] = [];
    for (let seq: number | null = fromSeq; seq !== null;) {
      const page: HistoryPage = await services.history(run, seq, 1000);
      events.push(...page.events);
      seq = page.next_seq;
    }
    return events;
  };
}

function resumeHint(run: RunId, options: RunOptions): string {
  const handlers = options.handlers === undefined ? '' : ` --handlers ${options.handlers}`;
  return `The run is kept. Go on with: graphrun run --resume ${run} --data-dir ${options.dataDir}${handlers}`;
}
