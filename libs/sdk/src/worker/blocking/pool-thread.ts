/** One thread of the pool and the task it runs. */
import { Worker } from 'node:worker_threads';
import type { Logger } from '@graphrun/runtime';
import { ActivityError } from '../activity-error.js';
import { AttemptAborted, isAbortCause } from '../attempt-aborted.js';
import type { ActivityContext, BlockingHandler } from '../handler.js';
import { OutputNotSendable } from '../outcome.js';
import type { FromThread, RunMessage, ThrownParts, ToThread } from './messages.js';

export interface BlockingTask {
  readonly handler: BlockingHandler;
  readonly input: unknown;
  readonly context: ActivityContext;
}

interface Running {
  readonly context: ActivityContext;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
  cleanUp(): void;
}

export class PoolThread {
  readonly #thread = new Worker(new URL('./thread-entry.mjs', import.meta.url));
  readonly #onGone: (thread: PoolThread) => void;
  #running: Running | null = null;
  /** This pool has ended the thread. */
  #ended = false;
  #gone = false;

  constructor(logger: Logger, onGone: (thread: PoolThread) => void) {
    this.#onGone = onGone;
    // An idle thread must not keep the process alive.
    this.#thread.unref();
    this.#thread.on('message', (message: FromThread) => {
      this.#onMessage(message);
    });
    this.#thread.on('error', (error) => {
      logger.error({ err: error }, 'a thread of the blocking pool died');
      this.#end(new Error(`the thread of the handler died: ${error.message}`, { cause: error }));
    });
    this.#thread.on('exit', (code) => {
      this.#end(this.#ended ? endedByForce() : new Error(`the thread of the handler exited with code ${code}`));
    });
  }

  /** Settles as the handler does, or when the thread ends. */
  run(task: BlockingTask): Promise<unknown> {
    const { context, handler } = task;
    const flag = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        Atomics.store(new Int32Array(flag), 0, 1);
        const reason = abortReason(context.signal);
        this.#send({ type: 'abort', why: reason.why, message: reason.message });
      };
      const onShutdown = (): void => {
        this.#send({ type: 'shutdown' });
      };
      this.#running = {
        context,
        resolve,
        reject,
        cleanUp: () => {
          context.signal.removeEventListener('abort', onAbort);
          context.shuttingDown.removeEventListener('abort', onShutdown);
          this.#thread.unref();
        },
      };
      this.#thread.ref();
      this.#send(startMessage(handler, task.input, context, flag));
      context.signal.addEventListener('abort', onAbort);
      context.shuttingDown.addEventListener('abort', onShutdown);
    });
  }

  async close(): Promise<void> {
    this.#ended = true;
    await this.#thread.terminate();
  }

  #send(message: ToThread): void {
    this.#thread.postMessage(message);
  }

  #onMessage(message: FromThread): void {
    const running = this.#running;
    if (running === null) return;
    switch (message.type) {
      case 'returned':
        this.#finish();
        running.resolve(message.output);
        break;
      case 'unsendable':
        this.#finish();
        running.reject(new OutputNotSendable(`the output cannot leave the thread of its handler: ${message.message}`));
        break;
      case 'threw':
        this.#finish();
        running.reject(rebuild(message.error));
        break;
      case 'heartbeat':
        running.context.heartbeat(message.details);
        break;
      case 'log':
        running.context.logger[message.level](message.fields, message.message);
        break;
    }
  }

  #finish(): void {
    this.#running?.cleanUp();
    this.#running = null;
  }

  #end(error: Error): void {
    if (this.#gone) return;
    this.#gone = true;
    const running = this.#running;
    this.#finish();
    this.#onGone(this);
    running?.reject(error);
  }
}

function startMessage(
  handler: BlockingHandler,
  input: unknown,
  context: ActivityContext,
  aborted: SharedArrayBuffer,
): RunMessage {
  return {
    type: 'run',
    module: handler.module,
    exportName: handler.exportName,
    input,
    effectKey: context.effectKey,
    attempt: context.attempt,
    deadline: context.deadline,
    aborted,
    shuttingDown: context.shuttingDown.aborted,
  };
}

/** What it has done to the world is unknown; pure work has done nothing, and is handed back. */
function endedByForce(): AttemptAborted {
  return new AttemptAborted(
    'shutdown',
    'the handler did not stop for the shutdown of its worker; its thread was ended',
  );
}

/** The signals of attempts are aborted with an `AttemptAborted` only. */
function abortReason(signal: AbortSignal): AttemptAborted {
  const reason: unknown = signal.reason;
  return reason instanceof AttemptAborted ? reason : new AttemptAborted('shutdown');
}

/** The error as the handler threw it, as far as the host looks at it. */
function rebuild(parts: ThrownParts): Error {
  if (parts.name === 'ActivityError' && parts.code !== null) {
    return new ActivityError(parts.code, parts.message);
  }
  if (parts.name === 'AttemptAborted' && isAbortCause(parts.why)) return new AttemptAborted(parts.why);
  const error = new Error(parts.message);
  error.name = parts.name;
  return error;
}
