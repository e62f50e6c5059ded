/** Speaks to the command log over plain NATS, as a broken or hostile client might. */
import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import type { CommandId } from '@graphrun/domain';
import { partitionOf, Subjects, workflowIdFor } from '@graphrun/protocol';
import type { Receipt, SenderRole, StartRequest } from '@graphrun/protocol';
import { eventually } from '@graphrun/testing';

/** Of every cluster of the harness. */
const CLUSTER = 'default';
const NAMESPACE = 'default';

export interface Inbox {
  readonly address: string;
  /** All that has come, oldest first. */
  readonly received: Receipt[];
}

export class RawClient {
  readonly subjects = new Subjects(CLUSTER);

  private constructor(
    private readonly nats: NatsConnection,
    readonly partitions: number,
  ) {}

  static async connect(servers: readonly string[], partitions: number): Promise<RawClient> {
    return new RawClient(await connect({ servers: [...servers] }), partitions);
  }

  close(): Promise<void> {
    return this.nats.close();
  }

  async openInbox(role: SenderRole, principal: string, name: string): Promise<Inbox> {
    const inbox: Inbox = { address: this.subjects.inbox(role, principal, name), received: [] };
    this.nats.subscribe(inbox.address, {
      callback: (error, message) => {
        if (error !== null) throw error;
        inbox.received.push(...message.json<Receipt[]>());
      },
    });
    await this.nats.flush();
    return inbox;
  }

  /** A sound start; `changes` make it something else. */
  start(
    { principal, id, workflow, value, startKey = null }: StartOf,
    inbox: Inbox,
    changes: Readonly<Record<string, unknown>> = {},
  ): { readonly partition: number; readonly data: string } {
    const commandId = id as CommandId;
    const workflowId = workflowIdFor({ namespace: NAMESPACE, workflow, startKey, principal, commandId });
    const command: StartRequest = {
      kind: 'start',
      id: commandId,
      notAfter: Date.now() + 60_000,
      replyTo: inbox.address,
      workflowId,
      namespace: NAMESPACE,
      workflow,
      version: 1,
      startKey,
      input: { value },
    };
    return { partition: partitionOf(workflowId, this.partitions), data: JSON.stringify({ ...command, ...changes }) };
  }

  /** Into the log of a partition, under the identity that the subject claims; returns when the log has it. */
  async send(to: Address, data: string): Promise<void> {
    // A forged role is put into the subject as it is: whoever may publish there may write any token.
    const subject = this.subjects.command(to.partition, to.role as SenderRole, to.principal, to.kind);
    const answer = await this.nats.request(subject, data, { timeout: 5_000 });
    const { seq, error } = answer.json<{ readonly seq?: number; readonly error?: unknown }>();
    if (seq === undefined) throw new Error(`the log did not take the message: ${JSON.stringify(error)}`);
  }

  /** The receipts of an inbox once there are `count` of them. */
  async receipts(inbox: Inbox, count: number): Promise<readonly Receipt[]> {
    await eventually(`${inbox.address} has ${count} receipts`, () => {
      if (inbox.received.length < count) throw new Error(`it has ${inbox.received.length}`);
      return true;
    });
    return inbox.received;
  }
}

export interface StartOf {
  readonly principal: string;
  readonly id: string;
  readonly workflow: string;
  readonly value: number;
  readonly startKey?: string | null;
}

export interface Address {
  readonly partition: number;
  /** `client` or `worker`, and for forgeries anything. */
  readonly role: string;
  readonly principal: string;
  readonly kind: string;
}
