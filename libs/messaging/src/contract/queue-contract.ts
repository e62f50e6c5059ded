/** What every work queue keeps (ports.ts `WorkQueue`; spec 04 "Work queue", "Claims, leases, lost workers"). */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunId, ActivationId, SessionId } from '@graphrun/domain';
import type { RenewReply } from '@graphrun/protocol';
import { ACK_WAIT_MS } from '../limits.js';
import type { Messaging } from '../messaging.js';
import { anOffer, aSession, Bench, CHARGE } from './builders.js';
import type { Adapter, TestCluster } from './cluster.js';

const CLAIM = { run: '0199b1c0-0000-7000-8000-000000000001' as RunId, activation: 'a1' as ActivationId, generation: 1 };
const REPLY: RenewReply = { epoch: 4, leaseMs: 30_000, lost: [{ ...CLAIM, reason: 'cancelled' }] };

export function workQueueContract(adapter: Adapter): void {
  const { eventually } = adapter;

  describe(`the work queue of ${adapter.name}`, () => {
    let cluster: TestCluster;
    let owner: Messaging;
    let host: Messaging;

    beforeEach(async () => {
      cluster = await adapter.open();
      owner = await cluster.join();
      host = await cluster.join();
    });

    afterEach(async () => {
      await cluster.close();
    });

    async function open(name: string, messaging: Messaging = host) {
      const bench = new Bench(aSession(name));
      return { bench, session: await messaging.queue.openSession(aSession(name), bench) };
    }

    it('brings an offer to a session with a free slot, as it was made', async () => {
      const { bench, session } = await open('s1');
      session.setFree(CHARGE, 1);
      owner.queue.offer(anOffer(1));
      await eventually('it has come', () => bench.taken.length === 1);
      expect(bench.taken[0]?.offer).toEqual(anOffer(1));
    });

    it('never brings more offers than there are free slots', async () => {
      const { bench, session } = await open('s1');
      for (let n = 1; n <= 20; n += 1) owner.queue.offer(anOffer(n));
      await eventually('they wait', async () => (await owner.queue.backlog(CHARGE)).pending === 20);
      session.setFree(CHARGE, 3);
      await eventually('three have come', () => bench.taken.length === 3);
      for (const taken of bench.taken) taken.ack();
      await eventually('the acks have arrived', async () => (await owner.queue.backlog(CHARGE)).unacked === 0);
      expect(await owner.queue.backlog(CHARGE)).toEqual({ pending: 17, unacked: 0 });
      expect(bench.taken.length).toBe(3);
      session.setFree(CHARGE, 2);
      await eventually('two more have come', () => bench.taken.length === 5);
      expect(await owner.queue.backlog(CHARGE)).toEqual({ pending: 15, unacked: 2 });
    });

    it('gives back what comes after the slots were taken by something else', async () => {
      const { bench, session } = await open('s1');
      const other = await open('s2', owner);
      session.setFree(CHARGE, 5);
      owner.queue.offer(anOffer(1));
      // It came in answer to a request for five, of which four are left.
      await eventually('the first has come', () => bench.taken.length === 1);
      bench.taken[0]?.ack();
      session.setFree(CHARGE, 0);
      other.session.setFree(CHARGE, 20);
      for (let n = 2; n <= 21; n += 1) owner.queue.offer(anOffer(n));
      await eventually('the other one has them', () => other.bench.taken.length === 20);
      expect(new Set(other.bench.ids).size).toBe(20);
      expect(bench.ids).toEqual(['0.1.1']);
    });

    it('shares offers between sessions, each of them once', async () => {
      const one = await open('s1');
      const two = await open('s2', owner);
      one.session.setFree(CHARGE, 50);
      two.session.setFree(CHARGE, 50);
      for (let n = 1; n <= 100; n += 1) owner.queue.offer(anOffer(n));
      await eventually('all are taken', () => one.bench.taken.length + two.bench.taken.length === 100);
      for (const taken of [...one.bench.taken, ...two.bench.taken]) taken.ack();
      expect(new Set([...one.bench.ids, ...two.bench.ids]).size).toBe(100);
      expect([one.bench.taken.length, two.bench.taken.length]).toEqual([50, 50]);
    });

    it('brings an offer that nobody acknowledged to another session after the ack wait', async () => {
      const one = await open('s1');
      one.session.setFree(CHARGE, 1);
      owner.queue.offer(anOffer(1));
      await eventually('it has come', () => one.bench.taken.length === 1);
      const since = performance.now();
      const two = await open('s2', owner);
      two.session.setFree(CHARGE, 1);
      await eventually('it has come again', () => two.bench.taken.length === 1);
      const waited = performance.now() - since;
      expect(waited).toBeGreaterThan(ACK_WAIT_MS * 0.8);
      expect(waited).toBeLessThan(ACK_WAIT_MS * 2);
    });

    it('brings an acknowledged offer to nobody else', async () => {
      const one = await open('s1');
      one.session.setFree(CHARGE, 1);
      owner.queue.offer(anOffer(1));
      await eventually('it has come', () => one.bench.taken.length === 1);
      one.bench.taken[0]?.ack();
      one.bench.taken[0]?.release();
      await eventually('the queue is empty', async () => {
        const { pending, unacked } = await owner.queue.backlog(CHARGE);
        return pending + unacked === 0;
      });
    });

    it('brings a released offer to another session at once, and a delayed one after its delay', async () => {
      const one = await open('s1');
      one.session.setFree(CHARGE, 2);
      owner.queue.offer(anOffer(1));
      owner.queue.offer(anOffer(2));
      await eventually('both have come', () => one.bench.taken.length === 2);
      one.session.setFree(CHARGE, 0);
      const two = await open('s2', owner);
      two.session.setFree(CHARGE, 2);
      const since = performance.now();
      one.bench.taken[0]?.release();
      one.bench.taken[1]?.release(600);
      await eventually('the first is there', () => two.bench.taken.length === 1);
      expect(performance.now() - since).toBeLessThan(500);
      await eventually('the second is there', () => two.bench.taken.length === 2);
      expect(performance.now() - since).toBeGreaterThan(550);
      expect(performance.now() - since).toBeLessThan(ACK_WAIT_MS);
      expect(two.bench.ids).toEqual(['0.1.1', '0.1.2']);
    });

    it('hands back what a closing session had not acknowledged, at once', async () => {
      const one = await open('s1');
      one.session.setFree(CHARGE, 2);
      owner.queue.offer(anOffer(1));
      owner.queue.offer(anOffer(2));
      await eventually('both have come', () => one.bench.taken.length === 2);
      one.bench.taken[0]?.ack();
      const since = performance.now();
      await one.session.close();
      await one.session.close();
      const two = await open('s2', owner);
      two.session.setFree(CHARGE, 2);
      await eventually('the second is there', () => two.bench.taken.length === 1);
      expect(performance.now() - since).toBeLessThan(1500);
      expect(two.bench.ids).toEqual([one.bench.ids[1]]);
    });

    it('brings nothing to a session that was closed', async () => {
      const one = await open('s1');
      one.session.setFree(CHARGE, 5);
      await one.session.close();
      one.session.setFree(CHARGE, 5);
      owner.queue.offer(anOffer(1));
      owner.queue.grant('s1' as SessionId, anOffer(1));
      const two = await open('s2', owner);
      two.session.setFree(CHARGE, 5);
      await eventually('the other one has it', () => two.bench.taken.length === 1);
      expect(one.bench.ids).toEqual([]);
      expect(one.bench.grants).toEqual([]);
    });

    it('goes on when a session throws, gives the offer back and reports it', async () => {
      const bench = new Bench(aSession('s1'));
      let failures = 0;
      const session = await host.queue.openSession(aSession('s1'), {
        info: () => bench.info(),
        onGrant: (offer) => bench.onGrant(offer),
        onAbort: (notice) => bench.onAbort(notice),
        onOffer: (taken) => {
          if (failures === 0) {
            failures += 1;
            throw new Error('the worker stumbled');
          }
          bench.onOffer(taken);
        },
      });
      session.setFree(CHARGE, 3);
      owner.queue.offer(anOffer(1));
      await eventually('it has come again', () => bench.taken.length === 1);
      expect(cluster.reported).toEqual([{ message: 'the worker stumbled', where: 'work forward/charge/1' }]);
    });

    it('counts what waits before anybody offers the activity, and drops it on a purge', async () => {
      for (let n = 1; n <= 3; n += 1) owner.queue.offer(anOffer(n));
      owner.queue.offer(anOffer(4, { activity: 'ship' }));
      await eventually('they wait', async () => (await owner.queue.backlog(CHARGE)).pending === 3);
      await owner.queue.purge(CHARGE);
      expect(await owner.queue.backlog(CHARGE)).toEqual({ pending: 0, unacked: 0 });
      expect(await owner.queue.backlog({ ...CHARGE, activity: 'ship' })).toEqual({ pending: 1, unacked: 0 });
    });

    it('keeps activities, versions and roles apart', async () => {
      const { bench, session } = await open('s1');
      session.setFree(CHARGE, 5);
      session.setFree({ ...CHARGE, version: 2 }, 5);
      owner.queue.offer(anOffer(1, { role: 'compensation' }));
      owner.queue.offer(anOffer(2, { activity: 'ship' }));
      owner.queue.offer(anOffer(3, { version: 2 }));
      owner.queue.offer(anOffer(4));
      await eventually('its own have come', () => bench.taken.length === 2);
      expect([...bench.ids].sort()).toEqual(['0.1.3', '0.1.4']);
    });

    it('sends grants and aborts to their session only', async () => {
      const one = await open('s1');
      const two = await open('s2', owner);
      owner.queue.grant('s1' as SessionId, anOffer(1, { grantedUntil: 99 }));
      owner.queue.abort('s2' as SessionId, { ...CLAIM, reason: 'lost' });
      await eventually('both have come', () => one.bench.grants.length === 1 && two.bench.aborts.length === 1);
      expect(one.bench.grants).toEqual([anOffer(1, { grantedUntil: 99 })]);
      expect(one.bench.aborts).toEqual([]);
      expect(two.bench.grants).toEqual([]);
      expect(two.bench.aborts).toEqual(['a1']);
    });

    it('knows at once that a session lives or has gone', async () => {
      const { session } = await open('s1');
      expect(await owner.queue.ping('s1' as SessionId)).toBe('alive');
      expect(await owner.queue.ping('nobody' as SessionId)).toBe('gone');
      await session.close();
      expect(await owner.queue.ping('s1' as SessionId)).toBe('gone');
    });

    it('lists the sessions that answer', async () => {
      expect(await owner.queue.sessions()).toEqual([]);
      const one = await open('s1');
      await open('s2', owner);
      const found = await owner.queue.sessions();
      expect(found.map(({ session }) => session).sort()).toEqual(['s1', 's2']);
      expect(found.find(({ session }) => session === 's1')).toEqual(aSession('s1'));
      await one.session.close();
      expect((await owner.queue.sessions()).map(({ session }) => session)).toEqual(['s2']);
    });

    it('lets only the owner of a partition answer renewals', async () => {
      const { session } = await open('s1');
      const request = { session: 's1' as SessionId, claims: [CLAIM] };
      await expect(session.renew(0, request)).rejects.toMatchObject({ name: 'GraphrunError', code: 'Unavailable' });
      const asked: unknown[] = [];
      await host.queue.serveRenewals(0, () => null);
      const serving = await owner.queue.serveRenewals(0, (renewal) => {
        asked.push(renewal);
        return REPLY;
      });
      await owner.queue.serveRenewals(1, () => ({ ...REPLY, epoch: 9 }));
      expect(await session.renew(0, request)).toEqual(REPLY);
      expect(asked).toEqual([request]);
      await serving.close();
      await expect(session.renew(0, request)).rejects.toMatchObject({ code: 'Unavailable' });
    });

    it('asks only the owner of a partition for heartbeats', async () => {
      const { run, activation, generation } = CLAIM;
      await expect(host.queue.heartbeats(0, { run })).rejects.toMatchObject({ code: 'Unavailable' });
      const reply = { attempts: [{ activation, generation, ageMs: 1_200, details: { done: 3 } }] };
      const asked: unknown[] = [];
      await host.queue.serveHeartbeats(0, () => null);
      const serving = await owner.queue.serveHeartbeats(0, (request) => {
        asked.push(request);
        return reply;
      });
      await owner.queue.serveHeartbeats(1, () => ({ attempts: [] }));
      expect(await host.queue.heartbeats(0, { run })).toEqual(reply);
      expect(asked).toEqual([{ run }]);
      await serving.close();
      await expect(host.queue.heartbeats(0, { run })).rejects.toMatchObject({ code: 'Unavailable' });
    });
  });
}
