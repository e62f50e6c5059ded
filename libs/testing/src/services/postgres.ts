import { execFile } from 'node:child_process';
import { chownSync, chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { postgresBinDir } from './binaries.js';
import { eventually } from './eventually.js';
import { freePort } from './port.js';
import { createCluster, POSTGRES_USER } from './postgres-template.js';
import { childrenOf, isRunning, signalProcess } from './process-tree.js';
import { startProcess, type RunningProcess } from './process.js';
import { postgresAccount, type ServerAccount } from './server-account.js';
import { removeDir, tempDir } from './temp-dir.js';

export interface PostgresOptions {
  /**
   * On as in production when left out. Off makes tests that do not speak about durability faster; a power loss would
   * then lose commits, the death of a process still does not.
   */
  readonly fsync?: boolean;
  /** Server settings, e.g. `{ max_connections: '20' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Kept by `stop`, and used again if it holds a cluster; otherwise a temporary one that `stop` removes. */
  readonly dir?: string;
  readonly port?: number;
}

/** A real PostgreSQL server of our own, never the system's. */
export interface PostgresService {
  /** `postgresql://graphrun@127.0.0.1:<port>/postgres`; the role is a superuser and needs no password. */
  readonly url: string;
  readonly port: number;
  /** The postmaster's process id; another one after `restart`. */
  readonly pid: number;
  readonly dataDir: string;
  /** Ends it (fast shutdown) and removes a temporary data directory. */
  stop(): Promise<void>;
  /** SIGKILL to all its processes at once, as an out-of-memory kill of its container. `restart` brings it back. */
  kill(): Promise<void>;
  /** Fast shutdown if it runs, then a start on the same port and directory (after `kill`: with crash recovery). */
  restart(): Promise<void>;
  /** Freezes all its processes: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  /** The end of the server's log. */
  log(lines?: number): string;
}

const MAX_PORT_TRIES = 5;
const READY_TIMEOUT_MS = 30_000;
const PORT_TAKEN = /could not bind|could not create any TCP\/IP sockets|Address already in use/;
/** Said after `kill -9` while a backend of the dead postmaster is still on its way out. */
const STILL_IN_USE = /still in use|lock file .* already exists/;

/** Starts a PostgreSQL server on 127.0.0.1 and returns when it takes connections. @throws MissingBinary */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresService> {
  const binDir = postgresBinDir();
  const account = postgresAccount();
  const dir = options.dir ?? (await tempDir('postgres'));
  const dataDir = join(dir, 'data');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (account) {
    chmodSync(dir, 0o755); // the server's user must be able to reach its directory
    chownSync(dataDir, account.uid, account.gid);
    await checkAccess(dataDir, account);
  }
  if (readdirSync(dataDir).length === 0) await createCluster(binDir, dataDir, account);
  const launch: Launch = {
    binDir,
    account,
    dataDir,
    settings: { fsync: options.fsync === false ? 'off' : 'on', ...options.settings },
    ...(options.dir === undefined ? { tempDir: dir } : {}),
  };
  for (let tries = 1; ; tries += 1) {
    const port = options.port ?? (await freePort());
    try {
      return new Postgres(launch, port, await startServer(launch, port));
    } catch (error) {
      const otherPortHelps = options.port === undefined && error instanceof Error && PORT_TAKEN.test(error.message);
      if (otherPortHelps && tries < MAX_PORT_TRIES) continue;
      if (launch.tempDir !== undefined) await removeDir(launch.tempDir);
      throw error;
    }
  }
}

/** A directory of root's own, or below one, is a frequent mistake: PostgreSQL itself would only say "permission denied". */
async function checkAccess(dataDir: string, account: ServerAccount): Promise<void> {
  const reachable = await new Promise((resolve) => {
    execFile('test', ['-w', dataDir], { ...account, cwd: '/' }, (error) => resolve(error === null));
  });
  if (reachable === true) return;
  throw new Error(
    `PostgreSQL runs as user ${account.uid}, which cannot reach ${dataDir}: choose a directory below one that everybody may enter, such as /tmp`,
  );
}

interface Launch {
  readonly binDir: string;
  readonly account: ServerAccount | undefined;
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly tempDir?: string;
}

async function startServer(launch: Launch, port: number): Promise<RunningProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    ...launch.settings,
  };
  const server = await startProcess({
    name: 'postgres',
    command: join(launch.binDir, 'postgres'),
    args: ['-D', launch.dataDir, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    cwd: launch.dataDir,
    ...launch.account,
    ...(launch.tempDir === undefined ? {} : { guardedDir: launch.tempDir }),
  });
  try {
    await eventually(
      'PostgreSQL takes connections',
      async () => {
        if (server.exit) throw new Error(`it ended: ${server.tail()}`);
        return takesConnections(launch.binDir, port);
      },
      READY_TIMEOUT_MS,
    );
    // Somebody else's server could be the one that answered on this port: ours must have said that it is ready.
    await server.waitForLine('ready', (line) => line.includes('ready to accept connections'), READY_TIMEOUT_MS);
    return server;
  } catch (error) {
    await server.kill();
    throw error;
  }
}

function takesConnections(binDir: string, port: number): Promise<boolean> {
  const args = ['-q', '-h', '127.0.0.1', '-p', String(port), '-U', POSTGRES_USER, '-t', '2'];
  return new Promise((resolve) => execFile(join(binDir, 'pg_isready'), args, (error) => resolve(error === null)));
}

class Postgres implements PostgresService {
  readonly url: string;
  readonly dataDir: string;

  constructor(
    private readonly launch: Launch,
    readonly port: number,
    private server: RunningProcess,
  ) {
    this.url = `postgresql://${POSTGRES_USER}@127.0.0.1:${port}/postgres`;
    this.dataDir = launch.dataDir;
  }

  get pid(): number {
    return this.server.pid;
  }

  async stop(): Promise<void> {
    await this.shutDown();
    if (this.launch.tempDir !== undefined) await removeDir(this.launch.tempDir);
  }

  async kill(): Promise<void> {
    const all = this.processes();
    for (const pid of all) signalProcess(pid, 'SIGKILL');
    await this.server.exited;
    await eventually('every PostgreSQL process is gone', () => !all.some(isRunning));
  }

  async restart(): Promise<void> {
    await this.shutDown();
    this.server = await eventually(
      'PostgreSQL is back on its port',
      async () => {
        try {
          return await startServer(this.launch, this.port);
        } catch (error) {
          if (error instanceof Error && STILL_IN_USE.test(error.message)) return undefined;
          throw error;
        }
      },
      READY_TIMEOUT_MS,
    );
  }

  pause(): void {
    // The postmaster first: otherwise it could start a backend that we do not freeze.
    for (const pid of this.processes()) signalProcess(pid, 'SIGSTOP');
  }

  resume(): void {
    for (const pid of this.processes()) signalProcess(pid, 'SIGCONT');
  }

  log(lines = 40): string {
    return this.server.tail(lines);
  }

  private async shutDown(): Promise<void> {
    if (this.server.exit) return;
    this.resume(); // a frozen process takes no notice of a shutdown
    await this.server.stop({ signal: 'SIGINT' });
  }

  /** The postmaster and its children; each backend has a session of its own, so a process group would miss them. */
  private processes(): readonly number[] {
    if (this.server.exit) return [];
    return [this.server.pid, ...childrenOf(this.server.pid)];
  }
}
