/** Runs as the store has them: the row, and the state built from checkpoint and events. */
import { RUN_TERMINAL } from '@graphrun/domain';
import type { Run, RunId } from '@graphrun/domain';
import { loadRun, outcomeOf, Programs } from '@graphrun/engine';
import type { TerminalOutcome } from '@graphrun/protocol';
import { GraphrunError } from '@graphrun/protocol';
import type { QueryStore, RunRow, StoredRun } from '@graphrun/store';
import { NAMESPACE } from '../config.js';

export function hasEnded(status: RunRow['status']): boolean {
  return RUN_TERMINAL.some((terminal) => terminal === status);
}

type StoredEvents = StoredRun['tail'][number];

/** Rows that are read at once for a replay. */
const REPLAYED_ROWS = 500;

/** The part of a row up to an event. */
function cut(row: StoredEvents, upTo: number): StoredEvents {
  const count = upTo - row.seq + 1;
  if (row.count <= count) return row;
  return { seq: row.seq, count, data: JSON.stringify((JSON.parse(row.data) as readonly unknown[]).slice(0, count)) };
}

export class RunReader {
  readonly #programs: Programs;

  constructor(private readonly query: QueryStore) {
    this.#programs = new Programs((digest) => query.artifact(digest));
  }

  /** Throws `NotFound`; a run of another namespace reads exactly like one that does not exist. */
  async row(run: RunId): Promise<RunRow> {
    const row = await this.query.run(run);
    if (row?.namespace !== NAMESPACE) throw new GraphrunError('NotFound', `There is no run ${run}.`);
    return row;
  }

  /** The state of the run. Throws `NotFound`, UnrecoverableRunError when what is stored cannot be read. */
  async state(run: RunId): Promise<Run> {
    const [stored] = await this.query.loadRuns([run]);
    if (stored === undefined) throw new GraphrunError('NotFound', `There is no run ${run}.`);
    return this.#load(stored);
  }

  /**
   * The states after some events, in the order in which they are given, from the events alone, which are read once. Throws
   * as `state` does.
   */
  async replayed(run: RunId, seqs: readonly number[]): Promise<readonly Run[]> {
    const { partition, digest } = await this.row(run);
    const rows = await this.#eventsUpTo(run, Math.max(...seqs));
    return Promise.all(
      seqs.map((seq) => {
        const tail = rows.filter((row) => row.seq <= seq).map((row) => cut(row, seq));
        return this.#load({ run, partition, digest, checkpoint: null, tail });
      }),
    );
  }

  async #eventsUpTo(run: RunId, seq: number): Promise<readonly StoredEvents[]> {
    const found: StoredEvents[] = [];
    for (let from = 1; from <= seq;) {
      const rows = await this.query.events(run, from, REPLAYED_ROWS);
      const last = rows.at(-1);
      if (last === undefined) break;
      found.push(...rows);
      from = last.seq + last.count;
    }
    return found;
  }

  #load(stored: StoredRun): Promise<Run> {
    return loadRun(stored, {
      program: (digest) => this.#programs.fetch(digest),
      eventsAt: (id, seqs) => this.query.eventsAt(id, seqs),
    });
  }

  /** How the run has ended; null while it goes on or is not known (yet). */
  async outcome(run: RunId): Promise<TerminalOutcome | null> {
    const row = await this.query.run(run);
    if (row === null || !hasEnded(row.status)) return null;
    return outcomeOf(await this.state(run));
  }
}
