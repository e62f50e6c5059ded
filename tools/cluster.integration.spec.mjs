import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, startProcess } from '@graphrun/testing';
import { isInstalled, lockDigest } from './setup/install.mjs';
import { root } from './setup/project.mjs';

describe('npm run cluster', () => {
  let cluster;
  afterEach(() => cluster?.kill()); // with its guardians, when the test has failed half way

  it('starts every service, says where they are, and leaves none behind after Ctrl-C', async () => {
    // Otherwise it would install first, and take the dependencies away under the other tests that run now.
    expect(isInstalled(root, lockDigest(root))).toBe(true);
    cluster = await startProcess({
      name: 'npm run cluster',
      args: [join(root, 'tools/cluster.mjs'), '--nats', '1', '--partitions', '4'],
      ready: (line) => line.includes('Ctrl-C here ends everything'),
      readyTimeoutMs: 150_000,
    });
    const pids = new Map(
      cluster.stdout.flatMap((line) => {
        const row = /^ {2}(\S+) +pid (\d+) /.exec(line);
        return row ? [[row[1], Number(row[2])]] : [];
      }),
    );
    expect([...pids.keys()].sort()).toEqual([
      'control',
      'coordinator-1',
      'coordinator-2',
      'worker-inventory',
      'worker-payment',
    ]);
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(cluster.stdout.join('\n')) ?? [];
    const ready = await fetch(`${url}/readyz`);
    expect(await ready.json()).toEqual({ status: 'ok', reasons: [] });

    await expect(cluster.stop({ signal: 'SIGINT', timeoutMs: 60_000 })).resolves.toEqual({ code: 0, signal: null });
    await eventually('no service is left', () => [...pids.values()].every((pid) => !exists(pid)));
  }, 240_000);
});

function exists(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
