/**
 * Who asks (spec 05 "Security"). With API keys, every request but the liveness and readiness probes needs one. Without
 * keys the service only listens on loopback, and everybody there is the principal `local`; a browser that was lured to
 * loopback by a foreign page is not, so requests for another host name or from another origin are refused.
 *
 * It runs before routing finds a handler, so before any look-up: who is not admitted learns nothing.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { GraphrunError } from '@graphrun/protocol';
import type { ApiKey } from '@graphrun/settings';

declare module 'fastify' {
  interface FastifyRequest {
    /** Name of the API key, or `local`. Set before any handler runs. */
    principal: string;
  }
}

export type Authenticate = (request: FastifyRequest) => string;

const OPEN_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Names by which a client on this machine may address the service. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns the principal of a request or throws `Unauthenticated` or `PermissionDenied`. */
export function authenticator(keys: readonly ApiKey[]): Authenticate {
  if (keys.length === 0) return local;
  const known = keys.map((key) => ({ name: key.name, digest: sha256(key.token) }));
  return (request) => {
    if (OPEN_PATHS.has(request.url)) return 'probe';
    const header = request.headers.authorization;
    const token = header?.startsWith('Bearer ') === true ? header.slice('Bearer '.length).trim() : '';
    if (token === '') {
      throw new GraphrunError('Unauthenticated', 'Send an API key as "Authorization: Bearer <token>".');
    }
    const digest = sha256(token);
    let principal: string | null = null;
    // Every key is compared, so that the time says nothing about which one was close.
    for (const key of known) if (timingSafeEqual(key.digest, digest)) principal = key.name;
    if (principal === null)
      throw new GraphrunError('Unauthenticated', 'This API key is not known here; check the token.');
    return principal;
  };
}

function local(request: FastifyRequest): string {
  const { host, origin } = request.headers;
  const named = host?.replace(/:\d+$/, '').toLowerCase();
  if (named === undefined || !LOOPBACK_HOSTS.has(named)) {
    throw new GraphrunError(
      'PermissionDenied',
      'Without API keys this service answers only requests that address it as localhost or 127.0.0.1; set GRAPHRUN_API_KEYS for others.',
    );
  }
  if (origin !== undefined && origin.replace(/^https?:\/\//, '') !== host) {
    throw new GraphrunError('PermissionDenied', 'Requests from pages of other origins are refused.');
  }
  return 'local';
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
