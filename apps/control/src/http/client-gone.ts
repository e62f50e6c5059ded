/** Tells a long wait that nobody listens any more. */
import type { FastifyReply } from 'fastify';

export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort()); // also after the answer, when it changes nothing
  return gone.signal;
}
