import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { eventually } from './eventually.js';
import { startNats, type NatsService } from './nats.js';
import { isRunning } from './process-tree.js';

async function withConnection<T>(nats: NatsService, use: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: [...nats.servers], maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

describe('NATS servers of the harness', () => {
  it('keep a stream over kill -9 and restart on the same address', async () => {
    const nats = await startNats();
    try {
      await withConnection(nats, async (connection) => {
        const manager = await jetstreamManager(connection);
        await manager.streams.add({ name: 'KEPT', subjects: ['kept.>'] });
        await jetstream(connection).publish('kept.a', 'one');
        const [pid] = nats.pids;
        await nats.kill();
        expect(pid === undefined || isRunning(pid)).toBe(false);
        await nats.restart();
        expect(nats.pids).not.toEqual([pid]);
        const { state } = await eventually('the stream answers', () => manager.streams.info('KEPT'));
        expect(state.messages).toBe(1);
      });
    } finally {
      await nats.stop();
    }
  });

  it('form a cluster of three that takes a stream with three replicas at once, and survives the loss of its leader', async () => {
    const nats = await startNats({ count: 3 });
    try {
      await withConnection(nats, async (connection) => {
        const manager = await jetstreamManager(connection);
        const created = await manager.streams.add({ name: 'KEPT', subjects: ['kept.>'], num_replicas: 3 });
        expect(created.cluster?.replicas?.length).toBe(2);
        const leader = nats.nodes.findIndex(({ name }) => name === created.cluster?.leader);
        await nats.kill(leader);
        const ack = await eventually(
          'a publish is acknowledged by the other two',
          () => jetstream(connection).publish('kept.a', 'x', { msgID: 'once', timeout: 1_000 }),
          20_000,
        );
        expect(ack.seq).toBe(1);
        await nats.restart(leader);
        const { state } = await eventually('the stream answers', () => manager.streams.info('KEPT'));
        expect(state.messages).toBe(1);
      });
    } finally {
      await nats.stop();
    }
    expect(nats.pids.filter(isRunning)).toEqual([]);
    expect(nats.nodes.filter(({ storeDir }) => existsSync(storeDir))).toEqual([]);
  });
});
