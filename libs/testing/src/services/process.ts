import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { guard, type Guardian } from './guardian.js';
import { signalProcess } from './process-tree.js';

/** How a process ended: exactly one of the two is set. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartProcessOptions {
  /** The program; Node itself when left out. */
  readonly command?: string;
  readonly args: readonly string[];
  /** Added to a bare environment (PATH, HOME, TMPDIR): what the developer happens to have set must not decide a test. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Shown in errors; the last part of the first argument when left out. */
  readonly name?: string;
  /** Recognizes the line, of stdout or stderr, that says the process is ready. Without it, it is ready once spawned. */
  readonly ready?: (line: string) => boolean;
  readonly readyTimeoutMs?: number;
  /** Runs as another user; only root may. */
  readonly uid?: number;
  readonly gid?: number;
  /** Both outputs are appended to this file too. */
  readonly logFile?: string;
  /** Removed by the guardian if the test process dies. */
  readonly guardedDir?: string;
}

export interface StopOptions {
  readonly signal?: NodeJS.Signals;
  readonly timeoutMs?: number;
}

/** A process of the product, or a server, run by a test. */
export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  /** The lines of stdout so far; of a talkative process the newest ten thousand. */
  readonly stdout: readonly string[];
  /** The same for stderr. */
  readonly stderr: readonly string[];
  /** Settles when the process has ended and its output is complete. */
  readonly exited: Promise<ProcessExit>;
  /** Undefined while it runs. */
  readonly exit: ProcessExit | undefined;
  /** The end of both outputs in order of arrival, for messages. */
  tail(lines?: number): string;
  /** The first line (also an earlier one) for which `matches` holds. */
  waitForLine(what: string, matches: (line: string) => boolean, timeoutMs?: number): Promise<string>;
  /** SIGKILL: no clean-up of its own happens. */
  kill(): Promise<ProcessExit>;
  /** SIGTERM (or another signal), then SIGKILL when it has not ended in time; the exit says which it was. */
  stop(options?: StopOptions): Promise<ProcessExit>;
  /** SIGSTOP: the process is frozen, its connections stay open. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
}

const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 15_000;
/** Lines kept in memory of each output: servers of a development cluster run for days. */
const KEPT_LINES = 10_000;

/**
 * Starts a process, collects its output, and returns when it is ready. It is ended by whoever started it, by its id,
 * and by a guardian if that one dies first.
 *
 * @throws Error with the end of its output when it ends, or stays silent for `readyTimeoutMs`, before it is ready
 */
export async function startProcess(options: StartProcessOptions): Promise<RunningProcess> {
  const child = spawn(options.command ?? process.execPath, options.args, {
    cwd: options.cwd,
    env: { ...bareEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  });
  const name = options.name ?? options.args[0]?.split('/').at(-1) ?? options.command ?? 'node';
  if (child.pid === undefined) {
    const [error] = (await once(child, 'error')) as [Error];
    throw new Error(`${name} did not start: ${error.message}`, { cause: error });
  }
  const running = new Running(name, child, child.pid, guard(child.pid, options.guardedDir), options.logFile);
  if (options.ready) {
    try {
      await running.waitForLine('ready', options.ready, options.readyTimeoutMs ?? READY_TIMEOUT_MS);
    } catch (error) {
      await running.kill();
      throw error;
    }
  }
  return running;
}

/** A `ready` for processes that log JSON lines: `msg` is `message`. */
export function logsMessage(message: string): (line: string) => boolean {
  return (line) => {
    if (!line.startsWith('{')) return false;
    try {
      return (JSON.parse(line) as { msg?: unknown }).msg === message;
    } catch {
      return false; // a line that only looks like JSON
    }
  };
}

function bareEnvironment(): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const key of ['PATH', 'HOME', 'TMPDIR', 'LANG']) {
    const value = process.env[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}

class Running implements RunningProcess {
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];
  readonly exited: Promise<ProcessExit>;
  exit: ProcessExit | undefined;
  /** Both outputs in order of arrival. */
  private readonly lines: string[] = [];
  private readonly lineListeners = new Set<(line: string) => void>();

  constructor(
    readonly name: string,
    private readonly child: ChildProcess,
    readonly pid: number,
    guardian: Guardian,
    logFile: string | undefined,
  ) {
    const log = logFile === undefined ? undefined : this.appendTo(logFile);
    this.collect(child.stdout, this.stdout);
    this.collect(child.stderr, this.stderr);
    // A signal that cannot be sent is reported as an 'error' event, which would end the test process.
    child.on('error', (error) => this.take(`[${name}: ${error.message}]`, this.stderr));
    this.exited = new Promise((resolve) => {
      child.once('exit', () => guardian.release());
      child.once('close', (code, signal) => {
        log?.end();
        this.exit = { code, signal };
        resolve(this.exit);
      });
    });
  }

  tail(lines = 20): string {
    return this.lines.slice(-lines).join('\n');
  }

  async waitForLine(what: string, matches: (line: string) => boolean, timeoutMs = READY_TIMEOUT_MS): Promise<string> {
    const earlier = this.lines.find(matches);
    if (earlier !== undefined) return earlier;
    return new Promise<string>((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.lineListeners.delete(onLine);
      };
      const onLine = (line: string): void => {
        if (!matches(line)) return;
        settle();
        resolve(line);
      };
      const timer = setTimeout(() => {
        settle();
        reject(
          new Error(`${this.name} printed no line for "${what}" within ${timeoutMs} ms; it printed:\n${this.tail()}`),
        );
      }, timeoutMs);
      this.lineListeners.add(onLine);
      void this.exited.then(({ code, signal }) => {
        settle();
        const how = signal ?? `code ${code}`;
        reject(new Error(`${this.name} ended (${how}) before "${what}"; it printed:\n${this.tail()}`));
      });
    });
  }

  async kill(): Promise<ProcessExit> {
    this.send('SIGKILL');
    return this.exited;
  }

  async stop({ signal = 'SIGTERM', timeoutMs = STOP_TIMEOUT_MS }: StopOptions = {}): Promise<ProcessExit> {
    this.send(signal);
    const timer = setTimeout(() => this.send('SIGKILL'), timeoutMs);
    try {
      return await this.exited;
    } finally {
      clearTimeout(timer);
    }
  }

  pause(): void {
    this.send('SIGSTOP');
  }

  resume(): void {
    this.send('SIGCONT');
  }

  private send(signal: NodeJS.Signals): void {
    // Once the exit is known the id may belong to somebody else.
    if (this.child.exitCode === null && this.child.signalCode === null) signalProcess(this.pid, signal);
  }

  private appendTo(logFile: string): WriteStream {
    const log = createWriteStream(logFile, { flags: 'a' });
    const append = (line: string): void => {
      log.write(`${line}\n`);
    };
    this.lineListeners.add(append);
    log.on('error', (error) => {
      this.lineListeners.delete(append);
      this.take(`[${this.name}: cannot write ${logFile}: ${error.message}]`, this.stderr);
    });
    return log;
  }

  private collect(stream: NodeJS.ReadableStream | null, into: string[]): void {
    if (stream) createInterface({ input: stream }).on('line', (line) => this.take(line, into));
  }

  private take(line: string, into: string[]): void {
    for (const lines of [into, this.lines]) {
      lines.push(line);
      if (lines.length >= 2 * KEPT_LINES) lines.splice(0, lines.length - KEPT_LINES);
    }
    for (const listener of this.lineListeners) listener(line);
  }
}
