/** `/healthz` (restart me?) and `/readyz` (does work get done?), with reasons (spec 05, 09 "Stuck"). */
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Why the answer is no; empty means yes. */
export interface HealthSource {
  notAlive(): readonly string[];
  notReady(): readonly string[];
}

export class HealthServer {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on `port` (0 for any free one). Rejects when the port is taken. */
  static async listen(host: string, port: number, source: HealthSource): Promise<HealthServer> {
    const server = createServer((request, response) => {
      if (request.url === '/healthz') answer(response, source.notAlive());
      else if (request.url === '/readyz') answer(response, source.notReady());
      else response.writeHead(404, { 'content-type': 'application/json' }).end('{"reasons":["no such page"]}\n');
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    return new HealthServer(server);
  }

  get port(): number {
    // A server that listens on TCP has an address of this shape.
    return (this.#server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }
}

function answer(response: ServerResponse, reasons: readonly string[]): void {
  const ok = reasons.length === 0;
  response.writeHead(ok ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify({ status: ok ? 'ok' : 'failing', reasons })}\n`);
}
