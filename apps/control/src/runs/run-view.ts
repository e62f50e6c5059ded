/** Runs as the API shows them (spec 05 "CLI"): one shape for start, run and inspect. */
import type { Heartbeats, LeafStatus, Run, RunId, RunView } from '@graphrun/domain';
import { describeRun, explain } from '@graphrun/domain';
import { UnrecoverableRunError } from '@graphrun/engine';
import { GraphrunError } from '@graphrun/protocol';
import type { WallClock } from '@graphrun/runtime';
import type { HeartbeatReader } from './heartbeat-reader.js';
import { reconstruct } from './reconstruction.js';
import type { Reconstruction } from './reconstruction.js';
import type { RunReader } from './run-reader.js';
import type { Started } from './start-run.js';
import type { WorkerDirectory } from './worker-directory.js';

const SUMMARY = [
  'run',
  'workflow_id',
  'workflow',
  'version',
  'status',
  'output',
  'error',
  'stopping',
  'compensation',
  'unresolved',
  'successor',
  'paused',
  'waits',
  'obligations',
  'explain',
] as const satisfies readonly (keyof RunView)[];

/** The common part of the answers of start and inspect. */
export type RunSummaryView = Pick<RunView, (typeof SUMMARY)[number]>;

export function summaryOf(view: RunView): RunSummaryView {
  const members = SUMMARY.filter((name) => view[name] !== undefined).map((name) => [name, view[name]] as const);
  return Object.fromEntries(members) as unknown as RunSummaryView; // its members, taken from the view itself
}

export class RunInspector {
  constructor(
    private readonly reader: RunReader,
    private readonly workers: WorkerDirectory,
    private readonly heartbeats: HeartbeatReader,
    private readonly clock: WallClock,
  ) {}

  /** Everything about a run. Throws `NotFound`, or `FailedPrecondition` for a run that cannot be read. */
  async inspect(run: RunId): Promise<RunView> {
    const [, state] = await Promise.all([this.reader.row(run), this.#state(run)]);
    // Workers and owners are asked only where the answer depends on them.
    const has = (kind: LeafStatus['kind']): boolean =>
      [...state.leaves.values()].some(({ status }) => status.kind === kind);
    const [workersFor, heartbeats] = await Promise.all([
      has('ready') ? this.workers.workersFor() : null,
      has('claimed') ? this.heartbeats.of(run) : (new Map() satisfies Heartbeats),
    ]);
    const facts = { now: this.clock.now(), workersFor: workersFor ?? (() => null), heartbeats };
    return describeRun(state, explain(state, facts), heartbeats);
  }

  /** The answer to a start: from what is known already where that suffices, from the store otherwise. */
  async started(started: Started, waited: boolean): Promise<RunSummaryView> {
    const { run, workflowId, workflow, version, outcome } = started;
    // How a run ended says nothing of effects that were, or were not, undone; only a success leaves none to speak of.
    const known = outcome === null ? !waited && started.fresh : outcome.status === 'succeeded';
    if (!known) return summaryOf(await this.inspect(run));
    return {
      run,
      workflow_id: workflowId,
      workflow,
      version,
      ...(outcome?.status === 'succeeded' ? { status: 'succeeded', output: outcome.output } : { status: 'active' }),
      waits: [],
      obligations: [],
      explain: [],
    };
  }

  /** The run after event `seq`, null for the last. Throws as `inspect` does, and `InvalidArgument` for no such event. */
  reconstruct(run: RunId, seq: number | null): Promise<Reconstruction> {
    return this.#readable(run, reconstruct(this.reader, run, seq));
  }

  #state(run: RunId): Promise<Run> {
    return this.#readable(run, this.reader.state(run));
  }

  async #readable<T>(run: RunId, read: Promise<T>): Promise<T> {
    try {
      return await read;
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
