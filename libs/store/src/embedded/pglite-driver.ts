/**
 * Lets `pg` and TypeORM's postgres driver run on PGlite: a stream that looks like a socket to `pg` and carries the
 * PostgreSQL protocol to the database thread. So everything above it is the same code as on a server: prepared
 * statements, binary parameters, SQLSTATEs, transactions.
 *
 * PGlite has one session. A pool of one client is the mutex: whoever holds the client holds the session, so
 * transactions never interleave.
 */
import { Duplex } from 'node:stream';
import { Client, Pool, type ClientConfig } from 'pg';
import { sessionSurvives } from '../apply/apply-outcome.js';
import { APPLY_STATEMENT } from '../apply/apply-parameters.js';
import type { ApplySession } from '../apply/apply-session.js';
import type { PGliteThread } from './pglite-thread.js';

const TERMINATE_MESSAGE = 'X'.charCodeAt(0);

/** Clears what a former client left in the one session: an open transaction, prepared statements, settings. */
const CLEAN_SESSION: readonly string[] = ['ROLLBACK', 'DISCARD ALL'];

/** The part of `net.Socket` that `pg` uses. */
class PGliteSocket extends Duplex {
  constructor(private readonly thread: PGliteThread) {
    super();
  }

  connect(): this {
    this.openSession().then(
      () => this.emit('connect'),
      (error: unknown) => this.destroy(asError(error)),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // Answers are pushed as they come: the protocol asks before it is answered, so they are bounded by the question.
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.send(chunk, done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.send(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  private send(bytes: Buffer, done: (error?: Error | null) => void): void {
    if (bytes[0] === TERMINATE_MESSAGE) {
      // The session is not the client's to end: the next client of the pool will use it.
      this.push(null);
      done();
      return;
    }
    this.thread.exchange(bytes).then(
      (answer) => {
        if (answer.length > 0) this.push(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength));
        done();
      },
      (error: unknown) => done(asError(error)),
    );
  }

  private async openSession(): Promise<void> {
    for (const statement of CLEAN_SESSION) await this.thread.exchange(simpleQuery(statement));
  }
}

/** The frontend message `Query`. */
function simpleQuery(statement: string): Buffer {
  const body = Buffer.from(`${statement}\0`);
  const message = Buffer.allocUnsafe(5 + body.length);
  message.write('Q', 0);
  message.writeInt32BE(4 + body.length, 1);
  body.copy(message, 5);
  return message;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

export function createPGlitePool(thread: PGliteThread): Pool {
  const config: ClientConfig = {
    user: 'postgres',
    database: 'postgres',
    host: 'embedded',
    // `pg` wants a socket and uses of it what `PGliteSocket` has.
    stream: () => new PGliteSocket(thread),
  };
  return new Pool({ ...config, Client, max: 1, idleTimeoutMillis: 0 });
}

/** TypeORM's `driver` option: a module with a `Pool`. There is one pool, whoever constructs it. */
export function typeormDriver(pool: Pool): { readonly Pool: new () => Pool } {
  function ThePool(): Pool {
    return pool;
  }
  return { Pool: ThePool as unknown as new () => Pool };
}

/** Apply in embedded mode: the one session, for the time of one call. */
export class PGliteApplySession implements ApplySession {
  constructor(private readonly pool: Pool) {}

  async backendPid(): Promise<number> {
    const { rows } = await this.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid ?? 0;
  }

  async call(parameters: readonly (Buffer | null)[]): Promise<void> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query({ ...APPLY_STATEMENT, values: [...parameters] });
    } catch (error) {
      if (!sessionSurvives(error)) broken = asError(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  close(): Promise<void> {
    // The pool belongs to the database, which ends it.
    return Promise.resolve();
  }
}
