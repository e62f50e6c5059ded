/** What this machine's JetStream takes at most into one stream on file, from one Node client. */
import { jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventually } from '@graphrun/testing';
import { closedLoop } from '../load.js';

export interface PublishFloor {
  /** Nobody waits for an acknowledgement; counted when the stream has them all. */
  readonly publishes_per_s: number;
  /** Acknowledged, 256 at a time. */
  readonly acknowledged_publishes_per_s: number;
}

const STREAM = 'BENCH_FLOOR';
const SUBJECT = 'bench.floor';
const PAYLOAD = 'x'.repeat(300);
const IN_FLIGHT = 256;
const ALL_STORED_TIMEOUT_MS = 60_000;

export async function publishFloor(servers: readonly string[], count: number): Promise<PublishFloor> {
  const nc = await connect({ servers: [...servers] });
  try {
    const streams = (await jetstreamManager(nc)).streams;
    const js = jetstream(nc);
    const acknowledged = async (): Promise<void> => {
      await js.publish(SUBJECT, PAYLOAD);
    };
    await streams.add({ name: STREAM, subjects: [SUBJECT], storage: StorageType.File });
    await closedLoop(1000, IN_FLIGHT, acknowledged);
    await streams.purge(STREAM);
    const startedAt = performance.now();
    for (let sent = 1; sent <= count; sent += 1) {
      nc.publish(SUBJECT, PAYLOAD);
      if (sent % 1000 === 0) await nc.flush(); // the client buffers without a bound
    }
    await eventually(
      'the stream has every message',
      async () => (await streams.info(STREAM)).state.messages === count,
      ALL_STORED_TIMEOUT_MS,
    );
    const publishes = count / ((performance.now() - startedAt) / 1000);
    const { seconds } = await closedLoop(count, IN_FLIGHT, acknowledged);
    await streams.delete(STREAM);
    return { publishes_per_s: publishes, acknowledged_publishes_per_s: count / seconds };
  } finally {
    await nc.close();
  }
}
