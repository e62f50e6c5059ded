import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { removeDir, tempDir } from '@graphrun/testing';
import { openEmbedded, type Database } from '../index.js';
import { Child } from '../testing/child.js';
import { DirectoryLock } from './directory-lock.js';

describe('a data directory', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function directory(): Promise<string> {
    const parent = await tempDir('data');
    cleanups.push(() => removeDir(parent));
    const path = join(parent, 'data');
    mkdirSync(path);
    return path;
  }

  async function open(dataDir: string): Promise<Database> {
    const store = await openEmbedded({ dataDir });
    cleanups.push(() => store.close());
    return store;
  }

  function start(program: string, path: string): Child {
    const child = Child.start(program, path);
    cleanups.push(() => child.kill());
    return child;
  }

  function writeLock(path: string, holder: object): void {
    writeFileSync(join(path, 'lock'), JSON.stringify({ since: 'then', nonce: 'n', startTicks: null, ...holder }));
  }

  it('is refused to a second opener of the same process, and free again after close', async () => {
    const path = await directory();
    const first = await open(path);
    await expect(openEmbedded({ dataDir: path })).rejects.toMatchObject({
      code: 'FailedPrecondition',
      message: expect.stringContaining(`is in use by process ${process.pid} on ${hostname()} since 20`),
    });
    await first.close();
    await open(path);
  }, 60_000);

  it('is refused while its process lives; after kill -9 it opens with everything that was committed', async () => {
    const path = await directory();
    const child = start('./commit.program.ts', path);
    await child.until((lines) => lines.length >= 50);
    await expect(openEmbedded({ dataDir: path })).rejects.toMatchObject({
      code: 'FailedPrecondition',
      details: { pid: child.pid },
    });
    await child.kill();
    const told = Number(child.lines.at(-1));

    const store = await open(path);

    const [row] = await store.engine.partitions();
    expect(row?.commitNo).toBeGreaterThanOrEqual(told);
    const counts = await store.query.countRuns({ namespace: 'default' });
    expect(counts.active).toBe(row?.commitNo);
    const { items } = await store.query.listRuns({ namespace: 'default' }, 1_000, null);
    const loaded = await store.query.loadRuns(items.map((item) => item.run));
    expect(loaded.every((run) => run.tail.length === 1)).toBe(true);
  }, 60_000);

  it('keeps its identity, which is the one of its cluster', async () => {
    const path = await directory();
    const store = await open(path);
    const identity = JSON.parse(readFileSync(join(path, 'identity.json'), 'utf8')) as { id: string };
    expect(identity).toEqual({ format: 1, id: expect.any(String), postgres: '18', created_at: expect.any(String) });
    expect((await store.cluster()).id).toBe(identity.id);
    const another = await open(await directory());
    expect((await another.cluster()).id).not.toBe(identity.id);
  }, 60_000);

  it.each([
    ['a newer format', { format: 2, id: 'x', postgres: '18' }, 'has format 2'],
    ['another PostgreSQL', { format: 1, id: 'x', postgres: '17' }, 'holds files of PostgreSQL 17'],
    ['something else', { name: 'not ours' }, 'is not the identity of a Graphrun data directory'],
  ])('is refused when it is of %s, and stays unlocked', async (_what, identity, message) => {
    const path = await directory();
    writeFileSync(join(path, 'identity.json'), JSON.stringify(identity));
    await expect(openEmbedded({ dataDir: path })).rejects.toMatchObject({
      code: 'FailedPrecondition',
      message: expect.stringContaining(message),
    });
    DirectoryLock.acquire(path).release();
  });

  it('is taken over from a process that is dead', async () => {
    const path = await directory();
    const child = start('./lock.program.ts', path);
    await child.until((lines) => lines.includes('ready'));
    child.say('go');
    await child.until((lines) => lines.includes('mine'));
    expect(() => DirectoryLock.acquire(path)).toThrow(`is in use by process ${child.pid}`);
    await child.kill();
    DirectoryLock.acquire(path).release();
  }, 30_000);

  it('is taken over when the pid of the dead holder belongs to another process by now', async () => {
    const path = await directory();
    writeLock(path, { pid: process.pid, host: hostname(), startTicks: '1' });
    DirectoryLock.acquire(path).release();
  });

  it('is taken over when a power loss has emptied its lock', async () => {
    const path = await directory();
    writeFileSync(join(path, 'lock'), '');
    DirectoryLock.acquire(path).release();
  });

  it('is refused when the holder runs on another host, saying what to do', async () => {
    const path = await directory();
    writeLock(path, { pid: 1, host: 'elsewhere' });
    expect(() => DirectoryLock.acquire(path)).toThrow('If host elsewhere no longer runs it, remove');
  });

  it('has one new owner when many processes find the same dead one', async () => {
    const path = await directory();
    writeLock(path, { pid: 2 ** 30, host: hostname() });
    const children = Array.from({ length: 6 }, () => start('./lock.program.ts', path));
    await Promise.all(children.map((child) => child.until((lines) => lines.includes('ready'))));
    for (const child of children) child.say('go');
    await Promise.all(children.map((child) => child.until((lines) => lines.length === 2)));

    const owners = children.filter((child) => child.lines[1] === 'mine');
    expect(owners).toHaveLength(1);
    for (const child of children) {
      if (child !== owners[0]) expect(child.lines[1]).toContain(`is in use by process ${owners[0]?.pid}`);
    }
  }, 60_000);
});
