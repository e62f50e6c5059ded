/** How a run's state appears in the rows that recovery and lists read. */
import type { Agenda, Run, RunId } from '@graphrun/domain';
import type { RunRowStatus, WakeRow } from '@graphrun/store';

export function rowStatusOf(run: Run): RunRowStatus {
  return run.status.kind;
}

/** The wake row of a run, or null when it has ended. A run that has not ended always has one. */
export function wakeOf(run: RunId, agenda: Agenda): WakeRow | null {
  if (agenda.terminal) return null;
  let kinds = '';
  if (agenda.ready.length > 0) kinds += 'r';
  if (agenda.claims.length > 0) kinds += 'c';
  if (agenda.timers.length > 0) kinds += 't';
  if (agenda.progressDue) kinds += 'p';
  if (agenda.waiting > 0) kinds += 'w';
  if (agenda.blocked) kinds += 'o';
  if (agenda.paused) kinds += 'h';
  let dueAt: number | null = null;
  for (const timer of agenda.timers) dueAt = dueAt === null ? timer.dueAt : Math.min(dueAt, timer.dueAt);
  for (const { claim } of agenda.claims) dueAt = dueAt === null ? claim.deadline : Math.min(dueAt, claim.deadline);
  if (kinds === '') throw new Error(`run ${run} has not ended and waits for nothing: a bug that would strand it`);
  return { run, dueAt, kinds };
}
