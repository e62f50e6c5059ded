/**
 * What was asked of the provider and what it did: physical requests, and the effects they had, by key. All of it is
 * folded from the lines of the journal, so a provider that was killed goes on as if it had not been.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@graphrun/dsl';
import type { Behaviour, EffectRequest, LedgerLine, Probe, RequestedLine } from '@graphrun/testing';
import type { Journal } from './journal.js';

/** Requests by their position in the ledger, which names them. */
export type RequestId = number;

export type Application = { readonly kind: 'applied' | 'repeated'; readonly output: Json };

type LineBody<Line extends LedgerLine = LedgerLine> = Line extends LedgerLine ? Omit<Line, 'seq' | 'at'> : never;

export class Ledger {
  readonly #lines: LedgerLine[] = [];
  /** The first request of each key: what the key stands for. */
  readonly #meant = new Map<string, RequestedLine>();
  /** Outputs of the effects that happened. */
  readonly #applied = new Map<string, Json>();
  readonly #open = new Map<RequestId, RequestedLine>();

  constructor(
    private readonly journal: Journal,
    private readonly now: () => number,
  ) {
    for (const line of journal.lines) this.#fold(line);
    // The provider died between a request and what it did at once: nothing stands in the journal, so nothing happened.
    for (const request of this.inFlight()) if (!waits(request.behaviour)) this.#settle(request, 'dropped');
  }

  get lines(): readonly LedgerLine[] {
    return this.#lines;
  }

  /** Requests that may still have their effect, oldest first. */
  inFlight(): readonly RequestedLine[] {
    return [...this.#open.values()];
  }

  /** Notes a request; null when its key stands for something else, which is noted too. */
  request(key: string, asked: EffectRequest, behaviour: Behaviour | null): RequestedLine | null {
    const line = this.#add({ kind: 'requested', key, ...asked, behaviour }) as RequestedLine;
    const meant = this.#meant.get(key) ?? line;
    if (meant.activity === asked.activity && isDeepStrictEqual(meant.input, asked.input)) return line;
    this.#add({ kind: 'misused', key, activity: asked.activity, request: line.seq });
    return null;
  }

  /** The effect of a request happens, unless one of its key has. */
  apply(request: RequestedLine): Application {
    const known = this.#applied.get(request.key);
    const kind = known === undefined ? 'applied' : 'repeated';
    this.#settle(request, kind);
    return { kind, output: known ?? request.output };
  }

  refuse(request: RequestedLine): void {
    this.#settle(request, 'refused');
  }

  /** `not_applied` is said only when no request that has come in can have the effect any more. */
  probe(key: string): Probe {
    const probe = this.#state(key);
    this.#add({ kind: 'probed', key, activity: this.#meant.get(key)?.activity ?? '', state: probe.state });
    return probe;
  }

  #state(key: string): Probe {
    const output = this.#applied.get(key);
    if (output !== undefined) return { state: 'applied', output };
    return { state: this.inFlight().some((request) => request.key === key) ? 'unknown' : 'not_applied' };
  }

  #settle({ seq, key, activity }: RequestedLine, kind: 'applied' | 'repeated' | 'refused' | 'dropped'): void {
    this.#add({ kind, key, activity, request: seq });
  }

  #add(body: LineBody): LedgerLine {
    const line = { seq: this.#lines.length + 1, at: this.now(), ...body } as LedgerLine; // the spread loses which kind it is
    this.journal.append(line);
    this.#fold(line);
    return line;
  }

  #fold(line: LedgerLine): void {
    this.#lines.push(line);
    switch (line.kind) {
      case 'requested':
        this.#open.set(line.seq, line);
        if (!this.#meant.has(line.key)) this.#meant.set(line.key, line);
        return;
      case 'applied': {
        const request = this.#open.get(line.request);
        if (request === undefined) throw new Error(`line ${line.seq} of the ledger settles nothing that is open`);
        this.#applied.set(line.key, request.output);
        this.#open.delete(line.request);
        return;
      }
      case 'repeated':
      case 'refused':
      case 'dropped':
      case 'misused':
        this.#open.delete(line.request);
        return;
      case 'probed':
        return;
    }
  }
}

/** The effect is still to come after the request was noted. */
export function waits(behaviour: Behaviour | null): behaviour is Extract<Behaviour, { kind: 'hold' | 'delay' }> {
  return behaviour?.kind === 'hold' || behaviour?.kind === 'delay';
}
