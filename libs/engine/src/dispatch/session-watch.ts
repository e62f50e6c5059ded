/**
 * Notices lost workers in seconds (spec 04 "Claims, leases, lost workers"): while a session holds something of ours it
 * is asked about once a second. It counts as gone when the transport said twice in a row that nobody listens, while
 * our own connection has been stable and some other session answers; fencing makes a wrong guess harmless.
 */
import type { SessionId } from '@graphrun/domain';
import type { WorkQueue } from '@graphrun/messaging';
import type { Cancel, Clock, Logger } from '@graphrun/runtime';

export interface SessionWatchOptions {
  readonly queue: WorkQueue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pingMs: number;
  /** For how long our own connection must have been there. */
  readonly stableMs: number;
  /** UTC ms since when the connection is there, null while it is not. */
  readonly connectedSince: () => number | null;
  /** Sessions that hold claims or were handed leaves. */
  readonly holders: () => Iterable<SessionId>;
  readonly gone: (session: SessionId) => void;
}

const TIMES = 2;

export class SessionWatch {
  readonly #options: SessionWatchOptions;
  readonly #missed = new Map<SessionId, number>();
  #timer: Cancel | null = null;
  #closed = false;

  constructor(options: SessionWatchOptions) {
    this.#options = options;
  }

  /** Begins to ask, if it is not asking already. It stops by itself when no session holds anything. */
  watch(): void {
    if (this.#timer !== null || this.#closed) return;
    const { clock, pingMs, logger } = this.#options;
    this.#timer = clock.after(pingMs, () => {
      this.#ask()
        .catch((error: unknown) => logger.warn({ err: error }, 'cannot ask sessions whether they live'))
        .finally(() => {
          this.#timer = null;
          if ([...this.#options.holders()].length > 0) this.watch();
        });
    });
  }

  close(): void {
    this.#closed = true;
    this.#timer?.();
  }

  async #ask(): Promise<void> {
    const { queue, holders } = this.#options;
    const asked = [...new Set(holders())];
    const answers = await Promise.all(asked.map(async (session) => [session, await queue.ping(session)] as const));
    for (const session of this.#missed.keys()) if (!asked.includes(session)) this.#missed.delete(session);
    let othersAnswer = answers.some(([, liveness]) => liveness === 'alive');
    const gone: SessionId[] = [];
    for (const [session, liveness] of answers) {
      const missed = liveness === 'gone' ? (this.#missed.get(session) ?? 0) + 1 : 0;
      this.#missed.set(session, missed);
      if (missed >= TIMES) gone.push(session);
    }
    if (gone.length === 0 || !this.#stable()) return;
    if (!othersAnswer) othersAnswer = (await queue.sessions()).length > 0;
    if (!othersAnswer || !this.#stable()) return;
    for (const session of gone) {
      this.#missed.delete(session);
      this.#options.logger.warn({ session }, 'a worker session is gone; its repeatable work is given to others');
      this.#options.gone(session);
    }
  }

  #stable(): boolean {
    const since = this.#options.connectedSince();
    return since !== null && this.#options.clock.now() - since >= this.#options.stableMs;
  }
}
