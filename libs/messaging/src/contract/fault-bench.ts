/** One server with one process of the product on it, and somebody else who does what no part of the product would do. */
import { jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { Subjects } from '@graphrun/protocol';
import type { JetStreamMessaging } from '../jetstream/connect.js';
import { command } from './builders.js';
import type { Eventually } from './cluster.js';
import { jetStreamCluster } from './jetstream-cluster.js';
import type { JetStreamCluster } from './jetstream-cluster.js';

export class FaultBench {
  readonly cluster: JetStreamCluster;
  readonly subjects: Subjects;
  readonly intruder: NatsConnection;
  readonly jsm: JetStreamManager;
  messaging: JetStreamMessaging;
  readonly #eventually: Eventually;

  static async on(nats: { readonly servers: readonly string[] }, eventually: Eventually): Promise<FaultBench> {
    const cluster = jetStreamCluster(nats);
    const messaging = await cluster.join();
    const intruder = await connect({ servers: [...nats.servers], maxReconnectAttempts: -1, reconnectTimeWait: 100 });
    return new FaultBench(cluster, messaging, intruder, await jetstreamManager(intruder), eventually);
  }

  private constructor(
    cluster: JetStreamCluster,
    messaging: JetStreamMessaging,
    intruder: NatsConnection,
    jsm: JetStreamManager,
    eventually: Eventually,
  ) {
    this.cluster = cluster;
    this.messaging = messaging;
    this.intruder = intruder;
    this.jsm = jsm;
    this.subjects = new Subjects(cluster.name);
    this.#eventually = eventually;
  }

  /** The messages of all errors that were reported so far. */
  get complaints(): readonly string[] {
    return this.cluster.reported.map(({ message }) => message);
  }

  async published(...data: readonly string[]): Promise<void> {
    for (const text of data) await this.messaging.log.publish(command(text), { ack: true });
  }

  /** Publishes as a client does: again and again until the log has it. */
  async insist(text: string): Promise<void> {
    await this.#eventually(`the log takes ${text}`, async () => {
      await this.messaging.log.publish(command(text), { ack: true });
      return true;
    });
  }

  async close(): Promise<void> {
    await this.cluster.close();
    await this.intruder.close();
  }
}
