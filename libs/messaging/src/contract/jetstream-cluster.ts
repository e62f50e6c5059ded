/** A cluster of its own name on running NATS servers. */
import type { JetStreamMessaging } from '../jetstream/connect.js';
import { connectJetStream } from '../jetstream/connect.js';
import type { JetStreamOptions } from '../jetstream/connection.js';
import type { ReportedError, TestCluster } from './cluster.js';

let counter = 0;

export interface JetStreamCluster extends TestCluster {
  readonly name: string;
  join(changes?: Partial<JetStreamOptions>): Promise<JetStreamMessaging>;
}

export function jetStreamCluster(nats: { readonly servers: readonly string[] }, replicas = 1): JetStreamCluster {
  counter += 1;
  const name = `test-${process.pid}-${counter}`;
  const reported: ReportedError[] = [];
  const joined: JetStreamMessaging[] = [];
  return {
    name,
    reported,
    join: async (changes = {}) => {
      const messaging = await connectJetStream({
        servers: nats.servers,
        cluster: name,
        role: 'coordinator',
        principal: `member-${joined.length}`,
        partitions: 4,
        replicas,
        onError: ({ message }, where) => reported.push({ message, where }),
        ...changes,
      });
      joined.push(messaging);
      return messaging;
    },
    close: async () => {
      await Promise.all(joined.map((messaging) => messaging.close()));
    },
  };
}
