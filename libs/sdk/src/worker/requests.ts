/**
 * Commands of this session that wait for their receipts. A command is sent again, with the same content, until its
 * receipt is here: receipts are fire and forget, and the log may lose what it has taken (spec 04 "Authority").
 */
import type { CommandLog } from '@graphrun/messaging';
import type { WorkerReceipt } from '@graphrun/protocol';
import type { Clock, Logger } from '@graphrun/runtime';

export interface Request {
  readonly partition: number;
  readonly kind: 'claim' | 'report';
  readonly ref: string;
  /** JSON text of the wire command. */
  readonly data: string;
  /** Wait before the copy number `copy` (1 for the first repeat) is sent. */
  repeatAfterMs(copy: number): number;
  /** Stop asking after that time, or null to ask until the receipt. */
  readonly giveUpAfterMs: number | null;
  /** Called once: the log has it, which is no receipt. Only asked for repeated reports, which wait for the log. */
  onLogged?(): void;
  /** A receipt that came after giving up. */
  onLateReceipt?(receipt: WorkerReceipt): void;
}

interface Pending {
  readonly request: Request;
  readonly startedAt: number;
  readonly resolve: (receipt: WorkerReceipt | null) => void;
  cancelTimer: () => void;
  copies: number;
  logged: boolean;
}

/** Requests given up whose late receipts still matter. */
const REMEMBERED_LATE = 1_024;

export class Requests {
  readonly #pending = new Map<string, Pending>();
  readonly #givenUp = new Map<string, Request>();
  readonly #log: Pick<CommandLog, 'publish'>;
  readonly #principal: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #closed = false;
  #failingSince: number | null = null;

  constructor(log: Pick<CommandLog, 'publish'>, principal: string, clock: Clock, logger: Logger) {
    this.#log = log;
    this.#principal = principal;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Monotonic ms since when nothing could be handed to the log, or null while it takes commands. */
  get failingSince(): number | null {
    return this.#failingSince;
  }

  /** Monotonic ms at which the oldest report without a receipt was first sent, or null. */
  oldestReport(): number | null {
    for (const pending of this.#pending.values()) if (pending.request.kind === 'report') return pending.startedAt;
    return null;
  }

  get waiting(): number {
    return this.#pending.size;
  }

  /** Resolves with the receipt, or with null when it was given up or the session ended. Never rejects. */
  send(request: Request): Promise<WorkerReceipt | null> {
    if (this.#closed) return Promise.resolve(null);
    return new Promise((resolve) => {
      const pending: Pending = {
        request,
        startedAt: this.#clock.monotonic(),
        resolve,
        cancelTimer: () => undefined,
        copies: 0,
        logged: false,
      };
      this.#pending.set(request.ref, pending);
      void this.#publish(pending);
    });
  }

  onReceipt(receipt: WorkerReceipt): void {
    const pending = this.#pending.get(receipt.ref);
    if (pending !== undefined) {
      this.#settle(pending, receipt);
      return;
    }
    const late = this.#givenUp.get(receipt.ref);
    if (late === undefined) return;
    this.#givenUp.delete(receipt.ref);
    late.onLateReceipt?.(receipt);
  }

  /** Stops asking. What waits resolves with null. */
  close(): void {
    this.#closed = true;
    for (const pending of [...this.#pending.values()]) this.#settle(pending, null);
  }

  async #publish(pending: Pending): Promise<void> {
    const { request } = pending;
    const isReport = request.kind === 'report';
    try {
      await this.#log.publish(
        {
          partition: request.partition,
          role: 'worker',
          principal: this.#principal,
          kind: request.kind,
          data: request.data,
        },
        // The receipt is the answer that counts. Only when it does not come the log is asked, which says why not.
        { ack: isReport && pending.copies > 0 },
      );
      this.#published();
      if (isReport && pending.copies > 0 && !pending.logged) {
        pending.logged = true;
        request.onLogged?.();
      }
    } catch (error) {
      this.#notPublished(error, request);
    }
    if (this.#pending.get(request.ref) !== pending) return;
    this.#armRepeat(pending);
  }

  #armRepeat(pending: Pending): void {
    const { request } = pending;
    pending.copies += 1;
    const waitMs = request.repeatAfterMs(pending.copies);
    const leftMs =
      request.giveUpAfterMs === null ? Infinity : request.giveUpAfterMs - (this.#clock.monotonic() - pending.startedAt);
    pending.cancelTimer = this.#clock.after(Math.max(0, Math.min(waitMs, leftMs)), () => {
      if (leftMs > waitMs) void this.#publish(pending);
      else this.#giveUp(pending);
    });
  }

  #giveUp(pending: Pending): void {
    this.#givenUp.set(pending.request.ref, pending.request);
    if (this.#givenUp.size > REMEMBERED_LATE) {
      // The oldest goes: a Map keeps the order of insertion.
      for (const ref of this.#givenUp.keys()) {
        this.#givenUp.delete(ref);
        break;
      }
    }
    this.#settle(pending, null);
  }

  #settle(pending: Pending, receipt: WorkerReceipt | null): void {
    this.#pending.delete(pending.request.ref);
    pending.cancelTimer();
    pending.resolve(receipt);
  }

  #published(): void {
    if (this.#failingSince === null) return;
    const outageMs = Math.round(this.#clock.monotonic() - this.#failingSince);
    this.#failingSince = null;
    this.#logger.info({ outageMs }, 'the command log takes commands again');
  }

  #notPublished(error: unknown, request: Request): void {
    // Said once for each outage: every waiting command would say it again at every repeat.
    if (this.#failingSince !== null) return;
    this.#failingSince = this.#clock.monotonic();
    this.#logger.warn(
      { err: error, kind: request.kind, partition: request.partition },
      'the command log took no command; claims and results are kept and sent again',
    );
  }
}
