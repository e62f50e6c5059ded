/**
 * The engine's side of a worker's conversation, as a test writes it: it makes offers and answers claims, reports and
 * renewals over the real ports. Commands are read with the engine's own codec, so a malformed one fails the test.
 */
import type { ActivationId } from '@graphrun/domain';
import { effectKey } from '@graphrun/domain';
import type { LogReader, Messaging, Subscription } from '@graphrun/messaging';
import { newCommandId, readCommand, runIdFor, workflowIdFor } from '@graphrun/protocol';
import type { ClaimRequest, Offer, RenewReply, RenewRequest, ReportRequest, WorkerReceipt } from '@graphrun/protocol';
import type { Clock } from '@graphrun/runtime';

export type WorkerCommand = ClaimRequest | ReportRequest;

const PARTITION = 0;
const NOTHING_APPLIED = { incarnation: 0, seq: 0, messageId: '', timestamp: 0 };

export class ScriptedOwner {
  /** Everything that arrived, copies included. */
  readonly commands: WorkerCommand[] = [];
  readonly renewals: RenewRequest[] = [];
  /** Answers renewals; null means that nobody owns the partition. */
  onRenew: (request: RenewRequest) => RenewReply | null = () => ({ epoch: 1, leaseMs: 30_000, lost: [] });
  /** Called with each command before a test asks for it. */
  onCommand: (command: WorkerCommand) => void = () => undefined;
  readonly #messaging: Messaging;
  readonly #clock: Clock;
  readonly #unread: WorkerCommand[] = [];
  readonly #readers: ((command: WorkerCommand) => void)[] = [];
  #subscriptions: readonly (Subscription | LogReader)[] = [];
  #offers = 0;

  private constructor(messaging: Messaging, clock: Clock) {
    this.#messaging = messaging;
    this.#clock = clock;
  }

  static async open(messaging: Messaging, clock: Clock): Promise<ScriptedOwner> {
    const owner = new ScriptedOwner(messaging, clock);
    const reader = await messaging.log.read(PARTITION, NOTHING_APPLIED, {
      onCommand: (logged) => {
        const { role, kind, partition, data } = logged;
        const command = readCommand(data, { role, kind, partition, partitions: 1 });
        if (command.kind !== 'claim' && command.kind !== 'report') throw new Error(`a worker sent a ${command.kind}`);
        owner.#receive(command);
        void messaging.log.trim(PARTITION, logged.seq);
      },
      onIncarnationLost: (reason) => {
        throw new Error(`the log of the test was lost: ${reason}`);
      },
    });
    const renewals = await messaging.queue.serveRenewals(PARTITION, (request) => {
      owner.renewals.push(request);
      return owner.onRenew(request);
    });
    owner.#subscriptions = [reader, renewals];
    return owner;
  }

  /** A new offer of a new run. It is not sent yet. */
  makeOffer(of: Pick<Offer, 'activity' | 'contractDigest'> & Partial<Offer>): Offer {
    this.#offers += 1;
    const workflowId = workflowIdFor({
      namespace: 'default',
      workflow: 'w',
      startKey: null,
      principal: 'test',
      commandId: newCommandId(),
    });
    const run = runIdFor(workflowId, 1, this.#clock.now());
    const activation = 'a1' as ActivationId;
    return {
      id: `${PARTITION}.1.${this.#offers}`,
      partition: PARTITION,
      epoch: 1,
      run,
      activation,
      attempt: 1,
      generation: 1,
      role: 'forward',
      version: 1,
      input: null,
      effectKey: effectKey(run, activation),
      timeoutMs: 300_000,
      strict: true,
      grantedUntil: null,
      ...of,
    };
  }

  offer(of: Pick<Offer, 'activity' | 'contractDigest'> & Partial<Offer>): Offer {
    const offer = this.makeOffer(of);
    this.#messaging.queue.offer(offer);
    return offer;
  }

  /** The next command that nobody has asked for yet. */
  next(): Promise<WorkerCommand> {
    const command = this.#unread.shift();
    if (command !== undefined) return Promise.resolve(command);
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  async nextClaim(): Promise<ClaimRequest> {
    const command = await this.next();
    if (command.kind !== 'claim') throw new Error(`expected a claim, got ${JSON.stringify(command)}`);
    return command;
  }

  async nextReport(): Promise<ReportRequest> {
    const command = await this.next();
    if (command.kind !== 'report') throw new Error(`expected a report, got ${JSON.stringify(command)}`);
    return command;
  }

  /** Commands that arrived and that no test has asked for. */
  get unread(): readonly WorkerCommand[] {
    return this.#unread;
  }

  grant(claim: ClaimRequest, deadline = this.#clock.now() + 300_000): void {
    this.receipt(claim, { verdict: 'accepted', deadline });
  }

  accept(report: ReportRequest, eager: readonly Offer[] = []): void {
    this.receipt(report, eager.length === 0 ? { verdict: 'accepted' } : { verdict: 'accepted', eager });
  }

  receipt(command: WorkerCommand, answer: Omit<WorkerReceipt, 'kind' | 'ref'>): void {
    this.#messaging.feed.receipts(command.replyTo, [{ kind: 'worker', ref: command.ref, ...answer }]);
  }

  backlog(activity: string): Promise<{ readonly pending: number; readonly unacked: number }> {
    return this.#messaging.queue.backlog({ role: 'forward', activity, version: 1 });
  }

  async close(): Promise<void> {
    await Promise.all(this.#subscriptions.map((subscription) => subscription.close()));
  }

  #receive(command: WorkerCommand): void {
    this.commands.push(command);
    this.onCommand(command);
    const reader = this.#readers.shift();
    if (reader === undefined) this.#unread.push(command);
    else reader(command);
  }
}
