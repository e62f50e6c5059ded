/** /healthz, /readyz and /metrics of a coordinator: plain HTTP, nothing to configure, no route that changes anything. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Coordinator } from '@graphrun/engine';

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface HealthSources {
  readonly coordinator: Coordinator;
  /** Sentences that say what is missing, for readiness. */
  readonly problems: () => readonly string[];
}

export async function serveHealth(host: string, port: number, sources: HealthSources): Promise<HealthServer> {
  const server = createServer((request, response) => {
    answer(request.url ?? '/', sources).then(
      ({ status, type, body }) => {
        response.writeHead(status, { 'content-type': type });
        response.end(body);
      },
      (error: unknown) => {
        response.writeHead(500, { 'content-type': 'text/plain' });
        response.end(error instanceof Error ? error.message : String(error));
      },
    );
  });
  await listening(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  path: string,
  { coordinator, problems }: HealthSources,
): Promise<{ readonly status: number; readonly type: string; readonly body: string }> {
  const json = (status: number, body: unknown): { status: number; type: string; body: string } => ({
    status,
    type: 'application/json',
    body: `${JSON.stringify(body)}\n`,
  });
  switch (path) {
    case '/healthz':
      return json(200, { status: 'ok' });
    case '/readyz': {
      const health = coordinator.health();
      const reasons = [...problems(), ...(health.problem === null ? [] : [health.problem])];
      return json(reasons.length === 0 ? 200 : 503, {
        ready: reasons.length === 0,
        reasons,
        partitions: health.partitions,
      });
    }
    case '/metrics': {
      const { registry } = coordinator.metrics;
      return { status: 200, type: registry.contentType, body: await registry.metrics() };
    }
    default:
      return json(404, { error: 'there is /healthz, /readyz and /metrics' });
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
