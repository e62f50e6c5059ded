/** Lists of runs: filters, cursor pages, counts by status. */
import type { QueryStore, RunFilter, RunRow, RunRowStatus } from '@graphrun/store';
import { NAMESPACE } from '../config.js';

export const RUN_STATUSES = [
  'active',
  'stopping',
  'blocked',
  'succeeded',
  'failed',
  'cancelled',
  'continued',
  'terminated',
] as const satisfies readonly RunRowStatus[];

export interface ListRequest {
  readonly workflow: string | null;
  readonly version: number | null;
  readonly status: readonly RunRowStatus[] | null;
  readonly startKey: string | null;
  readonly createdAfter: number | null;
  readonly createdBefore: number | null;
  readonly limit: number;
  readonly cursor: string | null;
  /** Count all runs that match, by status; costs a scan of them. */
  readonly counts: boolean;
}

export async function listRuns(query: QueryStore, request: ListRequest) {
  const filter: RunFilter = {
    namespace: NAMESPACE,
    ...(request.workflow !== null && { workflow: request.workflow }),
    ...(request.version !== null && { version: request.version }),
    ...(request.status !== null && { status: request.status }),
    ...(request.startKey !== null && { startKey: request.startKey }),
    ...(request.createdAfter !== null && { createdAfter: request.createdAfter }),
    ...(request.createdBefore !== null && { createdBefore: request.createdBefore }),
  };
  const [page, counts] = await Promise.all([
    query.listRuns(filter, request.limit, request.cursor),
    request.counts ? query.countRuns(filter) : null,
  ]);
  return { runs: page.items.map(summary), cursor: page.cursor, ...(counts !== null && { counts }) };
}

function summary(row: RunRow) {
  return {
    run: row.run,
    workflow_id: row.workflowId,
    workflow: row.workflow,
    version: row.version,
    status: row.status,
    start_key: row.startKey,
    created_at: row.createdAt,
    ended_at: row.endedAt,
  };
}
