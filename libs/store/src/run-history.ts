/** Events and checkpoints of runs, as both the engine and the API read them. */
import type { RunId } from '@graphrun/domain';
import type { StoredRun } from './contract.js';
import type { Reader } from './reader.js';

export interface StoredEvents {
  readonly seq: number;
  readonly count: number;
  readonly data: string;
}

interface RunHead {
  readonly run: RunId;
  readonly partition: number;
  readonly digest: string;
  readonly checkpoint_seq: number | null;
  readonly state: string | null;
}

export class RunHistory {
  constructor(private readonly reader: Reader) {}

  /** Runs that are not stored are left out. */
  async loadRuns(runs: readonly RunId[]): Promise<readonly StoredRun[]> {
    if (runs.length === 0) return [];
    const heads = await this.reader.prepared<RunHead>('run_heads', 'SELECT * FROM graphrun.run_heads_v1($1)', [runs]);
    // Events behind the checkpoint that was read, even if a newer one has been written meanwhile.
    const events = await this.reader.prepared<StoredEvents & { readonly run: RunId }>(
      'run_tails',
      'SELECT * FROM graphrun.run_tails_v1($1, $2)',
      [heads.map((head) => head.run), heads.map((head) => head.checkpoint_seq ?? 0)],
    );
    const tails = new Map<RunId, StoredEvents[]>(heads.map((head) => [head.run, []]));
    for (const { run, seq, count, data } of events) tails.get(run)?.push({ seq, count, data });
    return heads.map(({ run, partition, digest, checkpoint_seq, state }) => ({
      run,
      partition,
      digest,
      checkpoint: checkpoint_seq === null || state === null ? null : { seq: checkpoint_seq, state },
      tail: tails.get(run) ?? [],
    }));
  }

  /** The rows that hold the given sequences, each once. */
  eventsAt(run: RunId, seqs: readonly number[]): Promise<readonly StoredEvents[]> {
    return this.reader.rows<StoredEvents>(
      `SELECT DISTINCT ON (e.seq) e.seq, e.count, e.data
         FROM unnest($2::integer[]) AS wanted (seq)
        CROSS JOIN LATERAL (
              SELECT seq, count, data FROM graphrun.event
               WHERE run = $1 AND seq <= wanted.seq ORDER BY seq DESC LIMIT 1) AS e
        WHERE wanted.seq < e.seq + e.count
        ORDER BY e.seq`,
      [run, seqs],
    );
  }

  /** From the row that holds `fromSeq` on, at most `limit` rows. */
  events(run: RunId, fromSeq: number, limit: number): Promise<readonly StoredEvents[]> {
    return this.reader.rows<StoredEvents>(
      `SELECT seq, count, data FROM graphrun.event
        WHERE run = $1
          AND seq >= coalesce((SELECT max(seq) FROM graphrun.event WHERE run = $1 AND seq <= $2), 0)
          AND seq + count > $2
        ORDER BY seq LIMIT $3`,
      [run, fromSeq, limit],
    );
  }
}
