/**
 * Runs in memory, least recently used first, bounded by an estimate of bytes. A run that is part of an uncommitted
 * batch, or that a batch in preparation needs, is pinned: evicting it would let an older state be loaded in its place.
 */
import type { Run, RunId } from '@graphrun/domain';

export class Resident {
  readonly run: Run;
  readonly partition: number;
  /** Event sequence of the newest checkpoint, 0 when none. */
  checkpointSeq: number;
  /** The wake row as last written, empty when there is none, null when that is not known. */
  wake: string | null;
  pins = 0;
  bytes: number;

  constructor(run: Run, partition: number, checkpointSeq: number, wake: string | null) {
    this.run = run;
    this.partition = partition;
    this.checkpointSeq = checkpointSeq;
    this.wake = wake;
    this.bytes = estimateBytes(run);
  }
}

const BASE_BYTES = 2048;

/** State is about as large as the values in it; the events since the beginning bound that from above for short runs. */
function estimateBytes(run: Run): number {
  return BASE_BYTES + Math.min(run.historyBytes, 512 * 1024);
}

export class Residency {
  readonly #limitBytes: number;
  readonly #runs = new Map<RunId, Resident>();
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get count(): number {
    return this.#runs.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The run, now the most recently used. */
  get(run: RunId): Resident | undefined {
    const resident = this.#runs.get(run);
    if (resident !== undefined) {
      this.#runs.delete(run);
      this.#runs.set(run, resident);
    }
    return resident;
  }

  /** Inserts a run that is not there. Returns the one that is there already, if there is. */
  insert(resident: Resident): Resident {
    const there = this.#runs.get(resident.run.id);
    if (there !== undefined) return there;
    this.#runs.set(resident.run.id, resident);
    this.#bytes += resident.bytes;
    return resident;
  }

  /** Takes the growth of a run into account. */
  touch(resident: Resident): void {
    if (this.#runs.get(resident.run.id) !== resident) return;
    const bytes = estimateBytes(resident.run);
    this.#bytes += bytes - resident.bytes;
    resident.bytes = bytes;
  }

  remove(run: RunId): void {
    const resident = this.#runs.get(run);
    if (resident === undefined) return;
    this.#runs.delete(run);
    this.#bytes -= resident.bytes;
  }

  removePartition(partition: number): void {
    for (const resident of [...this.#runs.values()]) if (resident.partition === partition) this.remove(resident.run.id);
  }

  /** Evicts unpinned runs, oldest first, until the rest fits. */
  evict(): void {
    if (this.#bytes <= this.#limitBytes) return;
    for (const resident of this.#runs.values()) {
      if (this.#bytes <= this.#limitBytes) return;
      if (resident.pins === 0) this.remove(resident.run.id);
    }
  }
}
