/** Carries requests out as the rules say, and keeps those that wait. */
import type { Json } from '@graphrun/dsl';
import type { Behaviour, EffectRequest, LedgerLine, Match, Probe, RequestedLine, Rule } from '@graphrun/testing';
import type { Journal } from './journal.js';
import { Ledger, waits } from './ledger.js';
import type { RequestId } from './ledger.js';
import { matches, Rules } from './rules.js';

export type Answer =
  | { readonly kind: 'done'; readonly output: Json }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** The connection is to be cut. */
  | { readonly kind: 'none' };

type Done = Extract<Answer, { kind: 'done' }>;

const MISUSED: Answer = {
  kind: 'refused',
  code: 'provider.key_misused',
  message: 'the key was used before, for another activity or another input',
};

export class Provider {
  readonly #ledger: Ledger;
  readonly #rules = new Rules();
  readonly #waiting = new Map<RequestId, (answer: Done) => void>();
  readonly #timers = new Map<RequestId, NodeJS.Timeout>();

  constructor(
    private readonly journal: Journal,
    private readonly now: () => number = Date.now,
  ) {
    this.#ledger = new Ledger(journal, now);
    for (const request of this.#ledger.inFlight()) this.#await(request);
  }

  get lines(): readonly LedgerLine[] {
    return this.#ledger.lines;
  }

  addRule(rule: Rule): void {
    this.#rules.add(rule);
  }

  clearRules(): void {
    this.#rules.clear();
  }

  probe(key: string): Probe {
    return this.#ledger.probe(key);
  }

  async request(key: string, asked: EffectRequest): Promise<Answer> {
    const behaviour = this.#rules.take({ key, ...asked });
    const request = this.#ledger.request(key, asked, behaviour);
    return request === null ? MISUSED : this.#carryOut(request, behaviour);
  }

  /** The effects of requests that wait happen now, oldest first; returns how many there were. */
  release(match: Match): number {
    const released = this.#ledger.inFlight().filter((request) => matches(match, request));
    for (const request of released) this.#land(request);
    return released.length;
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.journal.close();
  }

  #carryOut(request: RequestedLine, behaviour: Behaviour | null): Answer | Promise<Answer> {
    switch (behaviour?.kind) {
      case undefined:
        return this.#land(request);
      case 'lie':
        this.#land(request);
        return { kind: 'none' };
      case 'refuse':
        this.#ledger.refuse(request);
        return { kind: 'refused', code: behaviour.code, message: behaviour.message };
      case 'delay':
        this.#await(request);
        return { kind: 'none' };
      case 'hold':
        return new Promise((resolve) => this.#waiting.set(request.seq, resolve));
    }
  }

  /** Sets the timer of a request that waits for a time. A restart does not begin the delay anew. */
  #await(request: RequestedLine): void {
    const { behaviour, at, seq } = request;
    if (!waits(behaviour) || behaviour.kind !== 'delay' || behaviour.ms === null) return;
    const leftMs = Math.max(0, at + behaviour.ms - this.now());
    this.#timers.set(
      seq,
      setTimeout(() => this.#land(request), leftMs),
    );
  }

  #land(request: RequestedLine): Done {
    const { output } = this.#ledger.apply(request);
    const answer: Done = { kind: 'done', output };
    clearTimeout(this.#timers.get(request.seq));
    this.#timers.delete(request.seq);
    this.#waiting.get(request.seq)?.(answer);
    this.#waiting.delete(request.seq);
    return answer;
  }
}
