import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { GraphrunError } from '@graphrun/protocol';
import { workerProgram, type WorkerInput, type WorkerReply, type WorkerRequest } from './pglite-worker.js';

/** The CommonJS build: the thread's program is text and has no module of its own to import from. */
const PGLITE_FILE = createRequire(import.meta.url).resolve('@electric-sql/pglite');

interface Waiting {
  readonly resolve: (reply: WorkerReply) => void;
  readonly reject: (error: Error) => void;
}

/** A PGlite database in a thread: bytes of the PostgreSQL protocol go in and come out, in order. */
export class PGliteThread {
  private readonly waiting: Waiting[] = [];
  private ended: Error | null = null;

  private constructor(
    private readonly worker: Worker,
    private readonly directory: string,
  ) {
    worker.on('message', (reply: WorkerReply) => this.waiting.shift()?.resolve(reply));
    worker.on('error', (error) => this.end(error));
    worker.on('exit', (code) => this.end(new Error(`the database thread ended with exit code ${code}`)));
  }

  /** Opens the database in `directory`, creating it when the directory is empty or missing. */
  static async open(directory: string): Promise<PGliteThread> {
    const input: WorkerInput = { pglite: PGLITE_FILE, directory };
    const thread = new PGliteThread(new Worker(workerProgram(), { eval: true, workerData: input }), directory);
    try {
      thread.expect(await thread.next(), 'ready');
    } catch (error) {
      await thread.worker.terminate();
      throw new GraphrunError(
        'Unavailable',
        `The embedded database in ${directory} cannot be opened. If its files are damaged, restore a backup into a new data directory.`,
        { cause: error },
      );
    }
    return thread;
  }

  async exchange(bytes: Uint8Array): Promise<Uint8Array> {
    const copy = new Uint8Array(bytes);
    const reply = await this.request(copy, [copy.buffer]);
    if (reply instanceof Uint8Array) return reply;
    throw this.failure(reply);
  }

  async close(): Promise<void> {
    if (this.ended !== null) return;
    this.expect(await this.request('close', []), 'closed');
    await this.worker.terminate();
  }

  private request(request: WorkerRequest, transfer: readonly ArrayBuffer[]): Promise<WorkerReply> {
    if (this.ended !== null) return Promise.reject(this.ended);
    const reply = this.next();
    this.worker.postMessage(request, transfer);
    return reply;
  }

  private next(): Promise<WorkerReply> {
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  private expect(reply: WorkerReply, wanted: 'ready' | 'closed'): void {
    if (reply !== wanted) throw this.failure(reply);
  }

  private failure(reply: WorkerReply): Error {
    const what = typeof reply === 'object' && 'failure' in reply ? reply.failure : 'an unexpected answer of its thread';
    return new Error(`the embedded database in ${this.directory} failed: ${what}`);
  }

  private end(error: Error): void {
    this.ended ??= error;
    for (const waiting of this.waiting.splice(0)) waiting.reject(error);
  }
}
