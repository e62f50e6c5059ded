/**
 * Threads for blocking handlers (spec 03 "Blocking"): at most 16, made when needed, reused. What computes here delays
 * neither renewals nor reports nor other activities, which live on the main thread. A thread is busy until its handler has
 * really ended: an abort is a request, and what a handler that ignores it still does to the world nobody can know.
 */
import type { Logger } from '@graphrun/runtime';
import { NotStarted } from '../outcome.js';
import { PoolThread } from './pool-thread.js';
import type { BlockingTask } from './pool-thread.js';

interface Waiting {
  readonly task: BlockingTask;
  readonly resolve: (output: Promise<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

export class ThreadPool {
  readonly #maxThreads: number;
  readonly #logger: Logger;
  readonly #threads = new Set<PoolThread>();
  readonly #idle: PoolThread[] = [];
  readonly #waiting: Waiting[] = [];
  #closed = false;

  constructor(maxThreads: number, logger: Logger) {
    this.#maxThreads = maxThreads;
    this.#logger = logger;
  }

  /**
   * Runs a task as soon as a thread is free. Rejects with what the handler threw, with an error that names the end of
   * its thread, or with `NotStarted` when it was aborted before it could start.
   */
  run(task: BlockingTask): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { task, resolve, reject };
      this.#waiting.push(waiting);
      task.context.signal.addEventListener(
        'abort',
        () => {
          const index = this.#waiting.indexOf(waiting);
          if (index === -1) return;
          this.#waiting.splice(index, 1);
          reject(new NotStarted(`no thread was free in time: ${(task.context.signal.reason as Error).message}`));
        },
        { once: true },
      );
      this.#startNext();
    });
  }

  /** Ends all threads: only when the process is about to end is there no other way to get an answer. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }

  #startNext(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#idle.pop() ?? this.#create();
      if (thread === null) return;
      const waiting = this.#waiting.shift();
      if (waiting === undefined) return;
      const output = thread.run(waiting.task);
      waiting.resolve(output);
      output.then(
        () => {
          this.#onDone(thread);
        },
        () => {
          this.#onDone(thread);
        },
      );
    }
  }

  #create(): PoolThread | null {
    if (this.#closed || this.#threads.size >= this.#maxThreads) return null;
    const thread = new PoolThread(this.#logger, (gone) => {
      this.#threads.delete(gone);
      const index = this.#idle.indexOf(gone);
      if (index !== -1) this.#idle.splice(index, 1);
      this.#startNext();
    });
    this.#threads.add(thread);
    return thread;
  }

  #onDone(thread: PoolThread): void {
    // A thread that ended with its task has left the set already.
    if (this.#threads.has(thread)) this.#idle.push(thread);
    this.#startNext();
  }
}
