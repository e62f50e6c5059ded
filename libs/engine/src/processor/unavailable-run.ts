/** Why a run that a command names cannot take it: it does not exist, or what is stored of it cannot be read. */
import type { RunId } from '@graphrun/domain';
import type { Refusal, Turn } from './turn.js';

export function unavailableRun(turn: Turn, run: RunId): Refusal {
  const broken = turn.prepared.unrecoverable.get(run);
  if (broken === undefined) return { code: 'NotFound', message: `no run ${run}` };
  const { partition, batch, now } = turn;
  if (!batch.unrecoverable.some((row) => row.run === run)) {
    batch.unrecoverable.push({ run, partition: partition.id, reason: broken.message, since: now, attempts: 1 });
  }
  return {
    code: 'FailedPrecondition',
    message: `run ${run} is unrecoverable: ${broken.message}; see the list of unrecoverable runs`,
  };
}
