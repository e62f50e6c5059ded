/** What the servers under the product had to do, by their own counters. */
import pg from 'pg';
import type { Servers } from './servers.js';

/** Counters that only grow. */
export interface Traffic {
  /** Messages that clients sent to NATS, acknowledgements and pulls included. */
  readonly nats_in: number;
  /** Messages that NATS delivered. */
  readonly nats_out: number;
  /** Transactions, reads included. */
  readonly pg_transactions: number;
  /** Times that PostgreSQL waited for the disk. */
  readonly wal_syncs: number;
  readonly wal_bytes: number;
}

/**
 * Sessions of PostgreSQL hand in their counts once a second at most, so a difference is only right over many seconds;
 * that of `pg_stat_wal` too.
 */
export async function readTraffic({ nats, postgres }: Servers): Promise<Traffic> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  try {
    const { rows } = await client.query<Readonly<Record<'commits' | 'syncs' | 'bytes', string>>>(
      `select (select sum(xact_commit + xact_rollback) from pg_stat_database) as commits,
              wal_sync as syncs, wal_bytes as bytes from pg_stat_wal`,
    );
    const [row] = rows;
    const servers = await Promise.all(nats.nodes.map(({ monitorUrl }) => natsMessages(monitorUrl)));
    return {
      nats_in: servers.reduce((sum, { in_msgs }) => sum + in_msgs, 0),
      nats_out: servers.reduce((sum, { out_msgs }) => sum + out_msgs, 0),
      pg_transactions: Number(row?.commits),
      wal_syncs: Number(row?.syncs),
      wal_bytes: Number(row?.bytes),
    };
  } finally {
    await client.end();
  }
}

/** The difference of two readings, for each of `units`. */
export function trafficEach(before: Traffic, after: Traffic, units: number): Readonly<Record<string, number>> {
  const names = Object.keys(before) as (keyof Traffic)[];
  return Object.fromEntries(names.map((name) => [name, (after[name] - before[name]) / units]));
}

async function natsMessages(monitorUrl: string): Promise<{ readonly in_msgs: number; readonly out_msgs: number }> {
  const response = await fetch(`${monitorUrl}/varz`);
  return (await response.json()) as { readonly in_msgs: number; readonly out_msgs: number };
}
