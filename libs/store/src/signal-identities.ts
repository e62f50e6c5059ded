/**
 * Identities of accepted signals: found by whoever sends one again, and forgotten when they are too old or too many
 * (spec 06). Forgetting is maintenance in small batches: a repeat that comes a little late is still recognised.
 */
import { LIMITS, POLICIES } from '@graphrun/dsl';
import type { SentSignal, StoredSignal } from './contract.js';
import type { Reader } from './reader.js';

interface RawSignal {
  readonly asked_run: StoredSignal['sentTo'];
  readonly workflow_id: string;
  readonly signal: string;
  readonly event: StoredSignal['identity']['event'];
  readonly digest: string;
  readonly run: StoredSignal['identity']['run'];
  readonly version: number;
  readonly at: string;
}

/** Rows of one statement, so that it holds no locks for long. */
const BATCH = 5_000;

export class SignalIdentities {
  constructor(private readonly reader: Reader) {}

  async find(sent: readonly SentSignal[]): Promise<readonly StoredSignal[]> {
    if (sent.length === 0) return [];
    const rows = await this.reader.prepared<RawSignal>('signals', 'SELECT * FROM graphrun.signals_v1($1, $2, $3)', [
      sent.map(({ run }) => run),
      sent.map(({ signal }) => signal),
      sent.map(({ event }) => event),
    ]);
    return rows.map(storedSignal);
  }
}

function storedSignal(raw: RawSignal): StoredSignal {
  const { signal, event, digest, run, version } = raw;
  // Without the dashes that PostgreSQL writes: the form that WorkflowIds have everywhere else.
  const workflowId = raw.workflow_id.replaceAll('-', '') as StoredSignal['identity']['workflowId'];
  return { sentTo: raw.asked_run, identity: { workflowId, signal, event, digest, run, version, at: Number(raw.at) } };
}

/** Forgets identities that are older than 7 days, and the oldest of a workflow that has more than 10,000. */
export async function forgetSignals(reader: Reader): Promise<void> {
  await inBatches(reader, FORGET_OLD, POLICIES.rememberedSignalMs);
  await inBatches(reader, FORGET_SURPLUS, LIMITS.rememberedSignalsPerWorkflow);
}

async function inBatches(reader: Reader, statement: string, bound: number): Promise<void> {
  for (;;) {
    const [row] = await reader.rows<{ forgotten: number }>(statement, [bound, BATCH]);
    if ((row?.forgotten ?? 0) < BATCH) return;
  }
}

const FORGET_OLD = `
  WITH old AS (SELECT workflow_id, signal, event FROM graphrun.signal_identity
                WHERE at < graphrun.clock_ms() - $1::bigint LIMIT $2::integer),
       gone AS (DELETE FROM graphrun.signal_identity AS i USING old
                 WHERE i.workflow_id = old.workflow_id AND i.signal = old.signal AND i.event = old.event RETURNING 1)
  SELECT count(*)::integer AS forgotten FROM gone`;

const FORGET_SURPLUS = `
  WITH crowded AS (SELECT workflow_id FROM graphrun.signal_identity GROUP BY workflow_id HAVING count(*) > $1::integer),
       surplus AS (SELECT s.* FROM crowded
                    CROSS JOIN LATERAL (SELECT i.workflow_id, i.signal, i.event FROM graphrun.signal_identity AS i
                                         WHERE i.workflow_id = crowded.workflow_id
                                         ORDER BY i.at DESC OFFSET $1::integer) AS s LIMIT $2::integer),
       gone AS (DELETE FROM graphrun.signal_identity AS i USING surplus AS s
                 WHERE i.workflow_id = s.workflow_id AND i.signal = s.signal AND i.event = s.event RETURNING 1)
  SELECT count(*)::integer AS forgotten FROM gone`;
