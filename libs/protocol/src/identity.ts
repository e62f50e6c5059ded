/**
 * Identities that several processes must derive alike, and the routing that follows from them (spec 04 "Partitions
 * and identities"). Every retry of a start, through any control replica, meets the same aggregate because its
 * WorkflowId is derived, not drawn.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { CommandId, RunId, SessionId, WorkflowId } from '@graphrun/domain';

/** Fields are joined by their lengths, so that no two lists of fields give the same text. */
function digestOf(...fields: readonly string[]): string {
  const hash = createHash('sha256');
  for (const field of fields) hash.update(`${field.length}:${field}`);
  return hash.digest('hex');
}

export interface StartIdentity {
  readonly namespace: string;
  readonly workflow: string;
  /** null: each command id is a workflow of its own. */
  readonly startKey: string | null;
  readonly principal: string;
  readonly commandId: CommandId;
}

export function workflowIdFor(start: StartIdentity): WorkflowId {
  const { namespace, workflow, startKey, principal, commandId } = start;
  const digest =
    startKey === null
      ? digestOf('command', namespace, principal, commandId)
      : digestOf('key', namespace, workflow, startKey);
  return digest.slice(0, 32) as WorkflowId;
}

/** The first 32 bits of a WorkflowId decide its partition. */
export function partitionOf(workflowId: WorkflowId, partitions: number): number {
  return Number.parseInt(workflowId.slice(0, 8), 16) % partitions;
}

/** A RunId ends with the routing bits of its WorkflowId, so that it can be routed without a look-up. */
export function partitionOfRun(run: RunId, partitions: number): number {
  return Number.parseInt(run.slice(-8), 16) % partitions;
}

/**
 * The UUIDv7 of a run: 48 bits of admission time, then bits hashed from WorkflowId and ordinal, then the routing
 * bits. Deterministic, so that applying the same command twice names the same run.
 */
export function runIdFor(workflowId: WorkflowId, ordinal: number, admittedAt: number): RunId {
  const time = admittedAt.toString(16).padStart(12, '0');
  const tail = digestOf('run', workflowId, String(ordinal));
  const variant = ((Number.parseInt(tail.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8, 12),
    `7${tail.slice(0, 3)}`,
    `${variant}${tail.slice(4, 7)}`,
    `${tail.slice(7, 11)}${workflowId.slice(0, 8)}`,
  ].join('-') as RunId;
}

const RUN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function isRunId(text: string): text is RunId {
  return RUN_ID.test(text);
}

const COMMAND_ID = /^[A-Za-z0-9_.:-]{1,128}$/;

/** What a client may choose as a command id (and so as an `Idempotency-Key`). */
export function isCommandId(text: string): text is CommandId {
  return COMMAND_ID.test(text);
}

export function newCommandId(): CommandId {
  return randomUUID() as string as CommandId;
}

/** A session carries whom it belongs to, so that nobody can claim or report in the name of another's. */
export function newSessionId(principal: string): SessionId {
  return `${sessionPrefix(principal)}${randomUUID()}` as SessionId;
}

export function isSessionOf(session: string, principal: string): boolean {
  return session.startsWith(sessionPrefix(principal));
}

const sessionPrefixes = new Map<string, string>();

function sessionPrefix(principal: string): string {
  let prefix = sessionPrefixes.get(principal);
  if (prefix === undefined) {
    prefix = `${digestOf('session', principal).slice(0, 16)}-`;
    if (sessionPrefixes.size >= 4096) sessionPrefixes.clear();
    sessionPrefixes.set(principal, prefix);
  }
  return prefix;
}

/** Digest of a request as sent: the same command id with another digest is a conflict. */
export function requestDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
