/** What spec 02 "Signals" asks of a history: one wait for an address, and the earliest signal that it may take. */
import type { EventBody, RunEvent, SignalEventId } from '../index.js';
import type { Rules } from './rules.js';

interface Kept {
  readonly address: string;
  readonly seq: number;
  readonly arrivedAt: number;
  readonly expiresAt: number;
}

interface Waiting {
  readonly address: string;
  readonly scope: string;
  readonly after: number;
  readonly dueAt: number | null;
}

export class SignalRules implements Rules {
  private readonly kept = new Map<SignalEventId, Kept>();
  private readonly waits = new Map<string, Waiting>();

  check(body: EventBody, { seq, at }: RunEvent): string | null {
    switch (body.kind) {
      case 'signal_accepted': {
        const { signal, key, arrivedAt, expiresAt } = body;
        this.kept.set(body.event, { address: `${signal} ${key}`, seq, arrivedAt, expiresAt });
        return null;
      }
      case 'signal_expired': {
        const kept = this.kept.get(body.event);
        this.kept.delete(body.event);
        return kept !== undefined && kept.expiresAt <= at ? null : 'it has not expired';
      }
      case 'wait_opened': {
        const { signal, key, scope, dueAt } = body;
        this.waits.set(body.wait, { address: `${signal} ${key}`, scope, after: body.buffered ? 0 : seq, dueAt });
        return null;
      }
      case 'wait_satisfied':
        return this.satisfied(body.wait, body.event, at);
      case 'wait_timed_out':
        return this.timedOut(body.wait, at);
      case 'wait_cancelled':
        this.waits.delete(body.wait);
        return null;
      default:
        return null;
    }
  }

  /** What a wait may take, in the order of acceptance. */
  private eligible({ address, after, dueAt }: Waiting, at: number): [SignalEventId, Kept][] {
    return [...this.kept].filter(
      ([, kept]) =>
        kept.address === address &&
        kept.seq > after &&
        kept.expiresAt > at &&
        (dueAt === null || kept.arrivedAt < dueAt),
    );
  }

  private satisfied(id: string, event: SignalEventId, at: number): string | null {
    const wait = this.waits.get(id);
    if (wait === undefined) return 'nobody waits';
    const [first] = this.eligible(wait, at);
    this.waits.delete(id);
    this.kept.delete(event);
    return first?.[0] === event ? null : `${first?.[0] ?? 'nothing'} is its signal`;
  }

  private timedOut(id: string, at: number): string | null {
    const wait = this.waits.get(id);
    if (wait === undefined) return 'nobody waits';
    this.waits.delete(id);
    if (wait.dueAt === null || wait.dueAt > at) return 'its time has not come';
    const [first] = this.eligible(wait, at);
    return first === undefined ? null : `${first[0]} was there in time`;
  }
}
