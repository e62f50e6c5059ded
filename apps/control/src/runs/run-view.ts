/** Runs as the API shows them (spec 05 "CLI"): one shape for start, run and inspect. */
import type { Failure, Run, RunId, RunView } from '@graphrun/domain';
import { describeRun, explain } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import { UnrecoverableRunError } from '@graphrun/engine';
import type { TerminalOutcome } from '@graphrun/protocol';
import { GraphrunError } from '@graphrun/protocol';
import type { WallClock } from '@graphrun/runtime';
import type { RunReader } from './run-reader.js';
import type { Started } from './start-run.js';
import type { WorkerDirectory } from './worker-directory.js';

/** The common part of the answers of start, run and inspect. */
export type RunSummaryView = Pick<
  RunView,
  'run' | 'workflow_id' | 'workflow' | 'version' | 'status' | 'waits' | 'obligations' | 'explain'
> & { readonly output?: Json; readonly error?: Failure };

export function summaryOf(view: RunView): RunSummaryView {
  const { run, workflow_id, workflow, version, status, output, error, waits, obligations, explain: reasons } = view;
  return {
    run,
    workflow_id,
    workflow,
    version,
    status,
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
    waits,
    obligations,
    explain: reasons,
  };
}

export class RunInspector {
  constructor(
    private readonly reader: RunReader,
    private readonly workers: WorkerDirectory,
    private readonly clock: WallClock,
  ) {}

  /** Everything about a run. Throws `NotFound`, or `FailedPrecondition` for a run that cannot be read. */
  async inspect(run: RunId): Promise<RunView> {
    const [, state] = await Promise.all([this.reader.row(run), this.#state(run)]);
    // Workers are asked only where the answer depends on them.
    const queued = [...state.leaves.values()].some((leaf) => leaf.status.kind === 'ready');
    const workersFor = queued ? await this.workers.workersFor() : null;
    const facts = { now: this.clock.now(), workersFor: workersFor ?? (() => null) };
    return describeRun(state, explain(state, facts));
  }

  /** The answer to a start: from what is known already where that suffices, from the store otherwise. */
  async started(started: Started, waited: boolean): Promise<RunSummaryView> {
    const { run, workflowId, workflow, version, outcome } = started;
    if (outcome === null && (waited || !started.fresh)) return summaryOf(await this.inspect(run));
    return {
      run,
      workflow_id: workflowId,
      workflow,
      version,
      ...(outcome === null ? { status: 'active' } : outcomeFields(outcome)),
      waits: [],
      obligations: [],
      explain: [],
    };
  }

  async #state(run: RunId): Promise<Run> {
    try {
      return await this.reader.state(run);
    } catch (error) {
      if (!(error instanceof UnrecoverableRunError)) throw error;
      throw new GraphrunError(
        'FailedPrecondition',
        `Run ${run} cannot be read: ${error.message}. See GET /v1/unrecoverable; its history can still be read.`,
        { cause: error, details: { run, reason: 'unrecoverable' } },
      );
    }
  }
}

function outcomeFields(outcome: TerminalOutcome): Pick<RunSummaryView, 'status' | 'output' | 'error'> {
  if (outcome.status === 'succeeded') return { status: 'succeeded', output: outcome.output };
  return { status: outcome.status, error: outcome.failure };
}
