/**
 * Who owns a partition (spec 04 "Ownership and membership"). The epoch is the fencing token: raising it makes every
 * commit of the former owner miss its guard. The lease is judged by PostgreSQL's clock and is for liveness only.
 */
import { GraphrunError } from '@graphrun/protocol';
import type { ApplySession } from './apply/apply-session.js';
import type { PartitionRow } from './contract.js';
import { partitionRow, type RawPartition } from './partition-rows.js';
import { APPLY_APPLICATION_PREFIX } from './postgres/apply-connection.js';
import type { Reader } from './reader.js';
import { storeError } from './store-error.js';

export class Ownership {
  constructor(
    private readonly reader: Reader,
    private readonly session: ApplySession,
  ) {}

  async initPartitions(count: number): Promise<void> {
    if (!Number.isInteger(count) || count < 1) {
      throw new GraphrunError('InvalidArgument', `A cluster has at least one partition, not ${count}.`);
    }
    await this.reader.rows('UPDATE graphrun.cluster SET partition_count = $1 WHERE partition_count IS NULL', [count]);
    const [cluster] = await this.reader.rows<{ partition_count: number }>(
      'SELECT partition_count FROM graphrun.cluster',
    );
    if (cluster?.partition_count !== count) {
      throw new GraphrunError(
        'FailedPrecondition',
        `The store was made for ${cluster?.partition_count} partitions, the configuration says ${count}: ` +
          'set the recorded number. It changes only by backup and restore.',
        { details: { recorded: cluster?.partition_count, configured: count } },
      );
    }
    await this.reader.rows(
      `INSERT INTO graphrun.partition (partition) SELECT generate_series(0, $1::integer - 1)
       ON CONFLICT (partition) DO NOTHING`,
      [count],
    );
  }

  async partitions(): Promise<readonly PartitionRow[]> {
    const rows = await this.reader.rows<RawPartition>('SELECT * FROM graphrun.partition ORDER BY partition');
    return rows.map(partitionRow);
  }

  async takeOver(
    partition: number,
    owner: string,
    expectedEpoch: number,
    leaseMs: number,
  ): Promise<PartitionRow | null> {
    let backendPid: number;
    try {
      backendPid = await this.session.backendPid();
    } catch (error) {
      throw storeError(error);
    }
    await this.terminateFormerBackend(partition, expectedEpoch, backendPid);
    // The position has not moved since the last takeover, or the apply that moved it would have set the count to 0.
    return this.changed(
      `UPDATE graphrun.partition
          SET epoch = epoch + 1, owner = $3, backend_pid = $4, lease_until = graphrun.clock_ms() + $5::bigint,
              takeovers_here = takeovers_here + 1
        WHERE partition = $1 AND epoch = $2
        RETURNING *`,
      [partition, expectedEpoch, owner, backendPid, leaseMs],
    );
  }

  resetLog(partition: number, epoch: number): Promise<PartitionRow | null> {
    // The commit number moves too: a commit that was decided on the former log must miss.
    return this.changed(
      `UPDATE graphrun.partition
          SET incarnation = incarnation + 1, commit_no = commit_no + 1, position_seq = 0, position_id = '',
              position_at = 0, takeovers_here = 0, started_seq = 0, started_times = 0
        WHERE partition = $1 AND epoch = $2
        RETURNING *`,
      [partition, epoch],
    );
  }

  async renewLeases(
    owner: string,
    held: readonly { readonly partition: number; readonly epoch: number }[],
    leaseMs: number,
  ): Promise<{ readonly held: readonly number[]; readonly clockMs: number }> {
    // Rows are locked in the order of their numbers, as the guard does, so that renewal and apply never deadlock.
    const rows = await this.reader.rows<{ partition: number }>(
      `WITH mine AS MATERIALIZED (
         SELECT p.partition FROM graphrun.partition AS p
           JOIN unnest($2::integer[], $3::bigint[]) AS held (partition, epoch)
             ON held.partition = p.partition AND held.epoch = p.epoch
          WHERE p.owner = $1
          ORDER BY p.partition FOR NO KEY UPDATE OF p)
       UPDATE graphrun.partition AS p SET lease_until = graphrun.clock_ms() + $4::bigint
         FROM mine WHERE p.partition = mine.partition
       RETURNING p.partition`,
      [owner, held.map((one) => one.partition), held.map((one) => one.epoch), leaseMs],
    );
    return { held: rows.map((row) => row.partition).sort((a, b) => a - b), clockMs: await this.clock() };
  }

  async markStarted(partition: number, epoch: number, seq: number): Promise<boolean> {
    const row = await this.changed(
      `UPDATE graphrun.partition
          SET started_seq = $3::bigint,
              started_times = CASE WHEN started_seq = $3::bigint THEN started_times + 1 ELSE 1 END
        WHERE partition = $1 AND epoch = $2
        RETURNING *`,
      [partition, epoch, seq],
    );
    return row !== null;
  }

  async release(partition: number, epoch: number): Promise<void> {
    await this.reader.rows(
      `UPDATE graphrun.partition SET owner = NULL, backend_pid = NULL, lease_until = 0
        WHERE partition = $1 AND epoch = $2`,
      [partition, epoch],
    );
  }

  async clock(): Promise<number> {
    const [row] = await this.reader.rows<{ clock: string }>('SELECT graphrun.clock_ms() AS clock');
    return Number(row?.clock);
  }

  /**
   * A hung apply of the former owner may hold the partition's row; ending its backend frees the row at once. Only
   * the backend that this epoch recorded, only of our own apply connections, and never our own.
   */
  private async terminateFormerBackend(partition: number, epoch: number, ownPid: number): Promise<void> {
    await this.reader.rows(
      `SELECT pg_terminate_backend(a.pid)
         FROM graphrun.partition AS p JOIN pg_stat_activity AS a ON a.pid = p.backend_pid
        WHERE p.partition = $1 AND p.epoch = $2 AND a.pid <> $3 AND a.datname = current_database()
          AND a.usename = current_user AND a.application_name LIKE $4`,
      [partition, epoch, ownPid, `${APPLY_APPLICATION_PREFIX} %`],
    );
  }

  private async changed(sql: string, parameters: readonly unknown[]): Promise<PartitionRow | null> {
    const [row] = await this.reader.rows<RawPartition>(sql, parameters);
    return row === undefined ? null : partitionRow(row);
  }
}
