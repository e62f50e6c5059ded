/** Talks to a provider: tests say with it what requests meet, and read its ledger. */
import type { Json } from '@graphrun/dsl';
import { ProviderLedger } from './ledger.js';
import type { Behaviour, EffectRequest, LedgerLine, Match, Probe, Rule } from './protocol.js';

/** Answers come at once, except to an effect that is held. */
const TIMEOUT_MS = 10_000;

export class ProviderClient {
  constructor(readonly url: string) {}

  /** The next `times` requests that match meet this. The oldest rule that matches a request counts. */
  async rule(match: Match, behaviour: Behaviour, times = 1): Promise<void> {
    const rule: Rule = { match, behaviour, times };
    await this.#call('POST', '/v1/rules', rule);
  }

  async clearRules(): Promise<void> {
    await this.#call('DELETE', '/v1/rules');
  }

  /** Lets the effects of held and delayed requests happen; returns of how many. */
  async release(match: Match): Promise<number> {
    const { released } = (await this.#call('POST', '/v1/releases', match)) as { readonly released: number };
    return released;
  }

  async ledger(): Promise<ProviderLedger> {
    const { lines } = (await this.#call('GET', '/v1/ledger')) as { readonly lines: readonly LedgerLine[] };
    return new ProviderLedger(lines);
  }

  async probe(key: string): Promise<Probe> {
    return (await this.#call('GET', effectPath(key))) as Probe;
  }

  /** As a handler does. Rejects when the connection is cut or the effect refused. */
  async request(key: string, request: EffectRequest): Promise<Json> {
    const { output } = (await this.#call('PUT', effectPath(key), request)) as { readonly output: Json };
    return output;
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the provider answered ${method} ${path} with ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
}

function effectPath(key: string): string {
  return `/v1/effects/${encodeURIComponent(key)}`;
}
