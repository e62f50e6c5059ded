/** What a user writes: handlers of activities, and what they are given. */
import type { EffectKey } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import type { Logger } from '@graphrun/runtime';

export interface ActivityContext {
  /**
   * Stable over retries, restarts and restores: give it to the external system as its idempotency key, so that the
   * repeat of an attempt does not repeat the effect.
   */
  readonly effectKey: EffectKey;
  /** A key of its own for each effect of a handler that has several: `<effect key>:<name>`. */
  subKey(name: string): string;
  /** 1 for the first attempt of the activation. */
  readonly attempt: number;
  /** UTC ms, on the engine's clock; fixed when the attempt is granted. */
  readonly deadline: number;
  /** Aborts with an `AttemptAborted` that says why. Nobody waits for the result of a handler that was aborted. */
  readonly signal: AbortSignal;
  /** The same as `signal.aborted`, but true at once in a blocking handler too, which sees no events while it computes. */
  readonly aborted: boolean;
  /** Aborts when the worker begins to drain: finish soon, or stop where it is safe. `signal` follows near the end. */
  readonly shuttingDown: AbortSignal;
  /** Writes with run, activation and attempt in each line. */
  readonly logger: Logger;
  /**
   * Says how far a long attempt has come, for people who look at the run: at most 1 KiB of JSON, sent along with the next
   * renewal of the lease and kept in memory only. It neither prolongs the deadline nor reaches the next attempt.
   */
  heartbeat(details?: Json): void;
}

/**
 * Runs one attempt. What it returns must be JSON of the contract's output schema (`undefined` stands for null). An
 * `ActivityError` is a known failure; anything else that is thrown leaves the outcome of external work unknown.
 */
export type ActivityHandler<Input = Json, Output = unknown> = (
  input: Input,
  context: ActivityContext,
) => Output | Promise<Output>;

/** A handler for the thread pool, named by its module because a function cannot be sent to another thread. */
export interface BlockingHandler {
  readonly kind: 'blocking';
  /** URL of the module, `file:` mostly: `new URL('./render.js', import.meta.url)`. */
  readonly module: string;
  /** Name of the exported `ActivityHandler`. */
  readonly exportName: string;
}

/** For contracts with `execution: blocking`: work that computes for long or calls synchronous libraries. */
export function blocking(module: URL | string, exportName: string): BlockingHandler {
  return { kind: 'blocking', module: String(module), exportName };
}

export type HandlerRole = 'forward' | 'compensation';

export interface HandlerOptions<Input = Json> {
  /** Attempts that this worker runs at once; default: the worker's `slots`. */
  readonly slots?: number;
  /**
   * Turns the JSON input into what the handler wants. When it throws, the attempt fails with `worker.decode` instead
   * of being delivered for ever.
   */
  readonly decode?: (input: Json) => Input;
  /** The roles it serves; both by default: as a step of a workflow, and to undo one. Each role has slots of its own. */
  readonly roles?: readonly HandlerRole[];
}
