/** A database whose commits can be made to go wrong in the ways that real ones do. Everything else is the real one. */
import type { RunId } from '@graphrun/domain';
import type { ApplyOutcome, Database, PartitionWrites, StoredRun } from '@graphrun/store';
import { replaced } from './replaced.js';

export type Fault = (
  writes: readonly PartitionWrites[],
  apply: () => Promise<ApplyOutcome>,
) => Promise<ApplyOutcome> | null;

export class FaultDatabase {
  /** Asked before each commit; null lets it through. */
  fault: Fault = () => null;
  /** All that was sent, in order, with what came of it. */
  readonly commits: { readonly writes: readonly PartitionWrites[]; readonly outcome: ApplyOutcome }[] = [];
  /** Runs that were asked for, in order. */
  readonly loads: RunId[] = [];

  wrap(database: Database): Database {
    const apply = async (writes: readonly PartitionWrites[]): Promise<ApplyOutcome> => {
      const real = (): Promise<ApplyOutcome> => database.engine.apply(writes);
      const outcome = await (this.fault(writes, real) ?? real());
      this.commits.push({ writes, outcome });
      return outcome;
    };
    const loadRuns = (runs: readonly RunId[]): Promise<readonly StoredRun[]> => {
      this.loads.push(...runs);
      return database.engine.loadRuns(runs);
    };
    return replaced(database, { engine: replaced(database.engine, { apply, loadRuns }) });
  }
}
