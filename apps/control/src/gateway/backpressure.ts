/**
 * Pushes clients back while the owner of a partition has more commands waiting than it should (spec 06: 4,096), so that
 * reports of running work still fit into the log. The owner says so with each commit; what it said a while ago no longer
 * counts, or a partition that has no load at all would be refused for ever.
 */
import { LIMITS } from '@graphrun/dsl';
import type { ChangeNotice } from '@graphrun/protocol';
import { GraphrunError } from '@graphrun/protocol';
import type { WallClock } from '@graphrun/runtime';

const FORGET_MS = 2000;

export class Backpressure {
  readonly #behind = new Map<number, { readonly backlog: number; readonly at: number }>();

  constructor(private readonly clock: WallClock) {}

  note({ partition, backlog }: ChangeNotice): void {
    if (backlog >= LIMITS.unappliedCommandsPerPartition) this.#behind.set(partition, { backlog, at: this.clock.now() });
    else this.#behind.delete(partition);
  }

  /** Throws GraphrunError `ResourceExhausted` while the partition is too far behind. */
  admit(partition: number): void {
    const behind = this.#behind.get(partition);
    if (behind === undefined) return;
    if (this.clock.now() - behind.at > FORGET_MS) {
      this.#behind.delete(partition);
      return;
    }
    throw new GraphrunError(
      'ResourceExhausted',
      `Partition ${partition} has ${behind.backlog} commands waiting, the limit is ${LIMITS.unappliedCommandsPerPartition}; send the request again in a few seconds.`,
      { details: { limit: 'unapplied_commands', value: LIMITS.unappliedCommandsPerPartition } },
    );
  }
}
