/** The bytes and reply subjects of JetStream messages. */

const decoder = new TextDecoder();

export function decodeText(data: Uint8Array): string {
  return decoder.decode(data);
}

export interface Delivery {
  /** Sequence in the stream. */
  readonly seq: number;
  /** Sequence of this consumer's deliveries, from 1 without gaps. */
  readonly deliverySeq: number;
  /** UTC ms at which the stream took the message. */
  readonly timestamp: number;
}

/**
 * Reads `$JS.ACK.<stream>.<consumer>.<deliveries>.<stream seq>.<consumer seq>.<time ns>.<pending>`; servers with a
 * domain put two tokens more in front and one at the end. null when it is no such subject.
 */
export function parseDelivery(reply: string | undefined): Delivery | null {
  if (!reply?.startsWith('$JS.ACK.')) return null;
  const tokens = reply.split('.');
  const at = tokens.length === 9 ? 4 : tokens.length >= 11 ? 6 : -1;
  if (at < 0) return null;
  const seq = Number(tokens[at + 1]);
  const deliverySeq = Number(tokens[at + 2]);
  // Nanoseconds exceed the safe integers: the last six digits are cut as text.
  const timestamp = Number(tokens[at + 3]?.slice(0, -6));
  if (!Number.isSafeInteger(seq) || !Number.isSafeInteger(deliverySeq) || !Number.isSafeInteger(timestamp)) return null;
  return { seq, deliverySeq, timestamp };
}

/** Whether JetStream has given the message to somebody before. */
export function isRedelivered(reply: string | undefined): boolean {
  if (!reply?.startsWith('$JS.ACK.')) return false;
  const tokens = reply.split('.');
  return Number(tokens[tokens.length === 9 ? 4 : 6]) > 1;
}
