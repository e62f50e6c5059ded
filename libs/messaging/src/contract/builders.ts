/** Data of the contract suite. */
import type { ActivationId, CommandId, EffectKey, RunId, SessionId } from '@graphrun/domain';
import type { Capability, ChangeNotice, Offer, Receipt, SessionInfo, WorkKey } from '@graphrun/protocol';
import { messageIdentity } from '../message-identity.js';
import type {
  LogHandlers,
  LoggedCommand,
  LogPosition,
  OutgoingCommand,
  SessionHandlers,
  TakenOffer,
} from '../ports.js';

export const CHARGE: WorkKey = { role: 'forward', activity: 'charge', version: 1 };
export const START: LogPosition = { incarnation: 1, seq: 0, messageId: '', timestamp: 0 };

export function command(data: string, changes: Partial<OutgoingCommand> = {}): OutgoingCommand {
  return { partition: 0, role: 'client', principal: 'shop', kind: 'start', data, ...changes };
}

export function anOffer(n: number, changes: Partial<Offer> = {}): Offer {
  const run = '0199b1c0-0000-7000-8000-000000000001' as RunId;
  const activation = `a${n}` as ActivationId;
  return {
    id: `0.1.${n}`,
    partition: 0,
    epoch: 1,
    run,
    activation,
    attempt: 1,
    generation: 1,
    role: CHARGE.role,
    activity: CHARGE.activity,
    version: CHARGE.version,
    input: { order: n },
    effectKey: `gr1:${run}:${activation}:forward` as EffectKey,
    timeoutMs: 60_000,
    contractDigest: 'c0ffee',
    strict: true,
    grantedUntil: null,
    ...changes,
  };
}

export function aSession(name: string, slots = 10): SessionInfo {
  const capability: Capability = {
    ...CHARGE,
    codecVersion: 1,
    inputSchemaDigest: '1n',
    outputSchemaDigest: '0ut',
    contractDigest: 'c0ffee',
    slots,
  };
  return {
    session: name as SessionId,
    worker: `worker-of-${name}`,
    principal: 'payments',
    startedAt: 1_700_000_000_000,
    capabilities: [capability],
    unknownContracts: [],
    draining: false,
    running: 0,
  };
}

export function aReceipt(id: string): Receipt {
  return { kind: 'client', id: id as CommandId, result: { ok: false, code: 'NotFound', message: 'no such run' } };
}

export function aNotice(commitNo: number): ChangeNotice {
  return { partition: 2, epoch: 1, commitNo, backlog: 0, changes: [] };
}

/** Position of a reader that has applied `command`. */
export function positionAt(applied: LoggedCommand, incarnation = 1): LogPosition {
  return { incarnation, seq: applied.seq, messageId: messageIdentity(applied.data), timestamp: applied.arrivedAt };
}

/** An owner's inbox. */
export class Inbox implements LogHandlers {
  readonly commands: LoggedCommand[] = [];
  readonly lost: string[] = [];

  onCommand(logged: LoggedCommand): void {
    this.commands.push(logged);
  }

  onIncarnationLost(reason: string): void {
    this.lost.push(reason);
  }

  get data(): readonly string[] {
    return this.commands.map((logged) => logged.data);
  }

  get sequences(): readonly number[] {
    return this.commands.map((logged) => logged.seq);
  }
}

/** A worker's session that keeps whatever comes. */
export class Bench implements SessionHandlers {
  readonly taken: TakenOffer[] = [];
  readonly grants: Offer[] = [];
  readonly aborts: string[] = [];
  readonly #info: SessionInfo;

  constructor(info: SessionInfo) {
    this.#info = info;
  }

  info(): SessionInfo {
    return this.#info;
  }

  onOffer(taken: TakenOffer): void {
    this.taken.push(taken);
  }

  onGrant(offer: Offer): void {
    this.grants.push(offer);
  }

  onAbort(notice: { readonly activation: string }): void {
    this.aborts.push(notice.activation);
  }

  get ids(): readonly string[] {
    return this.taken.map((taken) => taken.offer.id);
  }
}
