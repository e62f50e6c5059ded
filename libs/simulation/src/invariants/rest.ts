/** Invariants 8 and 10: in the end every run has ended or says why not, and no run suffers for another. */
import { agenda, explain, isTerminal } from '@graphrun/domain';
import type { Run } from '@graphrun/domain';
import type { Tables } from '../servers/tables.js';
import type { RunRecord } from './record.js';
import { violated } from './violation.js';

/** Nobody but people or other systems can bring the run on. */
export function isAtRest(run: Run): boolean {
  if (isTerminal(run.status)) return true;
  const { ready, claims, timers, progressDue } = agenda(run);
  // What nobody has taken from the inbox expires after days.
  return ready.length === 0 && claims.length === 0 && !progressDue && timers.every(({ name }) => name === 'inbox');
}

/** Invariant 8. */
export function endsOrSaysWhyNot(record: RunRecord, now: number): void {
  const { run } = record;
  if (run === null) return;
  const reasons = explain(run, { now, workersFor: () => ({ able: 1, otherContract: 0 }) });
  if (!isAtRest(run)) {
    const said = reasons.map(({ code, path, message }) => `${code} at ${path}: ${message}`).join('; ');
    violated('8 ends or explains', `run ${record.id} (${run.workflow}) does not come to rest: ${said}`);
  }
  // That a container waits for its bodies is no reason without one of theirs.
  if (reasons.every(({ code }) => code === 'children'))
    violated('8 ends or explains', `run ${record.id} (${run.workflow}) waits and cannot say why`);
}

/** Invariant 10. */
export function nobodySuffersForAnother(tables: Tables): void {
  for (const { kind, data, error, run } of tables.quarantineRows)
    if (!data.includes('poison'))
      violated('10 isolation', `a ${kind} of run ${run} was quarantined: ${error} (${data})`);
  for (const { run, reason } of tables.unrecoverableRows.values())
    violated('10 isolation', `run ${run} is unrecoverable: ${reason}`);
}
