import type { SelectQueryBuilder } from 'typeorm';
import type { RunId } from '@graphrun/domain';
import { GraphrunError, isRunId } from '@graphrun/protocol';
import type { Page, RunFilter, RunRow, RunRowStatus } from './contract.js';
import { RunEntity } from './entities/run.entity.js';
import type { Reader } from './reader.js';
import { workflowIdOf } from './workflow-index.js';

const MAX_PAGE = 1_000;

/** Runs as lists show them, newest first. */
export class RunList {
  constructor(private readonly reader: Reader) {}

  find(run: RunId): Promise<RunRow | null> {
    // A text that is no id is the id of no run: the answer is the same as for a run that is not there.
    if (!isRunId(run)) return Promise.resolve(null);
    return this.reader.guarded(async () => {
      const found = await this.reader.dataSource.getRepository(RunEntity).findOneBy({ run });
      return found === null ? null : runRow(found);
    });
  }

  async page(filter: RunFilter, limit: number, cursor: string | null): Promise<Page<RunRow>> {
    const size = Math.max(1, Math.min(limit, MAX_PAGE));
    const query = this.filtered(filter)
      .orderBy('run.createdAt', 'DESC')
      .addOrderBy('run.run', 'DESC')
      .take(size + 1);
    if (cursor !== null) {
      const { createdAt, run } = readCursor(cursor);
      query.andWhere('(run.createdAt, run.run) < (:cursorAt, :cursorRun)', { cursorAt: createdAt, cursorRun: run });
    }
    return this.reader.guarded(async () => {
      // One more than asked for tells whether there is a next page.
      const found = await query.getMany();
      const items = found.slice(0, size).map(runRow);
      const last = items.at(-1);
      return { items, cursor: found.length > size && last !== undefined ? writeCursor(last) : null };
    });
  }

  count(filter: RunFilter): Promise<Readonly<Record<RunRowStatus, number>>> {
    const query = this.filtered(filter)
      .select('run.status', 'status')
      .addSelect('count(*)', 'count')
      .groupBy('run.status');
    return this.reader.guarded(async () => {
      const counts = {
        active: 0,
        stopping: 0,
        blocked: 0,
        succeeded: 0,
        failed: 0,
        cancelled: 0,
        continued: 0,
        terminated: 0,
      };
      for (const row of await query.getRawMany<{ status: RunRowStatus; count: string }>()) {
        counts[row.status] = Number(row.count);
      }
      return counts;
    });
  }

  private filtered(filter: RunFilter): SelectQueryBuilder<RunEntity> {
    const query = this.reader.dataSource.getRepository(RunEntity).createQueryBuilder('run');
    query.where('run.namespace = :namespace', { namespace: filter.namespace });
    const { workflow, version, status, startKey, createdAfter, createdBefore } = filter;
    if (workflow !== undefined) query.andWhere('run.workflow = :workflow', { workflow });
    if (version !== undefined) query.andWhere('run.version = :version', { version });
    if (status !== undefined) query.andWhere('run.status = ANY(:status)', { status: [...status] });
    if (startKey !== undefined) query.andWhere('run.startKey = :startKey', { startKey });
    if (createdAfter !== undefined) query.andWhere('run.createdAt > :createdAfter', { createdAfter });
    if (createdBefore !== undefined) query.andWhere('run.createdAt < :createdBefore', { createdBefore });
    return query;
  }
}

function runRow(entity: RunEntity): RunRow {
  const { run, workflowId, ordinal, partition, namespace, workflow, version, digest, startKey, status } = entity;
  return {
    run: run as RunId,
    workflowId: workflowIdOf(workflowId),
    ordinal,
    partition,
    namespace,
    workflow,
    version,
    digest,
    startKey,
    status,
    createdAt: entity.createdAt,
    endedAt: entity.endedAt,
  };
}

function writeCursor(last: RunRow): string {
  return Buffer.from(`${last.createdAt}.${last.run}`).toString('base64url');
}

function readCursor(cursor: string): { readonly createdAt: number; readonly run: RunId } {
  const [at, run] = Buffer.from(cursor, 'base64url').toString().split('.');
  const createdAt = Number(at);
  if (!Number.isSafeInteger(createdAt) || run === undefined || !isRunId(run)) {
    throw new GraphrunError(
      'InvalidArgument',
      'The cursor is not one that this list has given: pass the cursor of the page before, or none to start again.',
    );
  }
  return { createdAt, run };
}
