/** Prometheus metrics of one control process (spec 05 "Observability"). */
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ControlServices } from '../services.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30, 300];

export class ControlMetrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;

  constructor(services: ControlServices) {
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'graphrun_http_request_seconds',
      help: 'Time from the arrival of a request to its answer, long waits included.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers: [this.#registry],
    });
    this.#gauge(
      'graphrun_control_commands_in_flight',
      'Commands that wait for their receipt.',
      () => services.gateway.inFlight,
    );
    this.#gauge(
      'graphrun_control_runs_waited_for',
      'Runs whose outcome somebody waits for.',
      () => services.outcomes.waiting,
    );
    this.#gauge(
      'graphrun_control_missed_commits',
      'Gaps in the change notices since the start.',
      () => services.outcomes.gaps,
    );
  }

  register(fastify: FastifyInstance): void {
    fastify.addHook('onResponse', (request, reply, done) => {
      this.#requests.observe(
        { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode },
        reply.elapsedTime / 1000,
      );
      done();
    });
    fastify.get('/metrics', async (_request, reply) =>
      reply.type(this.#registry.contentType).send(await this.#registry.metrics()),
    );
  }

  #gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect: () => gauge.set(read()) });
  }
}
