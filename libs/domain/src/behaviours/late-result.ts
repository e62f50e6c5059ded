/** Results that came after their attempt was decided: evidence that something ran twice or too long. */
import type { ReportCommand } from '../commands.js';
import type { Recorder } from '../recorder.js';
import type { Leaf } from '../state.js';

/** Evidence that is kept for one activation; a worker that repeats itself cannot fill the history. */
export const LATE_RESULTS_PER_ACTIVATION = 16;

/** An offer handed back is no result. */
export function observeLateResult(recorder: Recorder, leaf: Leaf, command: ReportCommand): void {
  if (command.outcome.kind === 'returned') return;
  if (leaf.late >= LATE_RESULTS_PER_ACTIVATION) return;
  recorder.record({
    kind: 'late_result_observed',
    activation: leaf.id,
    generation: command.generation,
    session: command.session,
    outcome: command.outcome.kind === 'success' ? 'success' : 'error',
  });
}
