/** The runs that ended last, by id, oldest first. Bounded by count: two seconds at two thousand endings a second. */
import type { RunId } from '@graphrun/domain';
import type { RunChange } from '@graphrun/protocol';

const CAPACITY = 4096;

export class RecentEndings {
  readonly #endings = new Map<RunId, RunChange>();

  add(change: RunChange): void {
    this.#endings.set(change.run, change);
    if (this.#endings.size <= CAPACITY) return;
    const oldest = this.#endings.keys().next();
    if (oldest.done !== true) this.#endings.delete(oldest.value);
  }

  get(run: RunId): RunChange | undefined {
    return this.#endings.get(run);
  }
}
