/**
 * Effects at a provider, over HTTP. It shows what a handler owes the engine: it gives the effect key to the other
 * side, reports as an `ActivityError` only what certainly did not happen, and throws anything else as it is.
 */
import type { Json } from '@graphrun/dsl';
import { ActivityError } from '@graphrun/sdk';
import type { ActivityContext, ProbeResult } from '@graphrun/sdk';
import type { Effect, Effects } from './effects.js';

interface Refusal {
  readonly code: string;
  readonly message: string;
}

type Answer =
  | { readonly state: 'applied'; readonly output: Json }
  | { readonly state: 'not_applied' }
  | { readonly state: 'unknown' };

export class ProviderEffects implements Effects {
  constructor(private readonly url: string) {}

  async request<Output extends Json>(
    { activity, input, output }: Effect<Output>,
    { effectKey, signal }: ActivityContext,
  ): Promise<Output> {
    const response = await fetch(this.#path(effectKey), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ activity, input, output }),
      signal,
    });
    if (response.status === 409) {
      const { code, message } = (await response.json()) as Refusal;
      throw new ActivityError(code, message);
    }
    // The key is bound to its activity, so the first output has the type of this one.
    return ((await this.#read(response)) as { readonly output: Output }).output;
  }

  async lookUp({ effectKey, signal }: ActivityContext): Promise<ProbeResult> {
    const answer = (await this.#read(await fetch(this.#path(effectKey), { signal }))) as Answer;
    return answer.state === 'applied' ? { applied: answer.output } : answer.state;
  }

  async #read(response: Response): Promise<unknown> {
    if (response.ok) return response.json();
    throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
  }

  #path(key: string): string {
    return `${this.url}/v1/effects/${encodeURIComponent(key)}`;
  }
}
