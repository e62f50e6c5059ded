/** A worker for tests that speaks the ports and does what a script says: the real one is in `libs/sdk`. */
import type { ReportOutcome, Role, SessionId } from '@graphrun/domain';
import type { Messaging, WorkSession } from '@graphrun/messaging';
import type {
  AbortNotice,
  Capability,
  Offer,
  RenewedClaim,
  RenewReply,
  WorkerReceipt,
  WorkKey,
} from '@graphrun/protocol';
import { newSessionId } from '@graphrun/protocol';

/** What the worker does with an offer; null: nothing at all, as if it hung. */
export type Script = (offer: Offer) => ReportOutcome | null | Promise<ReportOutcome | null>;

export interface TestWorkerOptions {
  readonly messaging: Messaging;
  /** Served as steps and as compensations. */
  readonly activities: readonly string[];
  readonly reconcilers?: readonly string[];
  readonly script?: Script;
  readonly slots?: number;
  /** Free slots it says it has with each report, for eager grants. */
  readonly free?: number;
  /** Roles of which it says so; default all. */
  readonly freeRoles?: readonly Role[];
  readonly name?: string;
  /** Loses what comes along in receipts, as if the message had not arrived. */
  readonly losesEager?: boolean;
}

/** What was executed, as `activity role`. */
export function namesOf(offers: readonly Offer[]): readonly string[] {
  return offers.map(({ activity, role }) => (role === 'forward' ? activity : `${activity} ${role}`));
}

export const passOn: Script = (offer) => ({ kind: 'success', output: offer.input });

export class TestWorker {
  readonly session: SessionId;
  readonly offers: Offer[] = [];
  readonly executed: Offer[] = [];
  readonly receipts: WorkerReceipt[] = [];
  readonly aborts: AbortNotice[] = [];
  readonly #options: TestWorkerOptions;
  readonly #claims = new Map<string, (receipt: WorkerReceipt) => void>();
  #session: WorkSession | null = null;
  #inbox: { readonly address: string; close(): Promise<void> } | null = null;
  readonly #acks: (() => void)[] = [];
  #refs = 0;

  private constructor(options: TestWorkerOptions) {
    this.#options = options;
    this.session = newSessionId(options.name ?? 'w1');
  }

  static async open(options: TestWorkerOptions): Promise<TestWorker> {
    const worker = new TestWorker(options);
    const name = options.name ?? 'w1';
    const slots = options.slots ?? 16;
    worker.#inbox = await options.messaging.feed.openInbox('worker', name, (receipt) => {
      if (receipt.kind !== 'worker') return;
      worker.receipts.push(receipt);
      worker.#claims.get(receipt.ref)?.(receipt);
      worker.#claims.delete(receipt.ref);
      if (options.losesEager === true) return;
      for (const offer of receipt.eager ?? []) void worker.#take(offer, () => undefined);
    });
    const keys = worker.#keys();
    const capabilities: Capability[] = keys.map((key) => ({
      ...key,
      codecVersion: 1,
      inputSchemaDigest: '',
      outputSchemaDigest: '',
      contractDigest: '',
      slots,
    }));
    const info = {
      session: worker.session,
      worker: name,
      principal: name,
      startedAt: Date.now(),
      capabilities,
      unknownContracts: [],
      draining: false,
      running: 0,
    };
    worker.#session = await options.messaging.queue.openSession(info, {
      info: () => info,
      onOffer: (taken) => {
        const { role, activity, version } = taken.offer;
        worker.#acks.push(() => taken.ack());
        void worker.#take(taken.offer, () => {
          taken.ack();
          worker.#session?.setFree({ role, activity, version }, slots);
        });
      },
      onGrant: (offer) => void worker.#take(offer, () => undefined),
      onAbort: (notice) => worker.aborts.push(notice),
    });
    for (const key of keys) worker.#session.setFree(key, slots);
    return worker;
  }

  #keys(): readonly WorkKey[] {
    const { activities, reconcilers = [] } = this.#options;
    return [
      ...activities.flatMap((activity) => [
        { role: 'forward' as const, activity, version: 1 },
        { role: 'compensation' as const, activity, version: 1 },
      ]),
      ...reconcilers.map((activity) => ({ role: 'reconciliation' as const, activity, version: 1 })),
    ];
  }

  async close(): Promise<void> {
    await this.#session?.close();
    await this.#inbox?.close();
  }

  async renew(partition: number, claims: readonly RenewedClaim[]): Promise<RenewReply> {
    if (this.#session === null) throw new Error('the worker is closed');
    return this.#session.renew(partition, { session: this.session, claims });
  }

  /** Acknowledges everything it was offered without having done it: the queue forgets it. */
  forget(): void {
    for (const ack of this.#acks.splice(0)) ack();
  }

  /** Sends a claim or a report and resolves with its receipt. */
  async send(
    kind: 'claim' | 'report',
    offer: Pick<Offer, 'run' | 'partition' | 'activation' | 'generation'>,
    fields: object,
  ): Promise<WorkerReceipt> {
    this.#refs += 1;
    const ref = `${offer.run}:${offer.activation}:${offer.generation}:${this.#refs}`;
    const free =
      (this.#options.free ?? 0) > 0
        ? this.#keys()
            .filter(({ role }) => this.#options.freeRoles?.includes(role) ?? true)
            .map((key) => ({ ...key, slots: this.#options.free ?? 0 }))
        : [];
    const command = {
      kind,
      ref,
      replyTo: this.#inbox?.address,
      run: offer.run,
      activation: offer.activation,
      generation: offer.generation,
      session: this.session,
      free,
      ...fields,
    };
    const answer = new Promise<WorkerReceipt>((resolve) => this.#claims.set(ref, resolve));
    const principal = this.#options.name ?? 'w1';
    const { partition } = offer;
    await this.#options.messaging.log.publish(
      { partition, role: 'worker', principal, kind, data: JSON.stringify(command) },
      { ack: false },
    );
    return answer;
  }

  async #take(offer: Offer, ack: () => void): Promise<void> {
    this.offers.push(offer);
    if (offer.strict && offer.grantedUntil === null) {
      const claimed = await this.send('claim', offer, {});
      ack();
      if (claimed.verdict !== 'accepted') return;
    }
    this.executed.push(offer);
    const outcome = await (this.#options.script ?? passOn)(offer);
    if (outcome === null) return;
    await this.send('report', offer, { lax: !offer.strict, outcome });
    ack();
  }
}
