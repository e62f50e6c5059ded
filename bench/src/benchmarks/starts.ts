/**
 * B2: committed commands. The command is a start of a run whose activity has no worker, with an
 * input of 1 KiB; each receipt says that it is committed. Over HTTP, and as messages from a client on NATS.
 */
import { connectJetStream } from '@graphrun/messaging';
import type { Messaging, Subscription } from '@graphrun/messaging';
import { newCommandId, partitionOf, workflowIdFor } from '@graphrun/protocol';
import type { CommandResult, WireCommand } from '@graphrun/protocol';
import { measureCpu } from '../cpu/breakdown.js';
import type { CpuBreakdown, CpuConsumer } from '../cpu/breakdown.js';
import type { HttpClient } from '../http/http-client.js';
import { closedLoop, rateOf } from '../load.js';
import type { Rate } from '../load.js';
import { CLUSTER } from '../topology/cluster.js';
import { WAITING } from './workflows.js';

const INPUT_BYTES = 1024;
const RECEIPT_TIMEOUT_MS = 30_000;
const COMMAND_LIFETIME_MS = 60_000;
const PRINCIPAL = 'bench';

/** Sends one start and resolves with the id of its run when it is committed. */
export interface StartSender {
  start(number: number): Promise<string>;
  close(): Promise<void>;
}

export interface StartRound {
  readonly rate: Rate;
  readonly cpu: CpuBreakdown;
}

export class StartLoad {
  #number = 0;
  readonly #seen = new Set<string>();

  /** Throws Error for the first start that is refused, or answered with the run of another. */
  async round(
    sender: StartSender,
    count: number,
    inFlight: number,
    consumers: readonly CpuConsumer[],
  ): Promise<StartRound> {
    const ended = measureCpu(consumers);
    const result = await closedLoop(count, inFlight, async () => {
      this.#number += 1;
      const run = await sender.start(this.#number);
      if (this.#seen.has(run)) throw new Error(`run ${run} was the answer to two starts`);
      this.#seen.add(run);
    });
    return { rate: rateOf(result), cpu: ended() };
  }

  /** Asks the server: exactly the runs that were receipted here wait. */
  async verify(client: HttpClient): Promise<void> {
    const path = `/v1/runs?workflow=${WAITING.workflow}&counts=true&limit=1`;
    const { counts } = (await client.json({ method: 'GET', path })) as {
      readonly counts: Readonly<Record<string, number>>;
    };
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    if (counts['active'] !== this.#seen.size || total !== this.#seen.size) {
      throw new Error(`${this.#seen.size} starts were receipted, the server counts ${JSON.stringify(counts)}`);
    }
  }
}

/** An order of 1 KiB, as JSON. */
function largeInput(number: number): { readonly order_id: string; readonly amount: number } {
  const small = JSON.stringify({ order_id: `order-${number}-`, amount: 1000 });
  return {
    order_id: `order-${number}-`.padEnd(`order-${number}-`.length + INPUT_BYTES - small.length, 'x'),
    amount: 1000,
  };
}

export function httpStarts(client: HttpClient): StartSender {
  return {
    async start(number) {
      const body = `{"workflow":"${WAITING.workflow}","input":${JSON.stringify(largeInput(number))}}`;
      const { run, status } = (await client.json({ method: 'POST', path: '/v1/runs', body })) as {
        readonly run: string;
        readonly status: string;
      };
      if (status !== 'active') throw new Error(`run ${run} is ${status} though its activity has no worker`);
      return run;
    },
    close: () => Promise.resolve(),
  };
}

/** Publishes commands as control does, and waits for their receipts. Each is sent once: a lost one ends the benchmark. */
export async function natsStarts(servers: readonly string[], partitions: number): Promise<StartSender> {
  const messaging = await connectJetStream({
    servers,
    cluster: CLUSTER,
    role: 'client',
    principal: PRINCIPAL,
    partitions,
    replicas: 1,
  });
  const waiting = new Map<string, (result: CommandResult) => void>();
  const inbox = await messaging.feed.openInbox('client', PRINCIPAL, (receipt) => {
    if (receipt.kind !== 'client') return;
    waiting.get(receipt.id)?.(receipt.result);
    waiting.delete(receipt.id);
  });
  return new NatsStarts(messaging, partitions, inbox, waiting);
}

class NatsStarts implements StartSender {
  constructor(
    private readonly messaging: Messaging,
    private readonly partitions: number,
    private readonly inbox: Subscription & { readonly address: string },
    private readonly waiting: Map<string, (result: CommandResult) => void>,
  ) {}

  async start(number: number): Promise<string> {
    const id = newCommandId();
    const { workflow } = WAITING;
    const namespace = 'default';
    const workflowId = workflowIdFor({ namespace, workflow, startKey: null, principal: PRINCIPAL, commandId: id });
    const command: WireCommand = {
      kind: 'start',
      id,
      notAfter: Date.now() + COMMAND_LIFETIME_MS,
      replyTo: this.inbox.address,
      workflowId,
      namespace,
      workflow,
      version: null,
      startKey: null,
      input: largeInput(number),
    };
    const result = await new Promise<CommandResult>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no receipt for start ${number} came`)), RECEIPT_TIMEOUT_MS);
      this.waiting.set(id, (receipt) => {
        clearTimeout(timer);
        resolve(receipt);
      });
      const outgoing = {
        partition: partitionOf(workflowId, this.partitions),
        role: 'client',
        principal: PRINCIPAL,
        kind: 'start',
      } as const;
      this.messaging.log.publish({ ...outgoing, data: JSON.stringify(command) }, { ack: false }).catch(reject);
    });
    if (!result.ok) throw new Error(`start ${number} was refused: ${result.code}: ${result.message}`);
    return result.run;
  }

  async close(): Promise<void> {
    await this.inbox.close();
    await this.messaging.close();
  }
}
