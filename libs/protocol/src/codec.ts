/**
 * Reads commands from the log. What is on the wire is untrusted: a message is either exactly one of the known shapes
 * or refused with a sentence that names the field; unknown fields are refused too.
 */
import type { ReportOutcome, RunId } from '@graphrun/domain';
import { checkValue, isName, LIMITS } from '@graphrun/dsl';
import type { Json } from '@graphrun/dsl';
import type { CommandKind, FreeSlots, SenderRole, WireCommand } from './command.js';
import { ALLOWED_KINDS } from './command.js';
import { GraphrunError } from './errors.js';
import { isCommandId, isRunId, partitionOf, partitionOfRun } from './identity.js';

function refuse(message: string): never {
  throw new GraphrunError('InvalidArgument', message);
}

type Fields = Readonly<Record<string, unknown>>;

const FIELDS: Readonly<Record<CommandKind, readonly string[]>> = {
  start: ['kind', 'id', 'notAfter', 'replyTo', 'workflowId', 'namespace', 'workflow', 'version', 'startKey', 'input'],
  cancel: ['kind', 'id', 'notAfter', 'replyTo', 'run', 'reason'],
  claim: ['kind', 'ref', 'replyTo', 'run', 'activation', 'generation', 'session', 'free'],
  report: ['kind', 'ref', 'replyTo', 'run', 'activation', 'generation', 'session', 'free', 'lax', 'outcome'],
};

function text(fields: Fields, name: string, max: number): string {
  const value = fields[name];
  if (typeof value !== 'string' || value.length === 0 || value.length > max) {
    refuse(`${name} must be a text of 1 to ${max} characters`);
  }
  return value;
}

function integer(fields: Fields, name: string, min: number): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min) {
    refuse(`${name} must be an integer of at least ${min}`);
  }
  return value;
}

function run(fields: Fields): RunId {
  const value = fields['run'];
  if (typeof value !== 'string' || !isRunId(value)) refuse('run must be the id of a run');
  return value;
}

function free(fields: Fields): readonly FreeSlots[] {
  const value = fields['free'];
  if (!Array.isArray(value) || value.length > 256) refuse('free must be a list of at most 256 entries');
  for (const entry of value as readonly (Fields | null)[]) {
    if (typeof entry !== 'object' || entry === null) refuse('free holds an entry that is no object');
    text(entry, 'activity', 64);
    integer(entry, 'version', 1);
    integer(entry, 'slots', 0);
  }
  return value as readonly FreeSlots[];
}

function json(value: unknown, name: string): Json {
  if (value === undefined) refuse(`${name} is missing`);
  const issue = checkValue(value);
  if (issue !== null) refuse(`${name}${issue.pointer}: ${issue.message}`);
  return value as Json;
}

function failure(fields: Fields): void {
  const value = fields['failure'];
  if (typeof value !== 'object' || value === null) refuse('outcome.failure must be an object with code and message');
  const { code, message, ...rest } = value as Fields;
  if (typeof code !== 'string' || !isName(code)) refuse('outcome.failure.code must be a name of 1 to 64 characters');
  if (typeof message !== 'string') refuse('outcome.failure.message must be a text');
  if (checkValue(message) !== null || Buffer.byteLength(message) > LIMITS.errorMessageBytes) {
    refuse(`outcome.failure.message must be plain text of at most ${LIMITS.errorMessageBytes} bytes`);
  }
  if (Object.keys(rest).length > 0) refuse('outcome.failure may hold code and message only');
}

function outcome(fields: Fields): ReportOutcome {
  const value = fields['outcome'];
  if (typeof value !== 'object' || value === null) refuse('outcome must be an object');
  const shape = value as Fields;
  switch (shape['kind']) {
    case 'success':
      json(shape['output'], 'outcome.output');
      break;
    case 'error':
    case 'unhandled':
      failure(shape);
      break;
    case 'returned':
      text(shape, 'reason', 1024);
      break;
    default:
      refuse('outcome.kind must be success, error, unhandled or returned');
  }
  if (Object.keys(shape).length !== 2) refuse('outcome has fields that do not belong to its kind');
  return value as ReportOutcome;
}

function checkClient(fields: Fields): void {
  const id = fields['id'];
  if (typeof id !== 'string' || !isCommandId(id)) refuse('id must be 1 to 128 characters of A-Z a-z 0-9 _ . : -');
  integer(fields, 'notAfter', 0);
}

function checkStart(fields: Fields): void {
  const id = fields['workflowId'];
  if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id)) refuse('workflowId must be 32 hex digits');
  for (const name of ['namespace', 'workflow']) {
    const value = fields[name];
    if (typeof value !== 'string' || !isName(value)) refuse(`${name} must be a name of 1 to 64 characters`);
  }
  if (fields['version'] !== null) integer(fields, 'version', 1);
  const key = fields['startKey'];
  if (key !== null) {
    if (typeof key !== 'string' || key.length === 0 || Buffer.byteLength(key) > LIMITS.startKeyBytes) {
      refuse(`startKey must be a text of 1 to ${LIMITS.startKeyBytes} bytes`);
    }
    if (checkValue(key) !== null) refuse('startKey holds characters that cannot be stored');
  }
  json(fields['input'], 'input');
}

function checkWorker(fields: Fields): void {
  text(fields, 'ref', 200);
  run(fields);
  if (!/^a[0-9]{1,9}$/.test(text(fields, 'activation', 12))) refuse('activation must be like a1');
  integer(fields, 'generation', 1);
  text(fields, 'session', 64);
  free(fields);
}

/**
 * The command in `data`, sent by `role` as `kind` to `partition`. Throws GraphrunError `InvalidArgument` for a wrong
 * shape and `PermissionDenied` for a kind that the role may not send.
 */
export function readCommand(
  data: string,
  sender: { readonly role: SenderRole; readonly kind: string; readonly partition: number; readonly partitions: number },
): WireCommand {
  const kind = ALLOWED_KINDS[sender.role].find((allowed) => allowed === sender.kind);
  if (kind === undefined) {
    throw new GraphrunError('PermissionDenied', `a ${sender.role} may not send ${sender.kind}`);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch (cause) {
    throw new GraphrunError('InvalidArgument', 'the command is not JSON', { cause });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) refuse('the command is no object');
  const fields = parsed as Fields;
  if (fields['kind'] !== kind) refuse(`the command says ${String(fields['kind'])}, its subject says ${kind}`);
  const known = FIELDS[kind];
  for (const name in fields) if (!known.includes(name)) refuse(`the command has an unknown field ${name}`);
  text(fields, 'replyTo', 512);
  switch (kind) {
    case 'start':
      checkClient(fields);
      checkStart(fields);
      break;
    case 'cancel':
      checkClient(fields);
      run(fields);
      if (Buffer.byteLength(text(fields, 'reason', 1024)) > 1024 || checkValue(fields['reason']) !== null) {
        refuse('reason must be plain text of at most 1 KiB');
      }
      break;
    case 'claim':
      checkWorker(fields);
      break;
    case 'report':
      checkWorker(fields);
      if (typeof fields['lax'] !== 'boolean') refuse('lax must be true or false');
      outcome(fields);
      break;
  }
  const command = parsed as WireCommand;
  const home =
    command.kind === 'start'
      ? partitionOf(command.workflowId, sender.partitions)
      : partitionOfRun(command.run, sender.partitions);
  if (home !== sender.partition) refuse(`the command belongs to partition ${home}, not ${sender.partition}`);
  return command;
}
