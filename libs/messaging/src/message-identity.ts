import { createHash } from 'node:crypto';
import type { MessageIdentity } from './ports.js';

/**
 * The first 16 hex digits of SHA-256 over the UTF-8 bytes of a logged message. It stands in the partition row beside
 * the sequence, so that a log restored from an old copy is recognised (spec 04 "Ownership", Position).
 */
export const messageIdentity: MessageIdentity = (data) =>
  createHash('sha256').update(data, 'utf8').digest('hex').slice(0, 16);
