/** What the figures were measured on. */
import { statfsSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import type { Servers } from './topology/servers.js';

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memory_gib: number;
  readonly kernel: string;
  readonly file_system: string;
  readonly node: string;
  readonly postgres: string;
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly nats: string;
}

/** Numbers by which Linux names file systems, as `stat -f` shows them. */
const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x01021994: 'tmpfs',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x794c7630: 'overlayfs',
};

/** Where no servers are needed, nothing is said about them. */
const NO_SERVERS = { postgres: '', fsync: '', synchronous_commit: '', nats: '' };

export async function describeMachine(servers: Servers | null): Promise<Machine> {
  const { type } = statfsSync(tmpdir());
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memory_gib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    file_system: FILE_SYSTEMS[type] ?? `0x${type.toString(16)}`,
    node: process.version,
    ...(servers === null ? NO_SERVERS : await describeServers(servers)),
  };
}

async function describeServers(servers: Servers): Promise<typeof NO_SERVERS> {
  const client = new pg.Client(servers.postgres.url);
  await client.connect();
  const show = async (setting: string): Promise<string> => {
    const { rows } = await client.query<Readonly<Record<string, string>>>(`show ${setting}`);
    return Object.values(rows[0] ?? {})[0] ?? 'unknown';
  };
  const nc = await connect({ servers: [...servers.nats.servers] });
  try {
    return {
      postgres: await show('server_version'),
      fsync: await show('fsync'),
      synchronous_commit: await show('synchronous_commit'),
      nats: nc.info?.version ?? 'unknown',
    };
  } finally {
    await nc.close();
    await client.end();
  }
}
