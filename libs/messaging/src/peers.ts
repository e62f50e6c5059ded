/** How the members of a cluster find out whether another one lives (spec 04 "Ownership and membership"). */
import type { Liveness, Subscription } from './ports.js';

export interface MemberInfo {
  readonly member: string;
  /** UTC ms. */
  readonly startedAt: number;
  /** Partitions it believes to own. */
  readonly partitions: readonly number[];
}

export interface PeerProbe {
  /** Answers for a member of this process until the subscription is closed. */
  answer(memberId: string, info: () => MemberInfo): Promise<Subscription>;
  /** `gone` only when the transport knows that nobody listens; silence for `timeoutMs` is `unknown`. Never throws. */
  ask(memberId: string, timeoutMs: number): Promise<Liveness>;
}
