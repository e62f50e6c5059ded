/** The provider over HTTP. The paths are described in `docs/provider.md`. */
import { fastify } from 'fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { EffectRequest, Match, Rule } from '@graphrun/testing';
import type { Answer, Provider } from './provider.js';

interface KeyParams {
  readonly key: string;
}

const anything = {};
const text = { type: 'string', minLength: 1 };
const match = {
  type: 'object',
  additionalProperties: false,
  properties: { activity: text, key: text, input: { type: 'object' } },
};
const effect = {
  type: 'object',
  additionalProperties: false,
  required: ['activity', 'input', 'output'],
  properties: { activity: text, input: anything, output: anything },
};
const kindOf = (kind: string, more: Readonly<Record<string, object>> = {}): object => ({
  type: 'object',
  additionalProperties: false,
  required: ['kind', ...Object.keys(more)],
  properties: { kind: { const: kind }, ...more },
});
const rule = {
  type: 'object',
  additionalProperties: false,
  required: ['match', 'behaviour', 'times'],
  properties: {
    match,
    behaviour: {
      oneOf: [
        kindOf('hold'),
        kindOf('delay', { ms: { type: ['integer', 'null'], minimum: 0 } }),
        kindOf('lie'),
        kindOf('refuse', { code: text, message: text }),
      ],
    },
    times: { type: 'integer', minimum: 1 },
  },
};

/** An effect key with its encoding, and room to spare. */
const LONGEST_KEY = 1_024;

export function createServer(provider: Provider): FastifyInstance {
  const server = fastify({
    routerOptions: { maxParamLength: LONGEST_KEY },
    forceCloseConnections: true,
    // Values are taken as they are: a test that sends "1" must not get the ledger of a 1.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
  });
  server.put<{ Params: KeyParams; Body: EffectRequest }>(
    '/v1/effects/:key',
    { schema: { body: effect } },
    async ({ params, body }, reply) => give(reply, await provider.request(params.key, body)),
  );
  server.get<{ Params: KeyParams }>('/v1/effects/:key', ({ params }) => provider.probe(params.key));
  server.get('/v1/ledger', () => ({ lines: provider.lines }));
  server.post<{ Body: Rule }>('/v1/rules', { schema: { body: rule } }, ({ body }, reply) => {
    provider.addRule(body);
    return reply.code(204).send();
  });
  server.delete('/v1/rules', (_request, reply) => {
    provider.clearRules();
    return reply.code(204).send();
  });
  server.post<{ Body: Match }>('/v1/releases', { schema: { body: match } }, ({ body }) => ({
    released: provider.release(body),
  }));
  server.get('/readyz', () => ({ status: 'ok' }));
  return server;
}

function give(reply: FastifyReply, answer: Answer): FastifyReply {
  switch (answer.kind) {
    case 'done':
      return reply.send({ output: answer.output });
    case 'refused':
      return reply.code(409).send({ code: answer.code, message: answer.message });
    case 'none':
      reply.hijack();
      reply.raw.destroy();
      return reply;
  }
}
