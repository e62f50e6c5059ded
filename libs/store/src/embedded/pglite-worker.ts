/**
 * The thread PGlite runs in. PGlite executes a statement synchronously, and between statements it yields to
 * microtasks only: on the engine's own thread, timers and sockets would not be served while commits follow each other
 * (docs/data-model.md has the numbers). What crosses the thread boundary are bytes of the PostgreSQL protocol.
 *
 * `workerMain` is given to the thread as text, so it may use nothing but its arguments and Node's modules. This way
 * there is no second file to locate, from sources under test as from the build.
 */
import type { MessagePort } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';

export interface WorkerInput {
  /** File of the CommonJS build of PGlite. */
  readonly pglite: string;
  readonly directory: string;
}

/** What the thread is asked: bytes of the frontend protocol, or to close. */
export type WorkerRequest = Uint8Array | 'close';
/** Answers, one for each request in order; the first one is `ready`, or a failure to open. */
export type WorkerReply = Uint8Array | 'ready' | 'closed' | { readonly failure: string };

export async function workerMain(
  port: Pick<MessagePort, 'postMessage' | 'on'>,
  input: WorkerInput,
  load: (file: string) => unknown,
): Promise<void> {
  const reply = (message: WorkerReply, transfer?: readonly ArrayBuffer[]) => port.postMessage(message, transfer);
  let database: PGlite;
  try {
    const module = load(input.pglite) as { readonly PGlite: typeof PGlite };
    database = await module.PGlite.create(input.directory);
  } catch (error) {
    reply({ failure: String(error) });
    return;
  }
  reply('ready');

  async function serve(request: WorkerRequest): Promise<void> {
    try {
      if (request === 'close') {
        await database.close();
        reply('closed');
        return;
      }
      // A copy, because the answer is a view of PGlite's own memory; the copy is then moved, not copied again.
      const answer = new Uint8Array(await database.execProtocolRaw(request));
      reply(answer, [answer.buffer]);
    } catch (error) {
      reply({ failure: String(error) });
    }
  }
  let last = Promise.resolve();
  port.on('message', (request: WorkerRequest) => {
    last = last.then(() => serve(request));
  });
}

/** The program of the thread, in JavaScript. */
export function workerProgram(): string {
  return `const { parentPort, workerData } = require('node:worker_threads');\n(${workerMain.toString()})(parentPort, workerData, require);`;
}
