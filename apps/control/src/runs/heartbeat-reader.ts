/** What attempts under way say of themselves: asked of the owner of the run, who has it in memory only. */
import type { Heartbeats, RunId } from '@graphrun/domain';
import type { WorkQueue } from '@graphrun/messaging';
import { GraphrunError, partitionOfRun } from '@graphrun/protocol';
import type { WallClock } from '@graphrun/runtime';

const NOTHING_SAID: Heartbeats = new Map();

export class HeartbeatReader {
  constructor(
    private readonly queue: Pick<WorkQueue, 'heartbeats'>,
    private readonly clock: WallClock,
    private readonly partitions: number,
  ) {}

  /** Nothing where the owner does not answer: an inspection goes on without. */
  async of(run: RunId): Promise<Heartbeats> {
    try {
      const { attempts } = await this.queue.heartbeats(partitionOfRun(run, this.partitions), { run });
      const now = this.clock.now();
      return new Map(
        attempts.map(({ activation, generation, ageMs, details }) => [
          activation,
          { generation, at: now - ageMs, details },
        ]),
      );
    } catch (error) {
      if (error instanceof GraphrunError) return NOTHING_SAID;
      throw error;
    }
  }
}
