/**
 * One command on its way to its receipt. The log may lose what nobody has receipted, so the same command is published
 * again until a receipt comes or the API deadline ends (spec 04 "Authority"). What is repeated is byte for byte the
 * same; the owner applies it once and answers every copy.
 *
 * The first copy is sent without waiting for the log: almost always the receipt is the faster answer. Later copies ask
 * for the log's acknowledgement, because silence may mean that there is no log or that it is full.
 */
import type { CommandLog, OutgoingCommand } from '@graphrun/messaging';
import { GraphrunError } from '@graphrun/protocol';
import type { CommandResult } from '@graphrun/protocol';
import type { WallClock } from '@graphrun/runtime';

/** Waiting times between copies, ms: the second copy goes out one second after the first. */
const PAUSES_MS = [1000, 1500, 2000, 2500];

export class Submission {
  readonly result: Promise<CommandResult>;
  #resolve!: (result: CommandResult) => void; // set by the executor of `result`, which runs in the constructor
  #reject!: (error: GraphrunError) => void; // as above
  #settled = false;
  #copies = 0;
  #lastProblem: unknown = null;
  readonly #cancels = new Map<'repeat' | 'deadline', () => void>();

  constructor(
    private readonly id: string,
    private readonly command: OutgoingCommand,
    private readonly log: CommandLog,
    private readonly clock: WallClock,
    private readonly deadlineMs: number,
  ) {
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get settled(): boolean {
    return this.#settled;
  }

  begin(): void {
    this.#cancels.set(
      'deadline',
      this.clock.after(this.deadlineMs, () => this.#expire()),
    );
    this.#publish();
  }

  settle(result: CommandResult): void {
    if (this.#end()) this.#resolve(result);
  }

  fail(error: GraphrunError): void {
    if (this.#end()) this.#reject(error);
  }

  #end(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    for (const cancel of this.#cancels.values()) cancel();
    return true;
  }

  #publish(): void {
    const copy = this.#copies;
    this.#copies += 1;
    this.log.publish(this.command, { ack: copy > 0 }).then(
      () => {
        this.#lastProblem = null;
      },
      (error: unknown) => this.#refused(error, copy),
    );
    const pause = PAUSES_MS[Math.min(copy, PAUSES_MS.length - 1)] ?? 2500;
    this.#cancels.set(
      'repeat',
      this.clock.after(pause, () => this.#publish()),
    );
  }

  #refused(error: unknown, copy: number): void {
    this.#lastProblem = error;
    if (!(error instanceof GraphrunError) || error.code !== 'ResourceExhausted') return;
    const earlier = copy > 0 ? ' An earlier copy may still be applied.' : '';
    this.fail(
      new GraphrunError(
        'ResourceExhausted',
        `The command was pushed back: ${error.message}.${earlier} Send it again later with Idempotency-Key ${this.id}.`,
        { cause: error, details: { ...error.details, command_id: this.id, retry_after_s: 1 } },
      ),
    );
  }

  #expire(): void {
    const problem =
      this.#lastProblem instanceof Error
        ? ` The last attempt to reach the log failed: ${this.#lastProblem.message}.`
        : '';
    this.fail(
      new GraphrunError(
        'DeadlineExceeded',
        `No receipt came within ${this.deadlineMs} ms, so the outcome of this command is unknown.${problem} ` +
          `Send the same request again with Idempotency-Key ${this.id}, or ask GET /v1/commands/${this.id}.`,
        { cause: this.#lastProblem ?? undefined, details: { command_id: this.id, outcome: 'unknown' } },
      ),
    );
  }
}
