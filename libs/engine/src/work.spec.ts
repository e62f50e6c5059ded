import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database, EngineStore } from '@graphrun/store';
import { sequence } from './testing/definitions.js';
import { TestEngine } from './testing/embedded-engine.js';
import { FaultDatabase } from './testing/fault-store.js';
import { endOf, historyOf, kindsOf, recorded } from './testing/history.js';
import { replaced } from './testing/replaced.js';
import { passOn, TestWorker } from './testing/worker.js';

const ITEM = { id: 'i1', n: 7 };
const DEFINITIONS = [
  sequence('pure', { a: {} }),
  sequence('chain', { a: {}, b: {} }),
  sequence('safe', { c: { effects: 'external', timeout: '30s' } }),
  sequence('manual', { m: { effects: 'external', recovery: 'Manual', timeout: '30s' } }),
  sequence('steps', { c: { effects: 'external' }, d: { effects: 'external' } }),
  sequence('mortal', { p: { maxAttempts: 3 } }),
  sequence('short', { s: { effects: 'external', timeout: '1s', maxAttempts: 2 } }),
];

describe('work in the hands of workers', () => {
  let engine: TestEngine;
  const workers: TestWorker[] = [];

  beforeEach(async () => {
    engine = await TestEngine.open({
      definitions: DEFINITIONS,
      config: { sessionPingMs: 50, stableConnectionMs: 0, offerPatienceMs: 300 },
    });
  });

  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
    await engine.discard();
  });

  async function worker(
    activities: readonly string[],
    options: Partial<Parameters<typeof TestWorker.open>[0]> = {},
  ): Promise<TestWorker> {
    const opened = await TestWorker.open({ messaging: engine.messaging, activities, ...options });
    workers.push(opened);
    return opened;
  }

  it('gives the RetrySafe work of a lost worker to another one, with the same effect key', async () => {
    const lost = await worker(['c'], { name: 'w1', script: () => null });
    const run = await engine.client.run('safe', ITEM);
    await engine.client.until('the grant', () => lost.receipts.at(0));
    const other = await worker(['c'], { name: 'w2' });
    await lost.close();
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
    expect(other.executed.map(({ attempt, generation }) => [attempt, generation])).toEqual([[2, 2]]);
    expect(other.executed[0]?.effectKey).toBe(lost.executed[0]?.effectKey);
    expect(await kindsOf(engine.database, run)).toContain('attempt_lost');
  });

  it('gives the grant of the next step again with the receipt of a repeated report: the first one may be lost', async () => {
    const opened = await worker(['c', 'd'], {
      free: 1,
      script: (offer) => (offer.activity === 'd' ? null : passOn(offer)),
    });
    const run = await engine.client.run('steps', ITEM);
    const [first, granted] = await engine.client.until('the second step', () =>
      opened.executed.length === 2 ? opened.executed : undefined,
    );
    if (first === undefined || granted === undefined) throw new Error('two were executed');
    const outcome = { kind: 'success', output: ITEM };
    const again = await opened.send('report', first, { lax: false, outcome });
    expect(again).toMatchObject({ verdict: 'accepted', eager: [{ ...granted, id: expect.any(String) }] });
    expect((await kindsOf(engine.database, run)).filter((kind) => kind === 'attempt_granted')).toHaveLength(2);
  });

  it('does not repeat the Manual work of a lost worker: it waits for its own word', async () => {
    const lost = await worker(['m'], { name: 'w1', script: () => null });
    const run = await engine.client.run('manual', ITEM);
    const grant = await engine.client.until('the grant', () => lost.receipts.at(0));
    expect(grant.verdict).toBe('accepted');
    const other = await worker(['m', 'c'], { name: 'w2' });
    await lost.close();
    // Work that may be repeated is repeated meanwhile: the watch has looked.
    const safe = await engine.client.run('safe', ITEM);
    await engine.client.outcome(safe);
    expect(other.executed.filter((offer) => offer.run === run)).toEqual([]);
    expect((await kindsOf(engine.database, run)).at(-1)).toBe('attempt_granted');
  });

  it('loses an attempt at its deadline, retries it, and refuses the late result as evidence', async () => {
    let calls = 0;
    const slow = await worker(['s'], { script: (offer) => ((calls += 1) === 1 ? null : passOn(offer)) });
    const run = await engine.client.run('short', ITEM);
    expect(await endOf(engine.database, run)).toMatchObject({ kind: 'run_succeeded' });
    expect(slow.executed.map(({ attempt }) => attempt)).toEqual([1, 2]);
    const first = slow.executed[0];
    if (first === undefined) throw new Error('nothing was executed');
    const late = await slow.send('report', first, { lax: false, outcome: { kind: 'success', output: ITEM } });
    expect(late.verdict).toBe('stale');
    const events = await historyOf(engine.database, run);
    const lost = events.find(({ body }) => body.kind === 'attempt_lost');
    const granted = events.find(({ body }) => body.kind === 'attempt_granted');
    expect(lost?.body).toMatchObject({ reason: 'timeout', generation: 1 });
    expect((lost?.at ?? 0) - (granted?.at ?? 0)).toBeGreaterThanOrEqual(1000);
    expect(slow.aborts).toContainEqual({ run, activation: 'a1', generation: 1, reason: 'lost' });
  });

  it('does not let one worker report what another was granted', async () => {
    const owner = await worker(['c'], { name: 'w1', script: () => null });
    const run = await engine.client.run('safe', ITEM);
    await engine.client.until('the grant', () => owner.receipts.at(0));
    const [offer] = owner.executed;
    if (offer === undefined) throw new Error('nothing was executed');
    const thief = await worker(['x'], { name: 'w2' });
    const outcome = { kind: 'success', output: { id: 'stolen', n: 0 } };
    expect((await thief.send('report', offer, { lax: false, outcome })).verdict).toBe('stale');
    expect(await thief.send('report', offer, { lax: false, outcome, session: owner.session })).toMatchObject({
      verdict: 'rejected',
      reason: 'the session belongs to another worker',
    });
    expect(
      (await owner.send('report', offer, { lax: false, outcome: { kind: 'success', output: ITEM } })).verdict,
    ).toBe('accepted');
    expect((await engine.client.outcome(run)).outcome).toEqual({ status: 'succeeded', output: ITEM });
  });

  it('answers a repeated report with the first receipt and changes nothing', async () => {
    const one = await worker(['c']);
    const run = await engine.client.run('safe', ITEM);
    await engine.client.outcome(run);
    const [offer] = one.executed;
    if (offer === undefined) throw new Error('nothing was executed');
    const before = (await historyOf(engine.database, run)).length;
    const again = await one.send('report', offer, { lax: false, outcome: { kind: 'success', output: ITEM } });
    expect(again.verdict).toBe('accepted');
    expect((await historyOf(engine.database, run)).length).toBe(before);
  });

  it('asks the worker to stop when its run is cancelled, and settles by its word', async () => {
    const one = await worker(['c'], { script: () => null });
    const run = await engine.client.run('safe', ITEM);
    await engine.client.until('the grant', () => one.receipts.at(0));
    await engine.client.cancel(run, 'no longer wanted');
    await engine.client.until('the abort', () => one.aborts.at(0));
    expect(one.aborts).toEqual([{ run, activation: 'a1', generation: 1, reason: 'cancelled' }]);
    expect(engine.client.ended.has(run)).toBe(false);
    const [offer] = one.executed;
    if (offer === undefined) throw new Error('nothing was executed');
    await one.send('report', offer, { lax: false, outcome: { kind: 'success', output: ITEM } });
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'cancelled' });
  });

  it('renews what a session holds and says what it has lost', async () => {
    const one = await worker(['c'], { script: () => null });
    const run = await engine.client.run('safe', ITEM);
    await engine.client.until('the grant', () => one.receipts.at(0));
    const [offer] = one.executed;
    if (offer === undefined) throw new Error('nothing was executed');
    const held = { run, activation: offer.activation, generation: offer.generation };
    const wrong = { ...held, generation: 9 };
    expect(await one.renew(offer.partition, [held, wrong])).toMatchObject({ lost: [{ ...wrong, reason: 'lost' }] });
  });

  it('keeps the last heartbeat of an attempt in memory, and writes nothing for it', async () => {
    const one = await worker(['c'], { script: () => null });
    const run = await engine.client.run('safe', ITEM);
    await engine.client.until('the grant', () => one.receipts.at(0));
    const [offer] = one.executed;
    if (offer === undefined) throw new Error('nothing was executed');
    const { activation, generation, partition } = offer;
    const claim = { run, activation, generation };
    const events = (await historyOf(engine.database, run)).length;
    const commits = (await engine.database.engine.partitions()).map(({ commitNo }) => commitNo);
    const saidOf = () => engine.messaging.queue.heartbeats(partition, { run });
    expect(await saidOf()).toEqual({ attempts: [] });
    await one.renew(partition, [{ ...claim, heartbeat: { ageMs: 400, details: { done: 1 } } }]);
    const [said] = (await saidOf()).attempts;
    expect(said).toMatchObject({ activation, generation, details: { done: 1 } });
    expect(said?.ageMs).toBeGreaterThanOrEqual(400);
    // A renewal without one takes nothing back; one of another generation or of nobody's changes nothing.
    await one.renew(partition, [claim, { ...claim, generation: 9, heartbeat: { ageMs: 0, details: 'wrong' } }]);
    expect((await saidOf()).attempts).toMatchObject([{ details: { done: 1 } }]);
    await one.renew(partition, [{ ...claim, heartbeat: { ageMs: 0, details: 'x'.repeat(2_000) } }]);
    expect((await saidOf()).attempts).toMatchObject([{ details: { omitted: 'the details are too long' } }]);
    expect((await engine.database.engine.partitions()).map(({ commitNo }) => commitNo)).toEqual(commits);
    expect((await historyOf(engine.database, run)).length).toBe(events);
    await one.send('report', offer, { lax: false, outcome: { kind: 'success', output: ITEM } });
    expect(await saidOf()).toEqual({ attempts: [] });
  });

  it.each([
    ['pure work', 'mortal', 'p', 3],
    ['external work', 'short', 's', 2],
  ])('lets %s that ends its process use up its budget', async (_, workflow, activity, budget) => {
    const deaths: string[] = [];
    const open = async (life: number): Promise<void> => {
      const mortal = await worker([activity], {
        name: `w${life}`,
        script: (offer) => {
          deaths.push(`${offer.attempt} ${offer.strict ? 'strict' : 'lax'}`);
          void mortal.close().then(() => open(life + 1));
          return null;
        },
      });
    };
    await open(1);
    await worker(['x'], { name: 'other' });
    const run = await engine.client.run(workflow, ITEM);
    await recorded(engine.database, run, workflow === 'mortal' ? 'run_failed' : 'intervention_required');
    const granted = (await kindsOf(engine.database, run)).filter((kind) => kind === 'attempt_granted');
    expect(granted).toHaveLength(budget);
    // Lax work may end one process before anybody knows that it had begun, and no more than one.
    const attempts = Array.from({ length: budget }, (unused, n) => `${n + 1} strict`);
    expect(deaths).toEqual(workflow === 'mortal' ? ['1 lax', ...attempts] : attempts);
    if (workflow === 'mortal') {
      expect((await engine.client.outcome(run)).outcome).toMatchObject({ failure: { code: 'activity.lost' } });
    }
  });

  it('takes no claim from its worker while a takeover has yet to look at its run', async () => {
    await engine.discard();
    const faults = new FaultDatabase();
    let ask: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (ask = resolve));
    let held: Promise<void> = Promise.resolve();
    const wakes =
      (database: Database): EngineStore['wakes'] =>
      async (...of) => {
        if (faults.commits.length > 0) ask();
        await held;
        return database.engine.wakes(...of);
      };
    const wrap = (database: Database): Database =>
      faults.wrap(replaced(database, { engine: replaced(database.engine, { wakes: wakes(database) }) }));
    engine = await TestEngine.open({ definitions: DEFINITIONS, partitions: 1, wrap });
    const one = await worker(['c'], { script: () => null });
    const run = await engine.client.run('safe', ITEM);
    await engine.client.until('the grant', () => one.receipts.at(0));
    const [offer] = one.executed;
    if (offer === undefined) throw new Error('nothing was executed');
    const { activation, generation } = offer;

    held = new Promise<void>((resolve) => (goOn = resolve));
    faults.fault = () => Promise.resolve({ kind: 'unknown', cause: new Error('cut off') });
    const other = engine.client.run('pure', ITEM);
    await asked;
    faults.fault = () => null;
    const claim = { run, activation, generation };
    expect(await one.renew(0, [claim])).toMatchObject({ epoch: 2, lost: [] });
    goOn();
    await other;
    const claims = [claim, { ...claim, generation: 7 }];
    let reply = await one.renew(0, claims);
    while (reply.lost.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      reply = await one.renew(0, claims);
    }
    expect(reply.lost).toEqual([{ run, activation, generation: 7, reason: 'lost' }]);
    await one.send('report', offer, { lax: false, outcome: { kind: 'success', output: ITEM } });
    expect(await endOf(engine.database, run)).toMatchObject({ kind: 'run_succeeded' });
  });

  it('loses a claim whose lease was not renewed, though its session still answers', async () => {
    await engine.discard();
    engine = await TestEngine.open({ definitions: DEFINITIONS, config: { claimLeaseMs: 500 } });
    let calls = 0;
    const one = await worker(['c'], { script: (offer) => ((calls += 1) === 1 ? null : passOn(offer)) });
    const run = await engine.client.run('safe', ITEM);
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
    const lost = (await historyOf(engine.database, run)).find(({ body }) => body.kind === 'attempt_lost');
    expect(lost?.body).toMatchObject({ reason: 'lease' });
    expect(one.executed.map(({ generation }) => generation)).toEqual([1, 2]);
  });

  it('offers again what the work queue has lost', async () => {
    const swallow = await TestWorker.open({ messaging: engine.messaging, activities: ['a'], script: () => null });
    const run = await engine.client.run('pure', ITEM);
    await engine.client.until('the offer', () => swallow.offers.at(0));
    swallow.forget();
    await swallow.close();
    const other = await worker(['a'], { name: 'w2' });
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
    expect(other.executed.map(({ strict }) => strict)).toEqual([true]);
  });

  it('offers to all what it handed over in a receipt that never came', async () => {
    const one = await worker(['a', 'b'], { free: 4, losesEager: true });
    const run = await engine.client.run('chain', ITEM);
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
    expect(one.receipts[0]?.eager).toMatchObject([{ activity: 'b', strict: false }]);
    expect(one.executed.map(({ activity, strict }) => [activity, strict])).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });

  it('offers at most so many leaves at once, and the rest as they are taken', async () => {
    await engine.discard();
    engine = await TestEngine.open({ definitions: DEFINITIONS, config: { offersPerKey: 3 } });
    const runs = await Promise.all(Array.from({ length: 20 }, (_, n) => engine.client.run('pure', { id: `i${n}`, n })));
    expect(await engine.messaging.queue.backlog({ role: 'forward', activity: 'a', version: 1 })).toEqual({
      pending: 3,
      unacked: 0,
    });
    await worker(['a']);
    for (const run of runs) expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'succeeded' });
  });
});

describe('a restart', () => {
  it('goes on with what was ready, granted and waiting, and starts no deadline anew', async () => {
    let engine = await TestEngine.open({ definitions: DEFINITIONS });
    const hung = await TestWorker.open({ messaging: engine.messaging, activities: ['c', 's'], script: () => null });
    const ready = await engine.client.run('pure', ITEM);
    const granted = await engine.client.run('safe', ITEM);
    const short = await engine.client.run('short', ITEM);
    await engine.client.until('both grants', () => (hung.receipts.length === 2 ? true : undefined));
    const deadline = (await historyOf(engine.database, short)).find(
      ({ body }) => body.kind === 'attempt_granted',
    )?.body;
    await hung.close();
    await engine.stop();
    engine = await TestEngine.open({ dataDir: engine.dataDir, config: { claimLeaseMs: 200 } });
    const worker = await TestWorker.open({ messaging: engine.messaging, activities: ['a', 'c', 's'] });
    for (const run of [ready, granted, short])
      expect(await endOf(engine.database, run)).toMatchObject({ kind: 'run_succeeded' });
    const events = await historyOf(engine.database, short);
    const grants = events.filter(({ body }) => body.kind === 'attempt_granted').map(({ body }) => body);
    expect(grants[0]).toEqual(deadline);
    expect(worker.executed.filter(({ run }) => run === ready).map(({ strict }) => strict)).toEqual([true]);
    await worker.close();
    await engine.discard();
  });
});
