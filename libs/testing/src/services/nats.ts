import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { natsServerBinary } from './binaries.js';
import { eventually } from './eventually.js';
import { freePorts } from './port.js';
import { startProcess, type RunningProcess } from './process.js';
import { removeDir, tempDir } from './temp-dir.js';

export interface NatsOptions {
  /** Servers of the cluster: 1 when left out, or 3. */
  readonly count?: 1 | 3;
  /** Kept by `stop`; a temporary one that `stop` removes when left out. */
  readonly dir?: string;
}

/** One server of the cluster, by its place. */
export interface NatsServer {
  readonly name: string;
  /** `nats://127.0.0.1:<port>` */
  readonly url: string;
  /** Its HTTP monitoring, e.g. `/jsz`. */
  readonly monitorUrl: string;
  readonly storeDir: string;
}

/** Real NATS servers with JetStream of our own; more than one form a cluster. */
export interface NatsService {
  /** Client addresses, as NATS clients take them. */
  readonly servers: readonly string[];
  /** The same, as one comma-separated text. */
  readonly urls: string;
  readonly nodes: readonly NatsServer[];
  /** Process ids by place; others after `restart`. */
  readonly pids: readonly number[];
  /** Ends all servers and removes a temporary directory. */
  stop(): Promise<void>;
  /** SIGKILL to one server. */
  kill(index?: number): Promise<void>;
  /** Starts a server again on its ports and files (ends it first if it runs) and waits until it is current. */
  restart(index?: number): Promise<void>;
  /** Freezes one server: its connections stay open and nothing answers. */
  pause(index?: number): void;
  resume(index?: number): void;
  /** The end of one server's log. */
  log(index?: number, lines?: number): string;
}

const MAX_PORT_TRIES = 5;
const READY_TIMEOUT_MS = 30_000;
const PORT_TAKEN = /address already in use/i;

/**
 * Starts NATS servers on 127.0.0.1 and returns when JetStream takes streams (in a cluster: with a replica on each).
 * @throws MissingBinary
 */
export async function startNats(options: NatsOptions = {}): Promise<NatsService> {
  const binary = natsServerBinary();
  const count = options.count ?? 1;
  for (let tries = 1; ; tries += 1) {
    const dir = options.dir ?? (await tempDir('nats'));
    const plans = planServers(dir, await freePorts(count * 3));
    const cluster = new Nats(binary, plans, options.dir === undefined ? dir : undefined);
    try {
      await cluster.start();
      return cluster;
    } catch (error) {
      await cluster.stop();
      const otherPortsHelp = error instanceof Error && PORT_TAKEN.test(error.message);
      if (!otherPortsHelp || tries >= MAX_PORT_TRIES) throw error;
    }
  }
}

interface ServerPlan extends NatsServer {
  readonly configFile: string;
}

/** Writes one configuration file for each server; three ports each: clients, monitoring, routes. */
function planServers(dir: string, ports: readonly number[]): readonly ServerPlan[] {
  const triples = ports.flatMap((client, at) => {
    const [monitor, route] = ports.slice(at + 1, at + 3);
    return at % 3 === 0 && monitor !== undefined && route !== undefined ? [{ client, monitor, route }] : [];
  });
  const routes = triples.map(({ route }) => `nats://127.0.0.1:${route}`);
  return triples.map(({ client, monitor, route }, index) => {
    const name = `nats-${index + 1}`;
    const storeDir = join(dir, name);
    const configFile = join(dir, `${name}.conf`);
    mkdirSync(storeDir, { recursive: true });
    const lines = [
      `server_name: ${name}`,
      `listen: "127.0.0.1:${client}"`,
      `http: "127.0.0.1:${monitor}"`,
      `jetstream { store_dir: ${JSON.stringify(storeDir)} }`,
    ];
    if (triples.length > 1) {
      lines.push(`cluster { name: graphrun, listen: "127.0.0.1:${route}", routes: ${JSON.stringify(routes)} }`);
    }
    writeFileSync(configFile, `${lines.join('\n')}\n`);
    const url = `nats://127.0.0.1:${client}`;
    return { name, url, monitorUrl: `http://127.0.0.1:${monitor}`, storeDir, configFile };
  });
}

class Nats implements NatsService {
  readonly servers: readonly string[];
  readonly urls: string;
  private readonly running = new Map<number, RunningProcess>();

  constructor(
    private readonly binary: string,
    readonly nodes: readonly ServerPlan[],
    private readonly tempDir: string | undefined,
  ) {
    this.servers = nodes.map(({ url }) => url);
    this.urls = this.servers.join(',');
  }

  get pids(): readonly number[] {
    return this.nodes.map((_, index) => this.at(index).pid);
  }

  async start(): Promise<void> {
    await Promise.all(this.nodes.map((_, index) => this.launch(index)));
    await Promise.all(this.nodes.map((_, index) => this.becomesHealthy(index)));
    if (this.nodes.length > 1) await this.peersAreCurrent();
  }

  async stop(): Promise<void> {
    await Promise.all(
      [...this.running.values()].map(async (server) => {
        server.resume(); // a frozen server takes no notice of a signal to end
        await server.stop();
      }),
    );
    if (this.tempDir !== undefined) await removeDir(this.tempDir);
  }

  async kill(index = 0): Promise<void> {
    await this.at(index).kill();
  }

  async restart(index = 0): Promise<void> {
    const server = this.at(index);
    if (!server.exit) {
      server.resume();
      await server.stop();
    }
    await this.launch(index);
    await this.becomesHealthy(index);
  }

  pause(index = 0): void {
    this.at(index).pause();
  }

  resume(index = 0): void {
    this.at(index).resume();
  }

  log(index = 0, lines = 40): string {
    return this.at(index).tail(lines);
  }

  private async launch(index: number): Promise<void> {
    const { name, configFile, storeDir } = this.plan(index);
    const server = await startProcess({
      name,
      command: this.binary,
      args: ['-c', configFile],
      cwd: storeDir,
      ...(this.tempDir === undefined ? {} : { guardedDir: this.tempDir }),
    });
    this.running.set(index, server);
  }

  /** `/healthz` is 200 once the server takes connections and its JetStream is current with the cluster's leader. */
  private async becomesHealthy(index: number): Promise<void> {
    const { name, monitorUrl } = this.plan(index);
    await eventually(
      `${name} is healthy`,
      async () => {
        const server = this.at(index);
        if (server.exit) throw new Error(`it ended: ${server.tail()}`);
        const response = await fetch(`${monitorUrl}/healthz`);
        if (!response.ok) throw new Error(await response.text());
        return true;
      },
      READY_TIMEOUT_MS,
    );
  }

  /** The leader places replicas only on peers it has heard of; until then it answers "no suitable peers". */
  private async peersAreCurrent(): Promise<void> {
    await eventually(
      'the JetStream leader knows its peers',
      async () => {
        const reports = await Promise.all(this.nodes.map(({ monitorUrl }) => metaGroup(monitorUrl)));
        const replicas = reports.flatMap((report) => report.replicas ?? []);
        const current = replicas.filter(({ current, offline }) => current && offline !== true);
        if (current.length >= this.nodes.length - 1) return true;
        throw new Error(JSON.stringify(reports));
      },
      READY_TIMEOUT_MS,
    );
  }

  private plan(index: number): ServerPlan {
    const plan = this.nodes[index];
    if (plan === undefined) throw new RangeError(`there is no NATS server ${index}; there are ${this.nodes.length}`);
    return plan;
  }

  private at(index: number): RunningProcess {
    const server = this.running.get(index);
    if (server === undefined) throw new RangeError(`NATS server ${index} was never started`);
    return server;
  }
}

interface MetaGroup {
  readonly leader?: string;
  readonly replicas?: readonly { readonly name: string; readonly current: boolean; readonly offline?: boolean }[];
}

async function metaGroup(monitorUrl: string): Promise<MetaGroup> {
  const response = await fetch(`${monitorUrl}/jsz`);
  const report = (await response.json()) as { meta_cluster?: MetaGroup };
  return report.meta_cluster ?? {};
}
