/** Which workers live: asked when somebody wants to know, remembered for a moment. */
import type { Role } from '@graphrun/domain';
import type { WorkQueue } from '@graphrun/messaging';
import type { SessionInfo } from '@graphrun/protocol';
import type { WallClock } from '@graphrun/runtime';

/** Asking all sessions costs a round of messages; many inspections in a row share one. */
const REMEMBERED_MS = 2000;

export type WorkersFor = (activity: string, version: number, role: Role) => number;

export class WorkerDirectory {
  #sessions: Promise<readonly SessionInfo[]> | null = null;
  #askedAt = 0;

  constructor(
    private readonly queue: WorkQueue,
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
      return (activity, version, role) => sessions.filter((session) => takes(session, activity, version, role)).length;
    } catch {
      this.#sessions = null; // not known: explain says "queued" without a count
      return null;
    }
  }
}

function takes(session: SessionInfo, activity: string, version: number, role: Role): boolean {
  return session.capabilities.some(
    (capability) => capability.activity === activity && capability.version === version && capability.role === role,
  );
}
