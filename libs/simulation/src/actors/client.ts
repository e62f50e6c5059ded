/** Clients: each command is sent again, under the same id, until it has a receipt, and once more now and then. */
import type { CommandId, Resolution, RunId } from '@graphrun/domain';
import type { CommandKind, CommandResult, Receipt } from '@graphrun/protocol';
import { partitionOf, partitionOfRun, Subjects, workflowIdFor } from '@graphrun/protocol';
import type { Process } from '../core/process.js';
import type { ClientOp, RunPlan } from '../plan.js';
import type { Servers } from '../servers/feed.js';

/** A command and what came back for it. */
export interface Sent {
  readonly id: CommandId;
  readonly kind: CommandKind;
  readonly run: RunPlan | null;
  readonly receipts: CommandResult[];
}

export interface ClientOptions {
  readonly process: Process;
  readonly servers: Servers;
  readonly partitions: number;
}

const PRINCIPAL = 'client';
const REPEAT_MS = 1500;
const VALID_MS = 3_600_000;

export class SimulatedClient {
  readonly sent: Sent[] = [];
  /** Runs by the plan they were started for. */
  readonly runs = new Map<number, RunId>();
  readonly #options: ClientOptions;
  readonly #inbox = new Subjects('sim').inbox('client', PRINCIPAL, '1');
  readonly #waiting = new Map<string, Sent>();
  #planned = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    options.servers.feed.inboxes.set(this.#inbox, {
      process: options.process,
      onReceipt: (receipt) => this.#received(receipt),
    });
  }

  /** Nothing is to be sent and nothing waits for a receipt. */
  get idle(): boolean {
    return this.#planned === 0 && this.sent.every(({ receipts }) => receipts.length > 0);
  }

  plan(run: RunPlan): void {
    this.#later(run.startAfterMs, () => this.#start(run));
  }

  #later(delayMs: number, action: () => void): void {
    this.#planned += 1;
    this.#options.process.clock.after(delayMs, () => {
      this.#planned -= 1;
      action();
    });
  }

  #start(run: RunPlan): void {
    const id = `start-${run.index}` as CommandId;
    const { workflow, startKey } = run;
    const identity = { namespace: 'default', workflow, startKey, principal: PRINCIPAL, commandId: id };
    const workflowId = workflowIdFor(identity);
    const input = { id: run.poison ? `poison-${run.index}` : `run-${run.index}`, n: run.n };
    this.#send(
      { id, kind: 'start', run, receipts: [] },
      partitionOf(workflowId, this.#options.partitions),
      { workflowId, namespace: 'default', workflow, version: null, startKey, input },
      (result) => {
        if (!result.ok) return;
        this.runs.set(run.index, result.run);
        run.ops.forEach((op, index) => this.#later(op.afterMs, () => this.#operate(run, result.run, op, index)));
      },
    );
  }

  #operate(plan: RunPlan, run: RunId, op: ClientOp, index: number): void {
    const id = `${op.kind}-${plan.index}-${index}` as CommandId;
    const sent: Sent = { id, kind: op.kind, run: plan, receipts: [] };
    switch (op.kind) {
      case 'signal':
        // The same event may be sent with another payload: that is a conflict.
        this.#address(sent, run, { event: op.event, signal: 'news', key: 'k', payload: { id: op.event, n: op.n } });
        return;
      case 'cancel':
        this.#address(sent, run, { reason: 'no more wanted' });
        return;
      default:
        this.#address(sent, run, { reason: 'a test', expectedSeq: null });
    }
  }

  /** What a person decides in the end. */
  decide(
    run: RunId,
    name: string,
    fields: { readonly activation: string; readonly resolution: Resolution } | null,
  ): void {
    const kind = fields === null ? 'resume' : 'resolve';
    const sent: Sent = { id: `${kind}-${name}` as CommandId, kind, run: null, receipts: [] };
    this.#address(sent, run, { reason: 'the end', expectedSeq: null, ...fields });
  }

  abandon(run: RunId, name: string): void {
    const sent: Sent = { id: `abandon-${name}` as CommandId, kind: 'abandon', run: null, receipts: [] };
    this.#address(sent, run, { reason: 'the end', expectedSeq: null });
  }

  #address(sent: Sent, run: RunId, fields: object): void {
    this.#send(sent, partitionOfRun(run, this.#options.partitions), { run, ...fields }, () => undefined);
  }

  #send(sent: Sent, partition: number, fields: object, first: (result: CommandResult) => void): void {
    const { process, servers } = this.#options;
    const { id, kind } = sent;
    this.sent.push(sent);
    this.#waiting.set(id, sent);
    const notAfter = process.scheduler.now + VALID_MS;
    const data = JSON.stringify({ kind, id, notAfter, replyTo: this.#inbox, ...fields });
    const publish = (): void => {
      servers.log.send(process, { partition, role: 'client', principal: PRINCIPAL, kind, data });
    };
    let told = false;
    const again = (): void => {
      const [result] = sent.receipts;
      if (result !== undefined) return;
      publish();
      process.clock.after(REPEAT_MS, again);
    };
    again();
    this.#onFirst.set(id, (result) => {
      if (told) return;
      told = true;
      // Who asks once more gets the same answer.
      if (process.random.chance(0.3)) process.clock.after(process.random.int(0, 5000), publish);
      first(result);
    });
  }

  readonly #onFirst = new Map<string, (result: CommandResult) => void>();

  #received(receipt: Receipt): void {
    if (receipt.kind !== 'client') return;
    const sent = this.#waiting.get(receipt.id);
    if (sent === undefined) throw new Error(`a receipt for ${receipt.id}, which was never sent`);
    sent.receipts.push(receipt.result);
    this.#onFirst.get(receipt.id)?.(receipt.result);
  }
}
