/**
 * Reading what a request says. Fastify hands over the body as bytes; it is decoded here, once, strictly: UTF-8 only, no
 * rounding of integers, no unknown fields. Fastify's and Nest's own parsers and pipes are not used.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GraphrunError } from '@graphrun/protocol';
import { HttpProblem, invalid } from './problem.js';
import type { Fields, Issue, Shape } from './shape/shape.js';
import { object, REFUSED } from './shape/shape.js';

/** The largest body: a payload or YAML document of 256 KiB, escaped as JSON, and what stands around it. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

interface RawBody {
  readonly type: 'json' | 'yaml';
  readonly text: string;
}

const MEDIA_TYPES: Readonly<Record<string, RawBody['type']>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'text/yaml': 'yaml',
};

/** Replaces the content type parsers of a Fastify instance. */
export function registerBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  for (const [mediaType, type] of Object.entries(MEDIA_TYPES)) {
    fastify.addContentTypeParser(
      mediaType,
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
      (_request, bytes, done) => {
        const buffer = bytes as Buffer; // parseAs: 'buffer'
        if (isUtf8(buffer)) done(null, { type, text: buffer.toString('utf8') } satisfies RawBody);
        else done(new GraphrunError('InvalidArgument', 'The body is not UTF-8; send it as UTF-8.'));
      },
    );
  }
}

function rawBody(request: FastifyRequest): RawBody {
  const body = request.body as RawBody | undefined;
  if (body === undefined) throw new GraphrunError('InvalidArgument', 'The request has no body; send a JSON object.');
  return body;
}

/** The body, if it is YAML; null when it is JSON. */
export function yamlBody(request: FastifyRequest): string | null {
  const body = rawBody(request);
  return body.type === 'yaml' ? body.text : null;
}

/** The text of a JSON body, for a reader of its own. */
export function jsonText(request: FastifyRequest): string {
  const body = rawBody(request);
  if (body.type === 'json') return body.text;
  throw new HttpProblem('InvalidArgument', 'This request takes application/json.', 415, {
    expected: ['application/json'],
  });
}

/** The JSON body as `shape`. Throws `InvalidArgument` with every issue that was found. */
export function jsonBody<T>(request: FastifyRequest, shape: Shape<T>): T {
  const text = jsonText(request);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new GraphrunError(
      'InvalidArgument',
      `The body is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause },
    );
  }
  return accept(shape, value, '');
}

/** A parameter of the path. */
export function pathParameter<T>(name: string, text: string, shape: Shape<T>): T {
  return accept(shape, text, name);
}

/** A query reader for these parameters; unknown and repeated ones are refused. */
export function queryShape<T extends object>(fields: Fields<T>): (request: FastifyRequest) => T {
  const shape = object(fields);
  const known = Object.keys(fields).join(', ') || 'none';
  return (request) => {
    const given = request.query as Record<string, string | string[]>;
    const issues: Issue[] = [];
    const result = shape.read(given, '?', issues);
    if (result !== REFUSED) return result;
    throw invalid(
      issues.map(({ pointer, message }) => ({
        pointer: pointer.replace('?/', '?'),
        message: message.startsWith('is not a known field') ? `is not a known parameter; known are ${known}` : message,
      })),
    );
  };
}

function accept<T>(shape: Shape<T>, value: unknown, pointer: string): T {
  const issues: Issue[] = [];
  const result = shape.read(value, pointer, issues);
  if (result === REFUSED) throw invalid(issues);
  return result;
}
