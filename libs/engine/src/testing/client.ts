/** A client for tests that speaks the ports: it starts runs, waits for receipts and outcomes, and sends again like a real one. */
import type { CommandId, Resolution, RunId } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import type { Messaging } from '@graphrun/messaging';
import type { ChangeNotice, CommandKind, CommandResult, Receipt, RunChange } from '@graphrun/protocol';
import { newCommandId, partitionOf, partitionOfRun, workflowIdFor } from '@graphrun/protocol';

export interface StartOptions {
  readonly version?: number;
  readonly startKey?: string;
  readonly commandId?: CommandId;
}

export interface SignalOptions {
  readonly key?: string;
  /** Id of the event; by default another one each time. */
  readonly event?: string;
  readonly commandId?: CommandId;
}

type ClientKind = Exclude<CommandKind, 'claim' | 'report'>;

const WAIT_MS = 20_000;
/** What workers see comes without a receipt or notice for the client. */
const LOOK_MS = 20;
const NAMESPACE = 'default';

export interface ReopenOptions {
  readonly version?: number;
  readonly expectedSeq?: number;
  readonly commandId?: CommandId;
}

export class TestClient {
  readonly receipts: Receipt[] = [];
  readonly notices: ChangeNotice[] = [];
  readonly ended = new Map<RunId, RunChange>();
  readonly #messaging: Messaging;
  readonly #partitions: number;
  readonly #waiting = new Set<() => void>();
  #inbox = '';
  readonly #closing: (() => Promise<void>)[] = [];

  private constructor(messaging: Messaging, partitions: number) {
    this.#messaging = messaging;
    this.#partitions = partitions;
  }

  static async open(messaging: Messaging, partitions: number, principal = 'tester'): Promise<TestClient> {
    const client = new TestClient(messaging, partitions);
    const inbox = await messaging.feed.openInbox('client', principal, (receipt) => {
      client.receipts.push(receipt);
      client.#wake();
    });
    const watch = await messaging.feed.watch((notice) => {
      client.notices.push(notice);
      for (const change of notice.changes) if (change.ended) client.ended.set(change.run, change);
      client.#wake();
    });
    client.#inbox = inbox.address;
    client.#closing.push(
      () => inbox.close(),
      () => watch.close(),
    );
    client.principal = principal;
    return client;
  }

  principal = '';

  async close(): Promise<void> {
    for (const close of this.#closing) await close();
  }

  /** The command as it would be sent, and where to. */
  startCommand(
    workflow: string,
    input: Json,
    options: StartOptions = {},
  ): { id: CommandId; partition: number; data: string } {
    const id = options.commandId ?? newCommandId();
    const startKey = options.startKey ?? null;
    const identity = { namespace: NAMESPACE, workflow, startKey, principal: this.principal, commandId: id };
    const workflowId = workflowIdFor(identity);
    const data = JSON.stringify({
      kind: 'start',
      id,
      notAfter: Date.now() + 60_000,
      replyTo: this.#inbox,
      workflowId,
      namespace: NAMESPACE,
      workflow,
      version: options.version ?? null,
      startKey,
      input,
    });
    return { id, partition: partitionOf(workflowId, this.#partitions), data };
  }

  async start(workflow: string, input: Json, options: StartOptions = {}): Promise<CommandResult> {
    const { id, partition, data } = this.startCommand(workflow, input, options);
    return this.send('start', id, partition, data);
  }

  /** Starts a run that must be admitted. */
  async run(workflow: string, input: Json, options: StartOptions = {}): Promise<RunId> {
    const result = await this.start(workflow, input, options);
    if (!result.ok) throw new Error(`not started: ${result.code} ${result.message}`);
    return result.run;
  }

  cancel(run: RunId, reason: string): Promise<CommandResult> {
    return this.#address('cancel', run, { reason });
  }

  signal(run: RunId, signal: string, payload: Json, options: SignalOptions = {}): Promise<CommandResult> {
    const { key = 'k', event = newCommandId(), commandId = newCommandId() } = options;
    return this.#address('signal', run, { event, signal, key, payload }, commandId);
  }

  /** What an operator does with a run, whatever its version. */
  operate(kind: 'pause' | 'resume' | 'abandon' | 'terminate', run: RunId, reason = 'a test'): Promise<CommandResult> {
    return this.#address(kind, run, { reason, expectedSeq: null });
  }

  resolve(run: RunId, activation: string, resolution: Resolution): Promise<CommandResult> {
    return this.#address('resolve', run, { reason: 'a test', expectedSeq: null, activation, resolution });
  }

  reopen(run: RunId, options: ReopenOptions = {}): Promise<CommandResult> {
    const { version = null, expectedSeq = null, commandId } = options;
    return this.#address('reopen', run, { reason: 'a test', expectedSeq, version }, commandId);
  }

  /** Sends a command that addresses a run. */
  #address(kind: ClientKind, run: RunId, fields: object, id = newCommandId()): Promise<CommandResult> {
    const command = { kind, id, notAfter: Date.now() + 60_000, replyTo: this.#inbox, run, ...fields };
    return this.send(kind, id, partitionOfRun(run, this.#partitions), JSON.stringify(command));
  }

  /** Sends the command, again every second, until its receipt has come. */
  async send(kind: ClientKind, id: CommandId, partition: number, data: string): Promise<CommandResult> {
    const seen = this.receipts.length;
    const publish = (): void => {
      const command = { partition, role: 'client', principal: this.principal, kind, data } as const;
      // What cannot be sent now is sent again.
      this.#messaging.log.publish(command, { ack: false }).catch(() => undefined);
    };
    publish();
    const again = setInterval(publish, 1000);
    try {
      return await this.until(`the receipt of ${kind} ${id}`, () => {
        for (const receipt of this.receipts.slice(seen))
          if (receipt.kind === 'client' && receipt.id === id) return receipt.result;
        return undefined;
      });
    } finally {
      clearInterval(again);
    }
  }

  /** How the run ended, by notice: for tests in which no commit goes wrong, since notices may be lost. */
  async outcome(run: RunId): Promise<RunChange> {
    return this.until(`the end of run ${run}`, () => this.ended.get(run));
  }

  /** Looks after each receipt and notice, and now and then, until there is a value. */
  async until<T>(what: string, look: () => T | undefined): Promise<T> {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      const left = deadline - Date.now();
      if (left <= 0)
        throw new Error(
          `waited ${WAIT_MS} ms for ${what}; saw ${this.receipts.length} receipts, ${this.ended.size} ends`,
        );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, Math.min(left, LOOK_MS));
        const waiting = this.#waiting;
        function done(): void {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        }
        waiting.add(done);
      });
    }
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}
