/**
 * Leases of the claims that this session holds (spec 04 "Claims, leases, lost workers"). Claims of one partition are
 * renewed together, every 5 s, with the partition's owner. A claim that could not be renewed for its lease is given up
 * here: the engine has given it to others by then.
 */
import type { SessionId } from '@graphrun/domain';
import { POLICIES } from '@graphrun/dsl';
import type { WorkSession } from '@graphrun/messaging';
import type { AbortNotice, ClaimRef, RenewedClaim, RenewReply } from '@graphrun/protocol';
import type { Clock, Logger } from '@graphrun/runtime';
import type { Heartbeat } from './heartbeat.js';
import { claimKey } from './recent-work.js';

/** A failed renewal is tried again sooner: the owner may just be moving. */
const RETRY_RENEWAL_MS = 1_000;
/** A grant whose answer took long may have lost its lease already: the owner is asked at once, and has that long. */
const DOUBTFUL_LEASE_MS = 2 * POLICIES.renewEveryMs;

/** A claim in the hands of this session. */
export interface HeldClaim extends ClaimRef {
  readonly partition: number;
  readonly heartbeat: Heartbeat | null;
  onLost(why: 'lease_lost' | 'cancelled'): void;
}

interface Lease {
  readonly claim: HeldClaim;
  /** Monotonic ms. */
  endsAt: number;
  cancelTimer: () => void;
}

interface PartitionLeases {
  readonly partition: number;
  readonly leases: Map<string, Lease>;
  /** Highest epoch that has answered. */
  epoch: number;
  /** Monotonic ms of the last proof that the owner knows this session's claims. */
  contactAt: number;
  cancelTimer: (() => void) | null;
  renewing: boolean;
  /** Claims in doubt so far: when it grew during a renewal, the next one is due at once. */
  doubts: number;
}

export class Leases {
  readonly #partitions = new Map<number, PartitionLeases>();
  readonly #session: SessionId;
  readonly #renew: WorkSession['renew'];
  readonly #clock: Clock;
  readonly #logger: Logger;
  #closed = false;

  constructor(session: SessionId, renew: WorkSession['renew'], clock: Clock, logger: Logger) {
    this.#session = session;
    this.#renew = renew;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Begins to renew a claim whose lease began no earlier than `grantedAt` (monotonic ms). */
  hold(claim: HeldClaim, grantedAt: number): void {
    const partition = this.#partition(claim.partition);
    const now = this.#clock.monotonic();
    const endsAt = Math.max(grantedAt + POLICIES.claimLeaseMs, now + DOUBTFUL_LEASE_MS);
    const lease: Lease = { claim, endsAt, cancelTimer: () => undefined };
    partition.contactAt = partition.leases.size === 0 ? grantedAt : Math.max(partition.contactAt, grantedAt);
    partition.leases.set(claimKey(claim), lease);
    this.#watch(partition, lease);
    const doubtful = now - grantedAt >= POLICIES.renewEveryMs;
    if (partition.cancelTimer === null) this.#armRenewal(partition, doubtful ? 0 : POLICIES.renewEveryMs);
    else if (doubtful) this.#renewSoon(partition);
  }

  /** The claim is decided: nothing to renew any more. */
  drop(claim: HeldClaim): void {
    const partition = this.#partitions.get(claim.partition);
    const lease = partition?.leases.get(claimKey(claim));
    if (partition === undefined || lease === undefined) return;
    lease.cancelTimer();
    partition.leases.delete(claimKey(claim));
  }

  /** False shortly before the leases with that partition end: what starts now could not be reported in time. */
  takesWork(partition: number): boolean {
    const known = this.#partitions.get(partition);
    if (known === undefined || known.leases.size === 0) return true;
    const silentMs = this.#clock.monotonic() - known.contactAt;
    return silentMs < POLICIES.sessionLeaseMs - POLICIES.stopDispatchBeforeLeaseEndMs;
  }

  /** Partitions whose owners have not renewed for that long. */
  silentPartitions(): readonly number[] {
    return [...this.#partitions.keys()].filter((partition) => !this.takesWork(partition));
  }

  /** The owner pushed an abort. */
  onAbort(notice: AbortNotice): void {
    for (const partition of this.#partitions.values()) {
      const lease = partition.leases.get(claimKey(notice));
      if (lease !== undefined) this.#lose(partition, lease, notice.reason);
    }
  }

  close(): void {
    this.#closed = true;
    for (const partition of this.#partitions.values()) {
      partition.cancelTimer?.();
      for (const lease of partition.leases.values()) lease.cancelTimer();
      partition.leases.clear();
    }
  }

  #partition(number: number): PartitionLeases {
    let partition = this.#partitions.get(number);
    if (partition === undefined) {
      partition = {
        partition: number,
        leases: new Map(),
        epoch: 0,
        contactAt: 0,
        cancelTimer: null,
        renewing: false,
        doubts: 0,
      };
      this.#partitions.set(number, partition);
    }
    return partition;
  }

  /** Brings the next renewal forward; one that is under way knows nothing of the newest claim. */
  #renewSoon(partition: PartitionLeases): void {
    partition.doubts += 1;
    if (partition.renewing) return;
    partition.cancelTimer?.();
    this.#armRenewal(partition, 0);
  }

  #armRenewal(partition: PartitionLeases, delayMs: number): void {
    partition.cancelTimer = this.#clock.after(delayMs, () => {
      void this.#renewAll(partition);
    });
  }

  async #renewAll(partition: PartitionLeases): Promise<void> {
    const leases = [...partition.leases.values()];
    if (leases.length === 0) {
      partition.cancelTimer = null;
      return;
    }
    const askedAt = this.#clock.monotonic();
    let renewed = false;
    partition.renewing = true;
    const { doubts } = partition;
    try {
      const claims = leases.map(({ claim }) => renewedClaim(claim, askedAt));
      const reply = await this.#renew(partition.partition, { session: this.#session, claims });
      renewed = this.#onReply(partition, leases, reply, askedAt);
    } catch (error) {
      this.#logger.debug({ err: error, partition: partition.partition }, 'no answer to a renewal; asking again');
    }
    partition.renewing = false;
    if (this.#closed) return;
    const waitMs = renewed ? POLICIES.renewEveryMs : RETRY_RENEWAL_MS;
    this.#armRenewal(partition, partition.doubts > doubts ? 0 : waitMs);
  }

  /** True when the reply counts: one of a lower epoch comes from an owner that was replaced. */
  #onReply(partition: PartitionLeases, asked: readonly Lease[], reply: RenewReply, askedAt: number): boolean {
    if (reply.epoch < partition.epoch) {
      const { epoch } = partition;
      this.#logger.warn({ partition: partition.partition, epoch, replied: reply.epoch }, 'ignored an outdated owner');
      return false;
    }
    partition.epoch = reply.epoch;
    // Counted from the question, which is never later than the owner's own reckoning.
    partition.contactAt = askedAt;
    const lost = new Map(reply.lost.map((claim) => [claimKey(claim), claim.reason]));
    for (const lease of asked) {
      const reason = lost.get(claimKey(lease.claim));
      if (reason !== undefined) this.#lose(partition, lease, reason);
      else lease.endsAt = Math.max(lease.endsAt, askedAt + reply.leaseMs);
    }
    return true;
  }

  #lose(partition: PartitionLeases, lease: Lease, reason: 'cancelled' | 'lost'): void {
    lease.cancelTimer();
    // The claim may have been decided, or even granted anew, while the question was under way.
    if (partition.leases.get(claimKey(lease.claim)) !== lease) return;
    partition.leases.delete(claimKey(lease.claim));
    lease.claim.onLost(reason === 'cancelled' ? 'cancelled' : 'lease_lost');
  }

  #watch(partition: PartitionLeases, lease: Lease): void {
    const leftMs = lease.endsAt - this.#clock.monotonic();
    if (leftMs <= 0) {
      this.#logger.warn(
        { run: lease.claim.run, activation: lease.claim.activation, partition: partition.partition },
        'a lease ended without a renewal; the attempt is aborted',
      );
      this.#lose(partition, lease, 'lost');
      return;
    }
    lease.cancelTimer = this.#clock.after(leftMs, () => {
      this.#watch(partition, lease);
    });
  }
}

function renewedClaim({ run, activation, generation, heartbeat }: HeldClaim, nowMs: number): RenewedClaim {
  if (heartbeat === null) return { run, activation, generation };
  const { at, details } = heartbeat;
  return { run, activation, generation, heartbeat: { ageMs: Math.max(0, Math.round(nowMs - at)), details } };
}
