/** Starts the bare path, loads it, and ends it. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { AckPolicy, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { connect, createInbox } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { startProcess } from '@graphrun/testing';
import type { RunningProcess } from '@graphrun/testing';
import { orderInput } from '../benchmarks/workflows.js';
import { measureCpu } from '../cpu/breakdown.js';
import type { CpuBreakdown } from '../cpu/breakdown.js';
import { closedLoop, rateOf } from '../load.js';
import type { Rate } from '../load.js';
import type { Servers } from '../topology/servers.js';
import { dropBareStore } from './batch-writer.js';
import {
  BARE_GRANTS,
  BARE_NATS,
  BARE_POSTGRES,
  COMMAND_STREAM,
  COMMAND_SUBJECT,
  WORK_CONSUMER,
  WORK_STREAM,
  WORK_SUBJECT,
} from './messages.js';
import type { BareCommand, BareResult } from './messages.js';

export interface BareRound {
  readonly rate: Rate;
  readonly cpu: CpuBreakdown;
}

export class BarePath {
  readonly #waiting = new Map<string, (result: BareResult) => void>();
  readonly #replyTo = createInbox();
  #number = 0;

  private constructor(
    private readonly servers: Servers,
    private readonly nc: NatsConnection,
    private readonly processes: readonly RunningProcess[],
  ) {
    nc.subscribe(this.#replyTo, {
      callback: (_error, message) => {
        const result = message.json<BareResult>();
        this.#waiting.get(result.run)?.(result);
        this.#waiting.delete(result.run);
      },
    });
  }

  static async start(servers: Servers, grants: boolean): Promise<BarePath> {
    const nc = await connect({ servers: [...servers.nats.servers] });
    const { streams, consumers } = await jetstreamManager(nc);
    await streams.add({ name: COMMAND_STREAM, subjects: [COMMAND_SUBJECT], storage: StorageType.File });
    await streams.add({
      name: WORK_STREAM,
      subjects: [WORK_SUBJECT],
      storage: StorageType.Memory,
      retention: RetentionPolicy.Workqueue,
    });
    await consumers.add(WORK_STREAM, {
      durable_name: WORK_CONSUMER,
      ack_policy: AckPolicy.Explicit,
      max_ack_pending: 4096,
    });
    const env = {
      [BARE_NATS]: servers.nats.urls,
      [BARE_POSTGRES]: servers.postgres.url,
      [BARE_GRANTS]: grants ? 'yes' : 'no',
    };
    const processes: RunningProcess[] = [];
    for (const name of ['coordinator', 'worker']) {
      const main = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
      processes.push(
        await startProcess({ name: `bare ${name}`, args: [main], env, ready: (line) => line === 'ready' }),
      );
    }
    return new BarePath(servers, nc, processes);
  }

  async round(count: number, inFlight: number): Promise<BareRound> {
    const { postgres, nats } = this.servers;
    const ended = measureCpu([
      ...this.processes.map(({ name, pid }) => ({ name, pid })),
      { name: 'postgres', pid: postgres.pid, withChildren: true },
      ...nats.pids.map((pid) => ({ name: 'nats', pid })),
      { name: 'client', pid: process.pid },
    ]);
    const result = await closedLoop(count, inFlight, () => this.#one());
    return { rate: rateOf(result), cpu: ended() };
  }

  async stop(): Promise<void> {
    for (const running of this.processes) await running.stop();
    const { streams } = await jetstreamManager(this.nc);
    await streams.delete(COMMAND_STREAM);
    await streams.delete(WORK_STREAM);
    await this.nc.close();
    await dropBareStore(this.servers.postgres.url);
  }

  async #one(): Promise<void> {
    this.#number += 1;
    const input = orderInput(this.#number);
    const run = randomUUID();
    const result = await new Promise<BareResult>((resolve) => {
      this.#waiting.set(run, resolve);
      const command: BareCommand = { kind: 'start', id: randomUUID(), run, replyTo: this.#replyTo, input };
      this.nc.publish(COMMAND_SUBJECT, JSON.stringify(command));
    });
    const { order_id, amount, payment_id } = result.output;
    if (order_id !== input.order_id || amount !== input.amount || payment_id !== 'pay-1') {
      throw new Error(`order ${input.order_id} ended wrong on the bare path: ${JSON.stringify(result)}`);
    }
  }
}
