/** The HTTP server: Nest on Fastify around the services. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkAddress, addressProblem } from '../address.js';
import { ControlServices } from '../services.js';
import type { ControlPorts } from '../services.js';
import { authenticator } from './authentication.js';
import { BODY_LIMIT_BYTES, registerBodyParsers } from './body.js';
import { ControlModule } from './control.module.js';
import { registerDocs } from './docs.js';
import { ControlMetrics } from './metrics.js';
import { ProblemFilter, sendProblem, translate } from './problem-filter.js';
import { problemOf } from './problem.js';

export interface ControlApp {
  readonly services: ControlServices;
  /**
   * Serves on host and port (0: any free one) and returns the base URL. Throws `FailedPrecondition` for an address off
   * loopback without API keys, `Unavailable` when the port is taken.
   */
  listen(host: string, port: number): Promise<string>;
  /** Takes no more requests, answers those that are there, ends waits. */
  close(): Promise<void>;
}

export async function createControlApp(ports: ControlPorts): Promise<ControlApp> {
  const services = new ControlServices(ports);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: 256 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(reply, problemOf(translate(error, request))),
  });
  const app = await NestFactory.create<NestFastifyApplication>(ControlModule.register(services), adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  const fastify = app.getHttpAdapter().getInstance(); // Nest has its own copy of the type
  registerBodyParsers(fastify);
  registerAuthentication(fastify, services);
  new ControlMetrics(services).register(fastify);
  registerDocs(fastify, app);
  app.useGlobalFilters(new ProblemFilter(services.logger));
  await services.start();
  await app.init();
  return {
    services,
    listen: (host, port) => listen(app, services, host, port),
    async close() {
      await services.close();
      await app.close();
    },
  };
}

function registerAuthentication(fastify: FastifyInstance, services: ControlServices): void {
  const authenticate = authenticator(services.config.apiKeys);
  fastify.decorateRequest('principal', '');
  fastify.addHook('onRequest', (request, _reply, done) => {
    try {
      request.principal = authenticate(request);
    } catch (error) {
      done(error as Error); // authenticate throws GraphrunErrors only
      return;
    }
    done();
  });
}

async function listen(
  app: NestFastifyApplication,
  services: ControlServices,
  host: string,
  port: number,
): Promise<string> {
  checkAddress(services.config, host);
  try {
    await app.listen(port, host);
  } catch (cause) {
    throw addressProblem(cause, host, port);
  }
  const address = app.getHttpServer().address() as { readonly port: number }; // listening on TCP
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
