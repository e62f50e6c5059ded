import type { RunId, WorkflowId } from '@graphrun/domain';
import type { RunRowStatus, WakeRow, WorkflowRow } from './contract.js';
import type { Reader } from './reader.js';

/** How the owner finds runs: by WorkflowId, and by what wakes them. */
export class WorkflowIndex {
  constructor(private readonly reader: Reader) {}

  /** The newest run of each WorkflowId that has one. */
  async newest(ids: readonly WorkflowId[]): Promise<readonly WorkflowRow[]> {
    if (ids.length === 0) return [];
    interface Raw {
      readonly workflow_id: string;
      readonly run: RunId;
      readonly ordinal: number;
      readonly start_digest: string;
      readonly version: number;
      readonly status: RunRowStatus;
    }
    const rows = await this.reader.prepared<Raw>('workflows', 'SELECT * FROM graphrun.workflows_v1($1)', [ids]);
    return rows.map((row) => ({
      workflowId: workflowIdOf(row.workflow_id),
      run: row.run,
      ordinal: row.ordinal,
      startDigest: row.start_digest,
      version: row.version,
      status: row.status,
    }));
  }

  async wakes(partition: number, after: RunId | null, limit: number): Promise<readonly WakeRow[]> {
    interface Raw {
      readonly run: RunId;
      readonly due_at: string | null;
      readonly kinds: string;
    }
    const rows = await this.reader.rows<Raw>(
      `SELECT run, due_at, kinds FROM graphrun.wake
        WHERE partition = $1 AND run > $2 ORDER BY run LIMIT $3`,
      [partition, after ?? BEFORE_ALL_RUNS, limit],
    );
    return rows.map(({ run, due_at, kinds }) => ({ run, dueAt: due_at === null ? null : Number(due_at), kinds }));
  }
}

/** No run has this id, it is not a UUIDv7. */
const BEFORE_ALL_RUNS = '00000000-0000-0000-0000-000000000000';

/** A WorkflowId has no dashes, the text of a uuid column has. */
export function workflowIdOf(uuid: string): WorkflowId {
  return uuid.replaceAll('-', '') as WorkflowId;
}
