/** Which workers live: asked when somebody wants to know, remembered for a moment. */
import type { ExplainFacts, WorkKind } from '@graphrun/domain';
import type { WorkQueue } from '@graphrun/messaging';
import type { Capability, SessionInfo } from '@graphrun/protocol';
import type { WallClock } from '@graphrun/runtime';

/** Asking all sessions costs a round of messages; many inspections in a row share one. */
const REMEMBERED_MS = 2000;

export type WorkersFor = ExplainFacts['workersFor'];

export class WorkerDirectory {
  #sessions: Promise<readonly SessionInfo[]> | null = null;
  #askedAt = 0;

  constructor(
    private readonly queue: Pick<WorkQueue, 'sessions'>,
    private readonly clock: WallClock,
  ) {}

  /** Counts live sessions that take new work; null when nobody could be asked. */
  async workersFor(): Promise<WorkersFor | null> {
    if (this.#sessions === null || this.clock.now() - this.#askedAt > REMEMBERED_MS) {
      this.#askedAt = this.clock.now();
      this.#sessions = this.queue.sessions();
    }
    try {
      const sessions = (await this.#sessions).filter((session) => !session.draining);
      return (work) => {
        const offered = sessions.flatMap(({ capabilities }) => capabilities.filter((one) => isFor(one, work)));
        const able = offered.filter(({ contractDigest }) => contractDigest === work.contractDigest).length;
        return { able, otherContract: offered.length - able };
      };
    } catch {
      this.#sessions = null; // not known: explain says "queued" without a count
      return null;
    }
  }
}

/** A session has one capability for each activity, version and role. */
function isFor(capability: Capability, { activity, version, role }: WorkKind): boolean {
  return capability.activity === activity && capability.version === version && capability.role === role;
}
