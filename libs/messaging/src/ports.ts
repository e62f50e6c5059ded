/**
 * The three ports between the engine and its transport. Two adapters each: JetStream (`jetstream/`) and in-process
 * (`embedded/`); one contract suite runs against both. Nothing in a port is trusted for safety: the log may lose what
 * was never receipted, offers are hints, notices may vanish. Safety is the guarded commit in PostgreSQL.
 */
import type { SessionId } from '@graphrun/domain';
import type {
  AbortNotice,
  ChangeNotice,
  CommandKind,
  HeartbeatsReply,
  HeartbeatsRequest,
  Offer,
  Receipt,
  RenewReply,
  RenewRequest,
  SenderRole,
  SessionInfo,
  WorkKey,
} from '@graphrun/protocol';

/** Something to close. Closing twice is harmless; it resolves when nothing more will be delivered. */
export interface Subscription {
  close(): Promise<void>;
}

// ---------------------------------------------------------------------------------------------- command log

export interface OutgoingCommand {
  readonly partition: number;
  readonly role: SenderRole;
  readonly principal: string;
  readonly kind: CommandKind;
  /** JSON text of a `WireCommand`. */
  readonly data: string;
}

/** Where a partition has been applied up to, as recorded in its row. */
export interface LogPosition {
  readonly incarnation: number;
  /** Sequence of the last applied message; 0 when none. */
  readonly seq: number;
  /** `messageIdentity` of that message, empty when none. */
  readonly messageId: string;
  /** Time the log gave that message, UTC ms. */
  readonly timestamp: number;
}

export interface LoggedCommand {
  readonly partition: number;
  readonly seq: number;
  /** Time the log took it, UTC ms: the arrival that deadlines are compared with. */
  readonly arrivedAt: number;
  readonly role: SenderRole;
  readonly principal: string;
  readonly kind: string;
  readonly data: string;
}

export interface LogReader extends Subscription {
  /** The incarnation that is read: higher than the recorded one when the stream is younger or shorter than recorded. */
  readonly incarnation: number;
  /** Where reading began: the first delivered sequence is above it. */
  readonly startSeq: number;
}

export interface LogHandlers {
  /** Called in order. Must not block: it only appends to the owner's inbox. */
  onCommand(command: LoggedCommand): void;
  /**
   * The log turned out to be another incarnation (restored from an old copy, recreated, shorter than recorded). The
   * reader has stopped; the owner takes the partition over from itself. Called once at most.
   */
  onIncarnationLost(reason: string): void;
  /**
   * How many delivered commands wait to be applied. Where it is given, the adapter asks for no more while it is above
   * 4,096, so that a long log is not read into memory at once.
   */
  backlog?(): number;
}

export interface CommandLog {
  /**
   * Hands a command to the partition's log. Resolves when it was sent (`ack: false`) or when the log has it
   * (`ack: true`); neither is a receipt. Throws GraphrunError `Unavailable` (no log reachable), `ResourceExhausted`
   * (log full, or the command is over 896 KiB).
   */
  publish(command: OutgoingCommand, options: { ack: boolean }): Promise<void>;
  /** Reads a partition in order from behind `position`, after checking that the message there is the recorded one. */
  read(partition: number, position: LogPosition, handlers: LogHandlers): Promise<LogReader>;
  /** Sequence of the last message in the log now. Throws `Unavailable`. */
  tail(partition: number): Promise<number>;
  /** Forgets messages below `seq`: they are applied and no longer needed. */
  trim(partition: number, seq: number): Promise<void>;
  close(): Promise<void>;
}

/** Identity of a logged message for the position check: stable for equal bytes. */
export type MessageIdentity = (data: string) => string;

// ---------------------------------------------------------------------------------------------- work queue

/** An offer in the hands of a worker. One that is delivered again is strict, whatever it was at first. */
export interface TakenOffer {
  readonly offer: Offer;
  /** The queue may forget it: a grant or receipt has been seen. Never throws: a lost ack costs only time. */
  ack(): void;
  /** Give it back for others, at once or after a delay. */
  release(delayMs?: number): void;
}

/** What a worker process puts behind its session. */
export interface SessionHandlers {
  /** Answers a ping and the list of workers. */
  info(): SessionInfo;
  onOffer(taken: TakenOffer): void;
  /** A grant sent straight to this session (eager grant outside of a receipt). */
  onGrant(offer: Offer): void;
  onAbort(notice: AbortNotice): void;
}

export interface WorkSession {
  /**
   * Says how many more offers of a key the session can take now. The adapter never holds more undelivered or
   * unacknowledged offers than that. Zero stops pulling.
   */
  setFree(key: WorkKey, slots: number): void;
  /** Renews claims with the owner of a partition. Throws `Unavailable` when it does not answer in time. */
  renew(partition: number, request: RenewRequest): Promise<RenewReply>;
  /** Stops pulling, gives back what was not started, keeps acks of what was. */
  close(): Promise<void>;
}

export type Liveness = 'alive' | 'gone' | 'unknown';

export interface WorkQueue {
  // Owner's side.
  /** Sends an offer to the queue of its activity. Fire and forget. */
  offer(offer: Offer): void;
  /** Sends a committed grant straight to a session. Fire and forget. */
  grant(session: SessionId, offer: Offer): void;
  /** Asks a session to abort an attempt. Fire and forget. */
  abort(session: SessionId, notice: AbortNotice): void;
  /** Offers of a key that wait in the queue or are unacknowledged, as the queue sees it. */
  backlog(key: WorkKey): Promise<{ readonly pending: number; readonly unacked: number }>;
  /** Drops the queued offers of a key that were made by `partition` in an earlier epoch, where the queue can. */
  purge(key: WorkKey): Promise<void>;
  /** `gone` only when the transport knows that nobody listens; a timeout is `unknown`. */
  ping(session: SessionId): Promise<Liveness>;
  /** Answers renewals of a partition that this owner holds. */
  serveRenewals(partition: number, handler: (request: RenewRequest) => RenewReply | null): Promise<Subscription>;
  /** Answers for the heartbeats of a partition that this owner holds. */
  serveHeartbeats(
    partition: number,
    handler: (request: HeartbeatsRequest) => HeartbeatsReply | null,
  ): Promise<Subscription>;
  /** Asks the owner of a partition what attempts of a run have said. Throws `Unavailable` when it does not answer. */
  heartbeats(partition: number, request: HeartbeatsRequest): Promise<HeartbeatsReply>;
  /** All sessions that answer now. */
  sessions(): Promise<readonly SessionInfo[]>;

  // Worker's side.
  openSession(info: SessionInfo, handlers: SessionHandlers): Promise<WorkSession>;
  close(): Promise<void>;
}

// ---------------------------------------------------------------------------------------------- change feed

export interface ChangeFeed {
  /** Sends receipts to one inbox, in one message. Fire and forget: who misses it asks again. */
  receipts(inbox: string, receipts: readonly Receipt[]): void;
  /** Opens an inbox of this process, under its role and principal. */
  openInbox(
    role: SenderRole,
    principal: string,
    onReceipt: (receipt: Receipt) => void,
  ): Promise<Subscription & { readonly address: string }>;
  /** Announces a commit: a notice for each partition that it moved. Fire and forget. */
  announce(notices: readonly ChangeNotice[]): void;
  /** Follows all commits of the cluster. */
  watch(onNotice: (notice: ChangeNotice) => void): Promise<Subscription>;
  close(): Promise<void>;
}
