/** What taking work survives on one server (spec 04 "Work queue", "Claims, leases, lost workers", spec 09 "JetStream"). */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SessionId } from '@graphrun/domain';
import { eventually, startNats, startProcess } from '@graphrun/testing';
import type { NatsService, RunningProcess } from '@graphrun/testing';
import { anOffer, aSession, Bench, CHARGE } from '../contract/builders.js';
import { FaultBench } from '../contract/fault-bench.js';

let nats: NatsService;
let bench: FaultBench;

beforeEach(async () => {
  nats = await startNats();
  bench = await FaultBench.on(nats, eventually);
});

afterEach(async () => {
  await bench.close();
  await nats.stop();
});

describe('taking work', () => {
  it('goes on after the server, and with it the queue in memory, was restarted', async () => {
    const desk = new Bench(aSession('s1'));
    const session = await bench.messaging.queue.openSession(aSession('s1'), desk);
    session.setFree(CHARGE, 10);
    bench.messaging.queue.offer(anOffer(1));
    await eventually('it has come', () => desk.taken.length === 1);
    desk.taken[0]?.ack();
    await nats.restart();
    await eventually('offers come again', () => {
      bench.messaging.queue.offer(anOffer(2));
      return desk.ids.includes('0.1.2');
    });
    expect(await bench.messaging.queue.ping('s1' as SessionId)).toBe('alive');
  });

  it.each(['consumer', 'stream'] as const)('goes on at once after its %s was deleted', async (deleted) => {
    const desk = new Bench(aSession('s1'));
    const session = await bench.messaging.queue.openSession(aSession('s1'), desk);
    session.setFree(CHARGE, 1000);
    const [stream, consumer] = [bench.subjects.workStreamName(), bench.subjects.consumerName(CHARGE)];
    await eventually(
      'its request waits',
      async () => (await bench.jsm.consumers.info(stream, consumer)).num_waiting > 0,
    );
    const since = performance.now();
    await (deleted === 'consumer' ? bench.jsm.consumers.delete(stream, consumer) : bench.jsm.streams.delete(stream));
    await eventually('offers come again', () => {
      bench.messaging.queue.offer(anOffer(1));
      return desk.taken.length > 0;
    });
    expect(performance.now() - since).toBeLessThan(3000);
  });

  it('notices by its silence that a consumer is gone which it asked too late', async () => {
    const desk = new Bench(aSession('s1'));
    const session = await bench.messaging.queue.openSession(aSession('s1'), desk);
    await bench.jsm.consumers.delete(bench.subjects.workStreamName(), bench.subjects.consumerName(CHARGE));
    session.setFree(CHARGE, 1000);
    await eventually('offers come again', () => {
      bench.messaging.queue.offer(anOffer(1));
      return desk.taken.length > 0;
    });
    expect(bench.complaints).toEqual([
      expect.stringMatching(/^taking offers starts again: nothing was heard for \d+ ms$/),
    ]);
  });

  it('takes unreadable offers out of the queue and goes on', async () => {
    const desk = new Bench(aSession('s1'));
    const session = await bench.messaging.queue.openSession(aSession('s1'), desk);
    bench.intruder.publish(bench.subjects.work(CHARGE), 'no JSON');
    bench.intruder.publish(bench.subjects.work(CHARGE), '{"id":"0.1.7"}');
    bench.intruder.publish(bench.subjects.session('s1' as SessionId, 'grant'), '[]');
    bench.intruder.publish(bench.subjects.session('s1' as SessionId, 'abort'), '');
    await bench.intruder.flush();
    session.setFree(CHARGE, 1);
    bench.messaging.queue.offer(anOffer(1));
    await eventually('the good one has come', () => desk.taken.length === 1);
    desk.taken[0]?.ack();
    await eventually('nothing is left', async () => {
      const { pending, unacked } = await bench.messaging.queue.backlog(CHARGE);
      return pending + unacked === 0;
    });
    expect(desk.grants).toEqual([]);
    expect([...bench.complaints].sort()).toEqual([
      'an abort notice is not JSON',
      'an offer has no partition of type number',
      'an offer is not JSON',
      'an offer is not a JSON object',
    ]);
  });

  it('answers no renewal that cannot be read and goes on with the next', async () => {
    await bench.messaging.queue.serveRenewals(0, () => ({ epoch: 1, leaseMs: 1, lost: [] }));
    bench.intruder.publish(bench.subjects.renew(0), 'no JSON');
    await bench.intruder.flush();
    const session = await bench.messaging.queue.openSession(aSession('s1'), new Bench(aSession('s1')));
    expect((await session.renew(0, { session: 's1' as SessionId, claims: [] })).epoch).toBe(1);
    expect(bench.complaints).toEqual(['a renewal is not JSON']);
  });
});

describe('a worker process', () => {
  /** Listens as a session does; a process of its own, so that it can be killed and frozen. */
  async function workerProcess(session: string): Promise<RunningProcess> {
    const subject = bench.subjects.session(session as SessionId, 'ping');
    const program = `
      const { connect } = require('@nats-io/transport-node');
      connect({ servers: ${JSON.stringify(nats.servers)} }).then(async (nc) => {
        nc.subscribe(${JSON.stringify(subject)}, { callback: (_, m) => m.respond('{}') });
        await nc.flush();
        console.log('ready');
      });`;
    return startProcess({
      name: session,
      args: ['-e', program],
      cwd: process.cwd(),
      ready: (line) => line === 'ready',
    });
  }

  it('is known to be gone well within a second after kill -9', async () => {
    const worker = await workerProcess('s1');
    expect(await bench.messaging.queue.ping('s1' as SessionId)).toBe('alive');
    const since = performance.now();
    await worker.kill();
    await eventually('it is gone', async () => (await bench.messaging.queue.ping('s1' as SessionId)) === 'gone');
    expect(performance.now() - since).toBeLessThan(1000);
  });

  it('is not called gone while it is only frozen', async () => {
    const worker = await workerProcess('s1');
    worker.pause();
    expect(await bench.messaging.queue.ping('s1' as SessionId)).toBe('unknown');
    worker.resume();
    expect(await bench.messaging.queue.ping('s1' as SessionId)).toBe('alive');
    await worker.kill();
  });
});
