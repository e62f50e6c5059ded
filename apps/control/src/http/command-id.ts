/** The command id of a request: its `Idempotency-Key`, or a fresh one. */
import type { FastifyRequest } from 'fastify';
import type { CommandId } from '@graphrun/domain';
import { GraphrunError, isCommandId, newCommandId } from '@graphrun/protocol';

export function commandIdOf(request: FastifyRequest): CommandId {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return newCommandId();
  if (typeof key === 'string' && isCommandId(key)) return key;
  throw new GraphrunError('InvalidArgument', 'Idempotency-Key must be 1 to 128 characters of A-Z a-z 0-9 _ . : -.');
}
