/**
 * Is the stream still the one that was read up to a position? After a restored file store a stream's creation time is
 * unchanged and a consumer started at the old position silently skips what was published since (measured), so the
 * message at the position itself is compared (spec 04 "Ownership", Position).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamInfo } from '@nats-io/jetstream';
import { messageIdentity } from '../message-identity.js';
import type { Connection } from './connection.js';
import { decodeText } from './wire.js';

/** The last message that was applied or delivered, as far as it is known. */
export interface KnownMessage {
  readonly seq: number;
  /** Its `messageIdentity`, or null when only its sequence is known (nothing was read yet). */
  readonly messageId: string | null;
  /** UTC ms. */
  readonly timestamp: number;
}

/** A leader that was just elected may not have applied all that is committed: a bad answer is asked for again. */
const SECOND_LOOK_MS = 500;

/** null when the stream continues behind `known`; else a sentence that says what does not fit. */
export async function findBreak(connection: Connection, known: KnownMessage, info: StreamInfo): Promise<string | null> {
  const first = await look(connection, known, info);
  if (first === null) return null;
  await sleep(SECOND_LOOK_MS);
  return look(connection, known, await connection.impatient.streams.info(info.config.name));
}

async function look(connection: Connection, known: KnownMessage, info: StreamInfo): Promise<string | null> {
  const { name } = info.config;
  const { first_seq: first, last_seq: last } = info.state;
  if (last < known.seq) return `${name} ends at ${last}, but ${known.seq} was read before: it is shorter than recorded`;
  if (first > known.seq + 1)
    return `${name} begins at ${first}, behind the next message ${known.seq + 1}: messages are missing`;
  if (known.messageId === null || known.seq === 0) return null;
  const message = await connection.impatient.streams.getMessage(name, { seq: known.seq });
  if (message === null) return `${name} has no message ${known.seq}, which was read before`;
  if (messageIdentity(decodeText(message.data)) !== known.messageId) {
    return `message ${known.seq} of ${name} is not the one that was read before`;
  }
  const timestamp = Date.parse(message.timestamp);
  if (timestamp !== known.timestamp) {
    return `message ${known.seq} of ${name} has the time ${timestamp} instead of ${known.timestamp}: another message with the same content`;
  }
  return null;
}
