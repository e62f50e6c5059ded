/**
 * The connection that apply has for itself on a PostgreSQL server.
 *
 * Its failures decide about takeovers, so it must fail in bounded time: the server gives up on a statement after
 * `APPLY_TIMEOUT_MS`, which is well below the partition lease of 10 s, and this side gives up a little later, when
 * the server does not answer any more (a cut network shows as silence, and TCP would wait for minutes).
 */
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { sessionSurvives } from '../apply/apply-outcome.js';
import { APPLY_STATEMENT } from '../apply/apply-parameters.js';
import type { ApplySession } from '../apply/apply-session.js';
import { SerialQueue } from '../apply/serial-queue.js';
import { PREPARE_SESSION } from './session-settings.js';

/** Begins the application name of every apply connection; a successor terminates only such backends. */
export const APPLY_APPLICATION_PREFIX = 'graphrun-apply';

const APPLY_TIMEOUT_MS = 5_000;
const SILENCE_TIMEOUT_MS = 6_500;
const CONNECT_TIMEOUT_MS = 3_000;
const FAREWELL_MS = 1_000;

interface Connected {
  readonly client: Client;
  readonly socket: Socket;
  readonly pid: number;
}

export class ApplyConnection implements ApplySession {
  private readonly queue = new SerialQueue();
  private current: Connected | null = null;
  private closed = false;

  constructor(private readonly config: { readonly url: string; readonly applicationName: string }) {}

  backendPid(): Promise<number> {
    return this.queue.run(async () => (await this.connected()).pid);
  }

  call(parameters: readonly (Buffer | null)[]): Promise<void> {
    return this.queue.run(async () => {
      const connection = await this.connected();
      try {
        await connection.client.query({ ...APPLY_STATEMENT, values: [...parameters] });
      } catch (error) {
        if (!sessionSurvives(error)) this.discard(connection);
        throw error;
      }
    });
  }

  close(): Promise<void> {
    return this.queue.run(async () => {
      this.closed = true;
      const connection = this.current;
      this.current = null;
      if (connection === null) return;
      // A server that has gone silent does not answer a farewell either.
      await Promise.race([connection.client.end(), delay(FAREWELL_MS, undefined, { ref: false })]);
      connection.socket.destroy();
    });
  }

  private async connected(): Promise<Connected> {
    if (this.closed) throw new Error('the store has been closed');
    if (this.current !== null) return this.current;
    const socket = new Socket();
    const config: ClientConfig = {
      connectionString: this.config.url,
      application_name: `${APPLY_APPLICATION_PREFIX} ${this.config.applicationName}`,
      stream: () => socket,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: APPLY_TIMEOUT_MS,
      idle_in_transaction_session_timeout: APPLY_TIMEOUT_MS,
      query_timeout: SILENCE_TIMEOUT_MS,
    };
    const client = new Client(config);
    // The loss of an idle connection is an event without a caller: the next call connects anew.
    client.on('error', () => {
      if (this.current?.client === client) this.current = null;
      socket.destroy();
    });
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(PREPARE_SESSION);
      const [row] = rows;
      if (row === undefined) throw new Error('the session did not say its backend');
      this.current = { client, socket, pid: row.pid };
      return this.current;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** Without a farewell: the other side may not listen, and its backend ends when it notices. */
  private discard(connection: Connected): void {
    if (this.current === connection) this.current = null;
    connection.socket.destroy();
  }
}
