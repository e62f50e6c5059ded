/**
 * NATS subjects and stream names of one cluster. Every variable token is escaped to `[A-Za-z0-9_-]`; a long one is
 * hashed, so that no name can reach into another's subject space (spec 04 "Partitions and identities").
 */
import { createHash } from 'node:crypto';
import type { SessionId } from '@graphrun/domain';
import type { SenderRole } from './command.js';
import type { WorkKey } from './offer.js';

const LONGEST_TOKEN = 64;

/**
 * A text as one subject token. Letters, digits and `-` stand for themselves, anything else is `_` and two hex digits
 * of each UTF-8 byte; what gets too long is `_h` and a hash. No two texts share a token.
 */
export function escapeToken(text: string): string {
  let out = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const char = String.fromCharCode(byte);
    out += /[A-Za-z0-9-]/.test(char) ? char : `_${byte.toString(16).padStart(2, '0')}`;
  }
  if (out.length > 0 && out.length <= LONGEST_TOKEN) return out;
  return `_h${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
}

/** The text of a token made by `escapeToken`; a hashed one is returned as it is. */
export function unescapeToken(token: string): string {
  if (token.startsWith('_h')) return token;
  const bytes: number[] = [];
  for (let i = 0; i < token.length; i += 1) {
    if (token[i] === '_') {
      bytes.push(Number.parseInt(token.slice(i + 1, i + 3), 16));
      i += 2;
    } else bytes.push(token.charCodeAt(i));
  }
  return Buffer.from(bytes).toString('utf8');
}

export interface CommandSubject {
  readonly partition: number;
  readonly role: SenderRole;
  readonly principal: string;
  readonly kind: string;
}

export class Subjects {
  readonly #root: string;
  readonly #token: string;
  readonly #commandTokens = new Map<string, string>();

  constructor(cluster: string) {
    this.#token = escapeToken(cluster);
    this.#root = `gr.${this.#token}`;
  }

  streamName(partition: number): string {
    return `GR_${this.#token}_CMD_${partition}`;
  }

  workStreamName(): string {
    return `GR_${this.#token}_WORK`;
  }

  command(partition: number, role: SenderRole, principal: string, kind: string): string {
    return `${this.#root}.cmd.${partition}.${role}.${this.#cached(principal)}.${escapeToken(kind)}`;
  }

  commandFilter(partition: number): string {
    return `${this.#root}.cmd.${partition}.>`;
  }

  /** Who sent what, read from a subject; null when it is no command subject of this cluster. */
  parseCommand(subject: string): CommandSubject | null {
    const tokens = subject.split('.');
    const [gr, cluster, cmd, partition, role, principal, kind] = tokens;
    if (tokens.length !== 7 || gr !== 'gr' || cluster !== this.#token || cmd !== 'cmd') return null;
    if (role !== 'client' && role !== 'worker') return null;
    if (partition === undefined || principal === undefined || kind === undefined || !/^\d{1,6}$/.test(partition)) {
      return null;
    }
    return { partition: Number(partition), role, principal: unescapeToken(principal), kind: unescapeToken(kind) };
  }

  work(key: WorkKey): string {
    return `${this.#root}.work.${key.role}.${escapeToken(key.activity)}.${key.version}`;
  }

  workFilter(): string {
    return `${this.#root}.work.>`;
  }

  /** Durable consumer of a key in the work stream. */
  consumerName(key: WorkKey): string {
    return `${key.role}-${escapeToken(key.activity)}-${key.version}`;
  }

  inboxPrefix(role: SenderRole, principal: string): string {
    return `${this.#root}.inbox.${role}.${this.#cached(principal)}.`;
  }

  inbox(role: SenderRole, principal: string, suffix: string): string {
    return this.inboxPrefix(role, principal) + escapeToken(suffix);
  }

  changes(): string {
    return `${this.#root}.changes`;
  }

  renew(partition: number): string {
    return `${this.#root}.renew.${partition}`;
  }

  /** What attempts under way have said of themselves. */
  heartbeats(partition: number): string {
    return `${this.#root}.heartbeats.${partition}`;
  }

  session(session: SessionId, verb: 'ping' | 'grant' | 'abort'): string {
    return `${this.#root}.session.${escapeToken(session)}.${verb}`;
  }

  /** All sessions answer here. */
  sessionsAll(): string {
    return `${this.#root}.sessions`;
  }

  member(id: string): string {
    return `${this.#root}.member.${escapeToken(id)}`;
  }

  #cached(text: string): string {
    let token = this.#commandTokens.get(text);
    if (token === undefined) {
      token = escapeToken(text);
      if (this.#commandTokens.size >= 4096) this.#commandTokens.clear();
      this.#commandTokens.set(text, token);
    }
    return token;
  }
}
