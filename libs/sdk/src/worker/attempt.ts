/**
 * One attempt in the hands of this session, from its offer or grant to the receipt of its report.
 *
 * Strict: claim, wait for the grant, run, report. Nothing external starts without a committed grant (spec 03
 * "Attempts"). Lax (pure work): run at once and report in one message; what takes longer is claimed meanwhile.
 * Granted (eager): run, report.
 */
import type { ReportOutcome } from '@graphrun/domain';
import type { TakenOffer } from '@graphrun/messaging';
import type { Offer, WorkerReceipt } from '@graphrun/protocol';
import type { Clock, Logger } from '@graphrun/runtime';
import type { AbortCause } from './attempt-aborted.js';
import type { Correspondence } from './correspondence.js';
import { Execution } from './execution.js';
import type { ExecutionServices } from './execution.js';
import type { Heartbeat } from './heartbeat.js';
import type { HeldClaim, Leases } from './leases.js';
import { claimKey } from './recent-work.js';
import type { Registration } from './registrations.js';

export interface AttemptServices extends ExecutionServices {
  readonly clock: Clock;
  readonly correspondence: Correspondence;
  readonly leases: Leases;
  readonly laxThresholdMs: number;
  readonly logger: Logger;
  /** A strict claim was granted after the session stopped waiting for it. */
  onLateGrant(offer: Offer): void;
  /** Frees the slot of the attempt: its handler has ended, or will never start. */
  releaseSlot(registration: Registration): void;
}

/** `claiming`: no handler runs yet. `reporting`: the handler has ended and its outcome has no receipt yet. */
export type AttemptPhase = 'claiming' | 'running' | 'reporting' | 'over';

interface Grant {
  /** UTC ms, the engine's clock. */
  readonly deadline: number;
  /** Monotonic ms: the grant was not made before. */
  readonly notBefore: number;
}

export class Attempt implements HeldClaim {
  readonly key: string;
  readonly offer: Offer;
  readonly registration: Registration;
  readonly #services: AttemptServices;
  readonly #taken: TakenOffer[];
  #phase: AttemptPhase = 'claiming';
  #execution: Execution | null = null;
  #cancelDeadline: () => void = () => undefined;
  #claim: Promise<Grant | null> | null = null;
  #acked = false;

  constructor(offer: Offer, registration: Registration, taken: TakenOffer | null, services: AttemptServices) {
    this.key = claimKey(offer);
    this.offer = offer;
    this.registration = registration;
    this.#taken = taken === null ? [] : [taken];
    this.#services = services;
  }

  get run(): Offer['run'] {
    return this.offer.run;
  }
  get activation(): Offer['activation'] {
    return this.offer.activation;
  }
  get generation(): number {
    return this.offer.generation;
  }
  get partition(): number {
    return this.offer.partition;
  }
  get phase(): AttemptPhase {
    return this.#phase;
  }
  get abortedAt(): number | null {
    return this.#execution?.abortedAt ?? null;
  }
  get heartbeat(): Heartbeat | null {
    return this.#execution?.heartbeat ?? null;
  }

  /** The queue delivered the same work again, while it is in our hands. */
  retake(taken: TakenOffer): void {
    if (this.#acked) taken.ack();
    else this.#taken.push(taken);
  }

  abort(why: AbortCause): void {
    this.#execution?.abort(why);
  }

  onLost(why: 'lease_lost' | 'cancelled'): void {
    this.abort(why);
  }

  /**
   * Resolves when nothing is left to do for it, with what must never be started again: the claim key of what ran under
   * a grant, the offer id of what ran without one (the engine may rightly offer the same generation anew). Never rejects.
   */
  async perform(): Promise<readonly string[]> {
    const done = await this.#perform();
    this.#services.leases.drop(this);
    this.#phase = 'over';
    return done;
  }

  #perform(): Promise<readonly string[]> {
    const { offer } = this;
    if (offer.grantedUntil !== null) {
      return this.#performGranted({ deadline: offer.grantedUntil, notBefore: this.#services.clock.monotonic() });
    }
    // Only a step of a workflow may run before its grant: nothing is undone, and nobody is asked, on a guess.
    return offer.strict || offer.role !== 'forward' ? this.#performStrict() : this.#performLax();
  }

  /** Hands a grant back that was not started: it costs no attempt. */
  async handBack(reason: string): Promise<void> {
    await this.#report({ kind: 'returned', reason }, false);
    this.#services.leases.drop(this);
    this.#phase = 'over';
  }

  async #performStrict(): Promise<readonly string[]> {
    const { correspondence, clock, shuttingDown } = this.#services;
    const claimedAt = clock.monotonic();
    const receipt = await correspondence.claim(this.offer, {
      patient: false,
      onLateGrant: () => {
        this.#services.onLateGrant(this.offer);
      },
    });
    const grant = this.#onClaimAnswer(receipt, claimedAt);
    if (grant === null) {
      this.#services.releaseSlot(this.registration);
      return [];
    }
    if (shuttingDown.aborted) {
      this.#services.releaseSlot(this.registration);
      await this.handBack('the worker is draining');
      return [this.key];
    }
    return this.#performGranted(grant);
  }

  async #performGranted(grant: Grant): Promise<readonly string[]> {
    const leftMs = this.#timeLeftMs(grant);
    if (leftMs <= 0) {
      this.#log('info', 'a grant came after its deadline; not started');
      this.#services.releaseSlot(this.registration);
      return [this.key];
    }
    this.#services.leases.hold(this, grant.notBefore);
    const execution = this.#start(grant.deadline, leftMs);
    await this.#report(await this.#finish(execution), false);
    return [this.key];
  }

  async #performLax(): Promise<readonly string[]> {
    const { clock } = this.#services;
    const { timeoutMs } = this.offer;
    const execution = this.#start(clock.now() + timeoutMs, timeoutMs);
    const cancelThreshold = clock.after(this.#services.laxThresholdMs, () => {
      this.#claim = this.#claimWhileRunning(execution);
    });
    const outcome = await this.#finish(execution);
    cancelThreshold();
    if (this.#claim === null) {
      // Nothing is committed yet: the offer itself goes back, at once.
      if (outcome.kind === 'returned') this.#release();
      else await this.#report(outcome, true);
      return [this.offer.id];
    }
    // Without the grant nobody waits for this result: another worker, or a newer attempt, has the work.
    if ((await this.#claim) !== null) await this.#report(outcome, false);
    return [this.offer.id];
  }

  /** The handler took longer than the threshold: the engine should know who runs it. */
  async #claimWhileRunning(execution: Execution): Promise<Grant | null> {
    const claimedAt = this.#services.clock.monotonic();
    const receipt = await this.#services.correspondence.claim(this.offer, { patient: true });
    const grant = this.#onClaimAnswer(receipt, claimedAt);
    if (grant === null) {
      execution.abort('lease_lost');
      return null;
    }
    this.#services.leases.hold(this, grant.notBefore);
    execution.deadline = grant.deadline;
    if (this.#phase === 'running') this.#watchDeadline(execution, this.#timeLeftMs(grant));
    return grant;
  }

  /** The grant, or null when the work is not ours. */
  #onClaimAnswer(receipt: WorkerReceipt | null, claimedAt: number): Grant | null {
    if (receipt === null) {
      this.#log('warn', 'a claim was not answered; the offer is left to others');
      this.#release();
      return null;
    }
    this.#ack();
    if (receipt.verdict === 'accepted') {
      const latest = this.#services.clock.now() + this.offer.timeoutMs;
      return { deadline: receipt.deadline ?? latest, notBefore: claimedAt };
    }
    if (receipt.verdict === 'rejected')
      this.#log('warn', `a claim was refused: ${receipt.reason ?? 'no reason given'}`);
    return null;
  }

  /**
   * Time until the deadline. The wall clocks of engine and worker may differ by seconds; that the grant is not older
   * than the question for it holds whatever they show.
   */
  #timeLeftMs(grant: Grant): number {
    const { clock } = this.#services;
    const byWallClock = grant.deadline - clock.now();
    const atLeast = this.offer.timeoutMs - (clock.monotonic() - grant.notBefore);
    const asked = this.offer.grantedUntil === null;
    return Math.min(this.offer.timeoutMs, asked ? Math.max(byWallClock, atLeast) : byWallClock);
  }

  #start(deadline: number, leftMs: number): Execution {
    const execution = new Execution(this.offer, this.registration, deadline, this.#services);
    this.#execution = execution;
    this.#phase = 'running';
    this.#watchDeadline(execution, leftMs);
    return execution;
  }

  #watchDeadline(execution: Execution, leftMs: number): void {
    this.#cancelDeadline();
    this.#cancelDeadline = this.#services.clock.after(leftMs, () => {
      execution.abort('deadline');
    });
  }

  async #finish(execution: Execution): Promise<ReportOutcome> {
    const outcome = await execution.run();
    this.#phase = 'reporting';
    this.#cancelDeadline();
    this.#services.releaseSlot(this.registration);
    return outcome;
  }

  /** The engine judges it, late ones too: the session only makes sure that it gets there. */
  async #report(outcome: ReportOutcome, lax: boolean): Promise<void> {
    this.#phase = 'reporting';
    const receipt = await this.#services.correspondence.report(this.offer, outcome, {
      lax,
      onLogged: () => {
        this.#ack();
      },
    });
    if (receipt === null) return;
    this.#ack();
    if (receipt.verdict !== 'accepted') {
      const level = receipt.verdict === 'rejected' ? 'warn' : 'debug';
      this.#log(level, `a report was ${receipt.verdict}: ${receipt.reason ?? 'no reason given'}`);
    }
  }

  #release(): void {
    for (const taken of this.#taken) taken.release();
  }

  #ack(): void {
    if (this.#acked) return;
    this.#acked = true;
    for (const taken of this.#taken) taken.ack();
  }

  #log(level: 'debug' | 'info' | 'warn', message: string): void {
    const { run, activation, attempt, generation, activity } = this.offer;
    this.#services.logger[level]({ run, activation, attempt, generation, activity }, message);
  }
}
