/**
 * The HTTP API as a careful client uses it: what fails on the way, and every answer that says "later" or "unknown", is
 * sent again with the same Idempotency-Key.
 */
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_FOR_MS = 60_000;
/** Longer than the API deadline of 5 s: what takes longer is a lost connection. */
const ANSWER_TIMEOUT_MS = 10_000;
const PAUSE_MS = 100;

/** An answer that does not change when it is asked for again. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';

  constructor(
    what: string,
    readonly status: number,
    readonly problem: Readonly<Record<string, unknown>>,
  ) {
    super(`${what} was answered ${status}: ${JSON.stringify(problem)}`);
  }
}

export interface CommandOptions {
  readonly idempotencyKey: string;
}

export class Api {
  #repeats = 0;

  constructor(
    readonly url: string,
    private readonly retryForMs = RETRY_FOR_MS,
  ) {}

  /** Requests that had to be sent again. */
  get repeats(): number {
    return this.#repeats;
  }

  /** The same API, asked for another time. */
  withRetries(retryForMs: number): Api {
    return new Api(this.url, retryForMs);
  }

  get<T>(path: string): Promise<T> {
    return this.#call<T>('GET', path, {});
  }

  /** Throws ApiRefusal, or the last fault when there was no answer within the time of retries. */
  command<T>(path: string, body: unknown, { idempotencyKey }: CommandOptions): Promise<T> {
    return this.#call<T>('POST', path, {
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify(body),
    });
  }

  publishCatalog(text: string): Promise<unknown> {
    return this.#call('POST', '/v1/catalogs', { headers: { 'content-type': 'application/json' }, body: text });
  }

  publishDefinition(yaml: string): Promise<unknown> {
    return this.#call('POST', '/v1/definitions', { headers: { 'content-type': 'application/yaml' }, body: yaml });
  }

  async #call<T>(method: string, path: string, init: RequestInit): Promise<T> {
    const what = `${method} ${path}`;
    const giveUpAt = performance.now() + this.retryForMs;
    for (;;) {
      try {
        return await this.#once<T>(method, path, init);
      } catch (error) {
        if (error instanceof ApiRefusal && !isPassing(error.status)) throw error;
        if (performance.now() > giveUpAt) {
          throw new Error(`${what} found no answer within ${this.retryForMs} ms`, { cause: error });
        }
        this.#repeats += 1;
        await pause(PAUSE_MS);
      }
    }
  }

  async #once<T>(method: string, path: string, init: RequestInit): Promise<T> {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const response = await fetch(`${this.url}${path}`, { ...init, method, signal });
    const text = await response.text();
    const value = JSON.parse(text) as unknown;
    if (response.ok) return value as T;
    throw new ApiRefusal(`${method} ${path}`, response.status, value as Readonly<Record<string, unknown>>);
  }
}

/** Pushed back, not available, or outcome unknown. */
function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}
