/**
 * Reads commands from the log. What is on the wire is untrusted: a message is either exactly one of the known shapes
 * or refused with a sentence that names the field; unknown fields are refused too.
 */
import type { ReportOutcome, Role, RunId } from '@graphrun/domain';
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
  signal: ['kind', 'id', 'notAfter', 'replyTo', 'run', 'event', 'signal', 'key', 'payload'],
  cancel: ['kind', 'id', 'notAfter', 'replyTo', 'run', 'reason'],
  pause: ['kind', 'id', 'notAfter', 'replyTo', 'run', 'reason', 'expectedSeq'],
  resume: ['kind', 'id', 'notAfter', 'replyTo', 'run', 'reason', 'expectedSeq'],
  abandon: ['kind', 'id', 'notAfter', 'replyTo', 'run', 'reason', 'expectedSeq'],
  terminate: ['kind', 'id', 'notAfter', 'replyTo', 'run', 'reason', 'expectedSeq'],
  reopen: ['kind', 'id', 'notAfter', 'replyTo', 'run', 'reason', 'expectedSeq', 'version'],
  resolve: ['kind', 'id', 'notAfter', 'replyTo', 'run', 'reason', 'expectedSeq', 'activation', 'resolution'],
  claim: ['kind', 'ref', 'replyTo', 'run', 'activation', 'generation', 'session', 'free'],
  report: ['kind', 'ref', 'replyTo', 'run', 'activation', 'generation', 'session', 'free', 'lax', 'outcome'],
};

const ROLES: readonly unknown[] = ['forward', 'compensation', 'reconciliation'] satisfies readonly Role[];

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
    if (!ROLES.includes(entry['role'])) refuse('role must be forward, compensation or reconciliation');
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
    case 'probed':
      return probed(shape);
    default:
      refuse('outcome.kind must be success, error, unhandled, probed or returned');
  }
  if (Object.keys(shape).length !== 2) refuse('outcome has fields that do not belong to its kind');
  return value as ReportOutcome;
}

const ANSWERS = ['applied', 'not_applied', 'unknown'];

/** A reconciler's answer: an output goes with `applied`, and with nothing else. */
function probed(shape: Fields): ReportOutcome {
  if (!ANSWERS.includes(String(shape['answer']))) refuse('outcome.answer must be applied, not_applied or unknown');
  const applied = shape['answer'] === 'applied';
  if (applied) json(shape['output'], 'outcome.output');
  if (Object.keys(shape).length !== (applied ? 3 : 2)) refuse('outcome has fields that do not belong to its kind');
  return shape as unknown as ReportOutcome;
}

function checkReason(fields: Fields): void {
  if (Buffer.byteLength(text(fields, 'reason', 1024)) > 1024 || checkValue(fields['reason']) !== null) {
    refuse('reason must be plain text of at most 1 KiB');
  }
}

function checkOperator(fields: Fields): void {
  run(fields);
  checkReason(fields);
  if (fields['expectedSeq'] !== null) integer(fields, 'expectedSeq', 1);
}

function checkSignal(fields: Fields): void {
  run(fields);
  const event = fields['event'];
  if (typeof event !== 'string' || !isCommandId(event))
    refuse('event must be 1 to 128 characters of A-Z a-z 0-9 _ . : -');
  const name = fields['signal'];
  if (typeof name !== 'string' || !isName(name)) refuse('signal must be a name of 1 to 64 characters');
  const key = fields['key'];
  if (typeof key !== 'string' || Buffer.byteLength(key) > LIMITS.signalKeyBytes || checkValue(key) !== null) {
    refuse(`key must be plain text of at most ${LIMITS.signalKeyBytes} bytes`);
  }
  json(fields['payload'], 'payload');
}

function checkResolution(fields: Fields): void {
  checkActivation(fields);
  const value = fields['resolution'];
  if (typeof value !== 'object' || value === null) refuse('resolution must be an object');
  const shape = value as Fields;
  const members = { applied: 'output', not_applied: null, retry: 'attempts', fail: 'failure', input: 'input' } as const;
  const kind = shape['kind'];
  if (typeof kind !== 'string' || !Object.hasOwn(members, kind)) {
    refuse('resolution.kind must be applied, not_applied, retry, fail or input');
  }
  const member = members[kind as keyof typeof members];
  if (member === 'output' || member === 'input') json(shape[member], `resolution.${member}`);
  if (member === 'attempts') integer(shape, 'attempts', 1);
  if (member === 'failure') failure(shape);
  if (Object.keys(shape).length !== (member === null ? 1 : 2)) {
    refuse('resolution has fields that do not belong to its kind');
  }
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

/** `a7`, its compensation `a7c`, or a probe about either. */
function checkActivation(fields: Fields): void {
  if (!/^a[0-9]{1,9}c?r?$/.test(text(fields, 'activation', 14))) refuse('activation must be like a1, a1c or a1r');
}

function checkWorker(fields: Fields): void {
  text(fields, 'ref', 200);
  run(fields);
  checkActivation(fields);
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
      checkReason(fields);
      break;
    case 'signal':
      checkClient(fields);
      checkSignal(fields);
      break;
    case 'pause':
    case 'resume':
    case 'abandon':
    case 'terminate':
      checkClient(fields);
      checkOperator(fields);
      break;
    case 'reopen':
      checkClient(fields);
      checkOperator(fields);
      if (fields['version'] !== null) integer(fields, 'version', 1);
      break;
    case 'resolve':
      checkClient(fields);
      checkOperator(fields);
      checkResolution(fields);
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
