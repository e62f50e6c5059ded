/**
 * Reads what comes over the wire beside commands. Only members of the cluster may publish there, so the checks are
 * for broken and foreign senders: the fields that are used must be there, with their types.
 */
import type {
  AbortNotice,
  ChangeNotice,
  HeartbeatsReply,
  HeartbeatsRequest,
  Offer,
  Receipt,
  RenewReply,
  RenewRequest,
  SessionInfo,
} from '@graphrun/protocol';

type FieldType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'number or null';
type Shape = Readonly<Record<string, FieldType>>;

const OFFER: Shape = {
  id: 'string',
  partition: 'number',
  epoch: 'number',
  run: 'string',
  activation: 'string',
  attempt: 'number',
  generation: 'number',
  role: 'string',
  activity: 'string',
  version: 'number',
  effectKey: 'string',
  timeoutMs: 'number',
  contractDigest: 'string',
  strict: 'boolean',
  grantedUntil: 'number or null',
};
const ABORT: Shape = { run: 'string', activation: 'string', generation: 'number', reason: 'string' };
const NOTICE: Shape = { partition: 'number', epoch: 'number', commitNo: 'number', backlog: 'number', changes: 'array' };
const RENEW_REQUEST: Shape = { session: 'string', claims: 'array' };
const RENEW_REPLY: Shape = { epoch: 'number', leaseMs: 'number', lost: 'array' };
const SESSION: Shape = {
  session: 'string',
  worker: 'string',
  principal: 'string',
  startedAt: 'number',
  capabilities: 'array',
  unknownContracts: 'array',
  draining: 'boolean',
  running: 'number',
};

export class UnreadableMessageError extends Error {
  override readonly name = 'UnreadableMessageError';
}

function hasType(value: unknown, type: FieldType): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'number or null':
      return value === null || typeof value === 'number';
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
  }
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableMessageError(`${what} is not JSON`, { cause });
  }
}

function check(value: unknown, shape: Shape, what: string): unknown {
  if (!hasType(value, 'object')) throw new UnreadableMessageError(`${what} is not a JSON object`);
  const fields = value as Record<string, unknown>;
  for (const [field, type] of Object.entries(shape)) {
    if (!hasType(fields[field], type)) throw new UnreadableMessageError(`${what} has no ${field} of type ${type}`);
  }
  return value;
}

export function decodeOffer(text: string): Offer {
  const value = check(parse(text, 'an offer'), OFFER, 'an offer') as Offer;
  if (!('input' in value)) throw new UnreadableMessageError('an offer has no input');
  return value;
}

export function decodeAbort(text: string): AbortNotice {
  return check(parse(text, 'an abort notice'), ABORT, 'an abort notice') as AbortNotice;
}

export function decodeNotices(text: string): readonly ChangeNotice[] {
  const what = 'a change notice';
  const notices = parse(text, 'a list of change notices');
  if (!Array.isArray(notices)) throw new UnreadableMessageError('a list of change notices is not an array');
  return notices.map((notice) => check(notice, NOTICE, what) as ChangeNotice);
}

export function decodeRenewRequest(text: string): RenewRequest {
  return check(parse(text, 'a renewal'), RENEW_REQUEST, 'a renewal') as RenewRequest;
}

export function decodeRenewReply(text: string): RenewReply {
  return check(parse(text, 'the answer to a renewal'), RENEW_REPLY, 'the answer to a renewal') as RenewReply;
}

export function decodeHeartbeatsRequest(text: string): HeartbeatsRequest {
  return check(
    parse(text, 'a question for heartbeats'),
    { run: 'string' },
    'a question for heartbeats',
  ) as HeartbeatsRequest;
}

export function decodeHeartbeatsReply(text: string): HeartbeatsReply {
  return check(parse(text, 'heartbeats'), { attempts: 'array' }, 'heartbeats') as HeartbeatsReply;
}

export function decodeSession(text: string): SessionInfo {
  return check(parse(text, 'a session'), SESSION, 'a session') as SessionInfo;
}

export function decodeReceipts(text: string): readonly Receipt[] {
  const value = parse(text, 'a list of receipts');
  if (!Array.isArray(value)) throw new UnreadableMessageError('a list of receipts is not an array');
  for (const receipt of value as readonly unknown[]) {
    const kind = hasType(receipt, 'object') ? (receipt as Record<string, unknown>)['kind'] : undefined;
    if (kind === 'client') check(receipt, { id: 'string', result: 'object' }, 'a client receipt');
    else if (kind === 'worker') check(receipt, { ref: 'string', verdict: 'string' }, 'a worker receipt');
    else throw new UnreadableMessageError('a receipt is neither of kind client nor worker');
  }
  return value as readonly Receipt[];
}
