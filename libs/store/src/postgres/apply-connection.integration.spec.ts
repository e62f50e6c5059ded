import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { eventually } from '@graphrun/testing';
import { openPostgres, type Database } from '../index.js';
import { inDatabase, newDatabase, ownServer } from '../testing/backends.js';
import { after, commit, newRun, owned, result } from '../testing/writes.js';

describe('the apply connection', () => {
  const open = new Set<{ close(): unknown }>();
  // Before the hooks of the server, so that what is open is closed while the server still runs.
  afterAll(async () => {
    for (const one of open) await one.close();
  });
  const server = ownServer();
  let url: string;

  beforeAll(async () => {
    url = await newDatabase(server().url);
    const store = await openPostgres({ url, applicationName: 'setup' });
    await store.migrate();
    await store.engine.initPartitions(16);
    await store.close();
  }, 60_000);

  async function member(name: string, through = url): Promise<Database> {
    const store = await openPostgres({ url: through, applicationName: name });
    open.add(store);
    return store;
  }

  /** Holds a lock that inserts of events wait for, so that an apply stops behind its guard. */
  async function blockEvents(): Promise<{ release(): Promise<void> }> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE graphrun.event IN EXCLUSIVE MODE');
    return {
      release: async () => {
        await client.query('ROLLBACK');
        await client.end();
      },
    };
  }

  async function backendsWaitingForLock(): Promise<readonly number[]> {
    return inDatabase(url, async (client) => {
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'graphrun-apply %' AND wait_event_type = 'Lock'`,
      );
      return rows.map((row) => row.pid);
    });
  }

  function withEvent() {
    const run = newRun();
    return { runInserts: [run], events: [{ run: run.run, seq: 1, count: 1, at: 1, data: '[]' }] };
  }

  it('calls a killed apply unknown, and connects again for the next one', async () => {
    const store = await member('killed');
    const row = await owned(store, 0);
    const block = await blockEvents();
    const outcome = store.engine.apply([commit(row, withEvent())]);
    const [pid] = await eventually('apply waits', async () => {
      const waiting = await backendsWaitingForLock();
      return waiting.length > 0 && waiting;
    });
    await inDatabase(url, (client) => client.query('SELECT pg_terminate_backend($1)', [pid]));

    expect(await outcome).toMatchObject({ kind: 'unknown', cause: { code: '57P01' } });
    await block.release();

    expect((await store.engine.partitions())[0]?.commitNo).toBe(row.commitNo);
    expect(await store.engine.apply([commit(row)])).toEqual({ kind: 'committed' });
    expect((await store.engine.partitions())[0]?.backendPid).not.toBe(pid);
  }, 30_000);

  it('connects again after its idle connection was ended', async () => {
    const store = await member('idle');
    const row = await owned(store, 1);
    await inDatabase(url, (client) => client.query('SELECT pg_terminate_backend($1)', [row.backendPid]));
    const outcome = await eventually('an apply commits again', async () => {
      const tried = await store.engine.apply([commit(row)]);
      return tried.kind === 'committed' && tried;
    });
    expect(outcome).toEqual({ kind: 'committed' });
  }, 30_000);

  it('gives up on an apply that hangs, before the lease of the partition ends', async () => {
    const store = await member('hangs');
    const row = await owned(store, 2);
    const block = await blockEvents();
    const started = performance.now();
    expect(await store.engine.apply([commit(row, withEvent())])).toMatchObject({
      kind: 'unknown',
      cause: { code: '57014' },
    });
    expect(performance.now() - started).toBeLessThan(8_000);
    await block.release();
    expect(await store.engine.apply([commit(row)])).toEqual({ kind: 'committed' });
  }, 30_000);

  it('lets a successor take over at once from an owner whose apply hangs with the row locked', async () => {
    const [former, successor] = [await member('former'), await member('successor')];
    const row = await owned(former, 3);
    const block = await blockEvents();
    const hung = former.engine.apply([commit(row, withEvent())]);
    await eventually('apply waits', async () => (await backendsWaitingForLock()).length > 0);

    const started = performance.now();
    const taken = await successor.engine.takeOver(3, 'c-2', row.epoch, 10_000);
    expect(performance.now() - started).toBeLessThan(2_000);

    expect(taken).toMatchObject({ epoch: row.epoch + 1, commitNo: row.commitNo });
    expect(await hung).toMatchObject({ kind: 'unknown' });
    await block.release();
    expect(await successor.engine.apply([commit({ ...row, epoch: row.epoch + 1 })])).toEqual({ kind: 'committed' });
    expect(await former.engine.apply([commit(row)])).toEqual({ kind: 'guard_missed', reason: 'row' });
  }, 30_000);

  it('does not terminate its own backend when it takes over from itself', async () => {
    const store = await member('self');
    const first = await owned(store, 4);
    const second = await owned(store, 4);
    expect(second.backendPid).toBe(first.backendPid);
    expect(await store.engine.apply([commit(second)])).toEqual({ kind: 'committed' });
  });

  it('does not terminate a backend that is no apply connection, whatever the row says', async () => {
    const store = await member('careful');
    const bystander = new Client({ connectionString: url, application_name: 'psql' });
    await bystander.connect();
    const { rows } = await bystander.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await bystander.query('UPDATE graphrun.partition SET backend_pid = $1 WHERE partition = 5', [rows[0]?.pid]);
    await owned(store, 5);
    expect((await bystander.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await bystander.end();
  });

  it('calls a commit whose answer is lost unknown, and its rows are there', async () => {
    const proxy = await AnswerDroppingProxy.start(url);
    open.add(proxy);
    const store = await member('proxied', proxy.url);
    const row = await owned(store, 6);
    await store.engine.apply([commit(row)]);
    const stored = result({ partition: 6 });

    proxy.dropAnswers();
    expect(await store.engine.apply([commit(after(row), { results: [stored] })])).toMatchObject({ kind: 'unknown' });
    proxy.passAnswers();

    const direct = await member('direct');
    const moved = (await direct.engine.partitions())[6];
    expect(moved).toMatchObject({ commitNo: row.commitNo + 2, position: { seq: row.position.seq + 2 } });
    expect(await direct.query.result(stored)).toMatchObject({ result: stored.result });
    // The same decision again is no second commit.
    expect(await store.engine.apply([commit(after(row), { results: [stored] })])).toEqual({
      kind: 'guard_missed',
      reason: 'row',
    });
  }, 30_000);

  it('does not wait for a server that has gone silent', async () => {
    const proxy = await AnswerDroppingProxy.start(url);
    open.add(proxy);
    const store = await member('silent', proxy.url);
    const row = await owned(store, 7);
    proxy.holdAnswers();
    const started = performance.now();
    expect(await store.engine.apply([commit(row)])).toMatchObject({ kind: 'unknown' });
    expect(performance.now() - started).toBeLessThan(8_000);
    proxy.passAnswers();
    expect(await store.engine.apply([commit(after(row))])).toEqual({ kind: 'committed' });
  }, 30_000);

  it('commits synchronously even where the server’s default does not', async () => {
    await inDatabase(url, (client) =>
      client.query(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET synchronous_commit = off`),
    );
    const store = await member('synchronous');
    const row = await owned(store, 8);
    await inDatabase(url, (client) =>
      client.query(`CREATE FUNCTION note_setting() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          RAISE EXCEPTION '%', current_setting('synchronous_commit') USING ERRCODE = '22000'; END $$;
        CREATE TRIGGER note BEFORE INSERT ON graphrun.quarantine FOR EACH ROW EXECUTE FUNCTION note_setting()`),
    );
    const { run } = newRun();
    const quarantined = [
      { partition: 8, incarnation: 0, seq: 1, run, kind: 'start', principal: 'p', data: '', error: '', at: 1 },
    ];
    expect(await store.engine.apply([commit(row, { quarantined })])).toMatchObject({
      kind: 'data_error',
      message: 'on',
    });
    expect(await store.checkSettings()).toEqual([
      "PostgreSQL's setting synchronous_commit is 'off': a crash can lose transactions that were reported as committed. Set it to 'on'.",
    ]);
  });

  it('survives a restart of the server', async () => {
    const store = await member('restarted');
    const row = await owned(store, 9);
    await server().restart();
    const outcome = await eventually('an apply commits again', async () => {
      const tried = await store.engine.apply([commit(row)]);
      return tried.kind === 'committed' && tried;
    });
    expect(outcome).toEqual({ kind: 'committed' });
    await store.ping();
  }, 60_000);
});

describe('reads', () => {
  const server = ownServer();

  it('says where it cannot connect to, without the password', async () => {
    const url = 'postgres://alice:secret@127.0.0.1:1/orders';
    const failure = await openPostgres({ url, applicationName: 'nobody' }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'Unavailable', details: { url: 'postgres://alice@127.0.0.1:1/orders' } });
    expect(String(failure)).toContain('postgres://alice@127.0.0.1:1/orders cannot be reached');
    expect(String(failure)).not.toContain('secret');
  });

  it('gets its connections back after more reads than connections have waited for a frozen server', async () => {
    const store = await openPostgres({ url: await newDatabase(server().url), applicationName: 'pool', poolSize: 2 });
    await store.migrate();
    server().pause();
    const reads = await Promise.allSettled(Array.from({ length: 8 }, () => store.ping()));
    server().resume();
    expect(reads.filter((read) => read.status === 'rejected').length).toBeGreaterThanOrEqual(6);
    for (const read of reads) {
      if (read.status === 'rejected') expect(read.reason).toMatchObject({ code: 'Unavailable' });
    }
    await Promise.all(Array.from({ length: 8 }, () => store.ping()));
    await store.close();
  }, 60_000);
});

/** A TCP proxy that can lose what the server answers: the server commits, and nobody hears of it. */
class AnswerDroppingProxy {
  private mode: 'pass' | 'hold' | 'drop' = 'pass';
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly listener: Server,
    readonly url: string,
  ) {}

  static async start(target: string): Promise<AnswerDroppingProxy> {
    const { hostname, port } = new URL(target);
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = new URL(target);
    url.port = String((listener.address() as AddressInfo).port);
    const proxy = new AnswerDroppingProxy(listener, url.href);
    listener.on('connection', (client) => proxy.join(client, connect(Number(port), hostname)));
    return proxy;
  }

  passAnswers(): void {
    this.mode = 'pass';
  }

  /** The next answer is lost, and with it its connection. */
  dropAnswers(): void {
    this.mode = 'drop';
  }

  /** Answers are lost and the connection stays open. */
  holdAnswers(): void {
    this.mode = 'hold';
  }

  close(): void {
    this.listener.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private join(client: Socket, server: Socket): void {
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
    client.on('data', (bytes) => server.write(bytes));
    server.on('data', (bytes) => {
      if (this.mode === 'pass') client.write(bytes);
      if (this.mode === 'drop') client.destroy();
    });
  }
}
