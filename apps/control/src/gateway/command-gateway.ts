/**
 * The way of client commands into the log and of their receipts back (spec 04 "Authority", "Partitions and
 * identities"). A receipt is the only answer; a timeout is "unknown", never "rejected".
 *
 * Receipts name only the command id, and ids belong to a principal: each principal has an inbox of its own. A receipt
 * may come twice (copies, takeovers), so an id that is used again gets an inbox to itself: the late answer to an older
 * request with this id is never taken for the answer to the new one.
 */
import type { ChangeFeed, CommandLog, Subscription } from '@graphrun/messaging';
import type { CommandResult, Receipt, RunRequest, StartRequest } from '@graphrun/protocol';
import { GraphrunError } from '@graphrun/protocol';
import type { WallClock } from '@graphrun/runtime';
import { Backpressure } from './backpressure.js';
import { Submission } from './submission.js';

type Unaddressed<Command> = Command extends unknown ? Omit<Command, 'notAfter' | 'replyTo'> : never;
/** A client's command before it is addressed. */
export type ClientCommand = Unaddressed<StartRequest | RunRequest>;

export interface GatewayLimits {
  /** The longest wait for a receipt, ms. */
  readonly deadlineMs: number;
  /** How long a command that was sent may still be applied, ms; at most 12 h. */
  readonly commandLifetimeMs: number;
}

export const GATEWAY_LIMITS: GatewayLimits = { deadlineMs: 5000, commandLifetimeMs: 60 * 60 * 1000 };

/** How many ids of each principal are remembered for the rule above: more than a second of the fastest traffic. */
const REMEMBERED_IDS = 8192;

interface InFlight {
  readonly command: ClientCommand;
  readonly submission: Submission;
}

interface Inbox {
  readonly address: string;
  readonly inFlight: Map<string, InFlight>;
  /** Ids that were used here lately, oldest first: a receipt for them may still arrive. */
  readonly used: Set<string>;
  close(): Promise<void>;
}

export class CommandGateway {
  readonly #inboxes = new Map<string, Inbox>();
  readonly #opening = new Map<string, Promise<Inbox>>();
  #inFlight = 0;
  #closed = false;

  constructor(
    private readonly log: CommandLog,
    private readonly feed: ChangeFeed,
    private readonly clock: WallClock,
    private readonly backpressure: Backpressure = new Backpressure(clock),
    private readonly limits: GatewayLimits = GATEWAY_LIMITS,
  ) {}

  /** Commands that wait for their receipt now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Publishes the command until its receipt comes. Throws GraphrunError `DeadlineExceeded` (outcome unknown, the
   * command id in the details), `ResourceExhausted` (log full or owner far behind, later again), `Unavailable` (this process is closing).
   */
  async submit(principal: string, partition: number, command: ClientCommand): Promise<CommandResult> {
    if (this.#closed)
      throw new GraphrunError('Unavailable', 'This server is shutting down; send the request to another one.');
    this.backpressure.admit(partition);
    const inbox = this.#inboxes.get(principal) ?? (await this.#open(principal));
    const running = inbox.inFlight.get(command.id);
    if (running !== undefined && sameContent(running.command, command)) return running.submission.result;
    if (running !== undefined || inbox.used.has(command.id)) return this.#submitApart(principal, partition, command);
    return this.#send(inbox, principal, partition, command);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const inbox of this.#inboxes.values()) {
      for (const { command, submission } of inbox.inFlight.values()) {
        submission.fail(
          new GraphrunError(
            'DeadlineExceeded',
            `The server shut down before the receipt came, so the outcome is unknown. Send the same request again with Idempotency-Key ${command.id}.`,
            { details: { command_id: command.id, outcome: 'unknown' } },
          ),
        );
      }
      await inbox.close();
    }
    this.#inboxes.clear();
  }

  async #send(inbox: Inbox, principal: string, partition: number, command: ClientCommand): Promise<CommandResult> {
    const wire = { ...command, notAfter: this.clock.now() + this.limits.commandLifetimeMs, replyTo: inbox.address };
    const outgoing = { partition, role: 'client' as const, principal, kind: command.kind, data: JSON.stringify(wire) };
    const submission = new Submission(command.id, outgoing, this.log, this.clock, this.limits.deadlineMs);
    inbox.inFlight.set(command.id, { command, submission });
    this.#inFlight += 1;
    remember(inbox.used, command.id);
    try {
      submission.begin();
      return await submission.result;
    } finally {
      inbox.inFlight.delete(command.id);
      this.#inFlight -= 1;
    }
  }

  async #submitApart(principal: string, partition: number, command: ClientCommand): Promise<CommandResult> {
    const inbox = await this.#openInbox(principal);
    try {
      return await this.#send(inbox, principal, partition, command);
    } finally {
      await inbox.close();
    }
  }

  #open(principal: string): Promise<Inbox> {
    let opening = this.#opening.get(principal);
    if (opening === undefined) {
      opening = this.#openInbox(principal)
        .then((inbox) => {
          this.#inboxes.set(principal, inbox);
          return inbox;
        })
        .finally(() => this.#opening.delete(principal));
      this.#opening.set(principal, opening);
    }
    return opening;
  }

  async #openInbox(principal: string): Promise<Inbox> {
    const inFlight = new Map<string, InFlight>();
    const subscription: Subscription & { readonly address: string } = await this.feed.openInbox(
      'client',
      principal,
      (receipt: Receipt) => {
        if (receipt.kind !== 'client') return;
        inFlight.get(receipt.id)?.submission.settle(receipt.result);
      },
    );
    return { address: subscription.address, inFlight, used: new Set(), close: () => subscription.close() };
  }
}

function remember(used: Set<string>, id: string): void {
  used.add(id);
  if (used.size <= REMEMBERED_IDS) return;
  const oldest = used.keys().next();
  if (oldest.done !== true) used.delete(oldest.value);
}

/** Asked only where an id is met twice, so that the common path never serializes a command a second time. */
function sameContent(a: ClientCommand, b: ClientCommand): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
