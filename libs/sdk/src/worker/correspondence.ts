/** Claims and reports of one session on the wire, and the grants that come back in their receipts. */
import type { ReportOutcome, SessionId } from '@graphrun/domain';
import { POLICIES } from '@graphrun/dsl';
import type { ClaimRequest, FreeSlots, Offer, ReportRequest, WorkerReceipt } from '@graphrun/protocol';
import type { Requests } from './requests.js';
import type { SlotPromise, Slots } from './slots.js';

const CLAIM_REPEAT_MS = 1_000;
const REPORT_REPEAT_MS = 1_000;
/** A claim of work that already runs is asked for longer, less often. */
const PATIENT_CLAIM_REPEAT_MS = 5_000;

export interface ClaimOptions {
  /** Ask until the answer comes, not only for the lease: the handler runs already. */
  readonly patient: boolean;
  readonly onLateGrant?: () => void;
}

export interface ReportOptions {
  readonly lax: boolean;
  readonly onLogged?: () => void;
}

export interface CorrespondenceServices {
  readonly session: SessionId;
  readonly inbox: string;
  readonly requests: Requests;
  readonly slots: Slots;
  random(): number;
  onGrant(offer: Offer): void;
}

export class Correspondence {
  readonly #services: CorrespondenceServices;
  #refs = 0;

  constructor(services: CorrespondenceServices) {
    this.#services = services;
  }

  /** Resolves with the answer, or with null when none came for the lease of a claim. */
  claim(offer: Offer, options: ClaimOptions): Promise<WorkerReceipt | null> {
    const ref = this.#nextRef('c');
    // A claim makes no leaf ready, so no eager grant can come back: slots are promised in reports only.
    const command: ClaimRequest = { kind: 'claim', ...this.#head(offer, ref, []) };
    const patientAfter = POLICIES.claimLeaseMs / CLAIM_REPEAT_MS;
    return this.#services.requests.send({
      partition: offer.partition,
      kind: 'claim',
      ref,
      data: JSON.stringify(command),
      repeatAfterMs: (copy) => (copy <= patientAfter ? CLAIM_REPEAT_MS : PATIENT_CLAIM_REPEAT_MS),
      giveUpAfterMs: options.patient ? null : POLICIES.claimLeaseMs,
      onLateReceipt: ({ verdict }) => {
        if (verdict === 'accepted') options.onLateGrant?.();
      },
    });
  }

  /** Repeats the report until its receipt; null only when the session ends first. */
  async report(offer: Offer, outcome: ReportOutcome, options: ReportOptions): Promise<WorkerReceipt | null> {
    const ref = this.#nextRef('r');
    const promise = this.#services.slots.promise();
    const command: ReportRequest = {
      kind: 'report',
      ...this.#head(offer, ref, promise.free),
      lax: options.lax,
      outcome,
    };
    const { onLogged } = options;
    const receipt = await this.#services.requests.send({
      partition: offer.partition,
      kind: 'report',
      ref,
      data: JSON.stringify(command),
      repeatAfterMs: (copy) => this.#reportRepeatMs(copy),
      giveUpAfterMs: null,
      ...(onLogged === undefined ? {} : { onLogged }),
    });
    this.#redeem(promise, receipt);
    return receipt;
  }

  /** 1 s doubling to 5 s, a quarter more or less, so that many workers do not repeat in step, nor an overload grows. */
  #reportRepeatMs(copy: number): number {
    const base = Math.min(POLICIES.clientRetryCapMs, REPORT_REPEAT_MS * 2 ** Math.min(copy - 1, 10));
    return base * (0.75 + this.#services.random() / 2);
  }

  #head(offer: Offer, ref: string, free: readonly FreeSlots[]): Omit<ClaimRequest, 'kind'> {
    return {
      ref,
      replyTo: this.#services.inbox,
      run: offer.run,
      activation: offer.activation,
      generation: offer.generation,
      session: this.#services.session,
      free,
    };
  }

  /** The promised slots go to the grants of the receipt first, what is left is pulled again. */
  #redeem(promise: SlotPromise, receipt: WorkerReceipt | null): void {
    const redeemed = this.#services.slots.redeem(promise);
    for (const offer of receipt?.eager ?? []) this.#services.onGrant(offer);
    redeemed.settled();
  }

  #nextRef(prefix: 'c' | 'r'): string {
    this.#refs += 1;
    return `${prefix}${this.#refs.toString(36)}`;
  }
}
