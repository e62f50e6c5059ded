import { describe, expect, it } from '@jest/globals';
import type { CpuProfile } from './summary.js';
import { packageOf, shortFile, summarizeProfile } from './summary.js';

const ENGINE = 'file:///srv/main/libs/engine/dist/processor/processor.js';
const PG = 'file:///srv/main/node_modules/pg/lib/client.js';

function node(id: number, functionName: string, url: string, lineNumber: number, children: readonly number[] = []) {
  return { id, callFrame: { functionName, url, lineNumber }, children };
}

/** (root) -> turn -> [query, turn -> query], and idle and garbage collection beside it. */
const PROFILE: CpuProfile = {
  nodes: [
    node(1, '(root)', '', -1, [2, 6, 7]),
    node(2, 'turn', ENGINE, 9, [3, 4]),
    node(3, 'query', PG, 99),
    node(4, 'turn', ENGINE, 9, [5]),
    node(5, 'query', PG, 99),
    node(6, '(idle)', '', -1),
    node(7, '(garbage collector)', '', -1),
  ],
  samples: [2, 3, 4, 5, 6, 7, 6],
  timeDeltas: [0, 1000, 2000, 3000, 4000, 5000, 6000],
};

describe('a profile', () => {
  it('gives each sample the time until the next one, and leaves idle time out of the shares', () => {
    const { seconds, busy, functions } = summarizeProfile(PROFILE);
    expect(seconds).toBe(0.021);
    expect(busy).toBeCloseTo(16 / 21, 10);
    expect(functions).toEqual([
      { name: 'query pg/lib/client.js:100', ms: 6, share: 6 / 16 },
      { name: '(garbage collector)', ms: 6, share: 6 / 16 },
      { name: 'turn @graphrun/engine/processor/processor.js:10', ms: 4, share: 4 / 16 },
    ]);
  });

  it('says which packages the time went to', () => {
    expect(summarizeProfile(PROFILE).packages.map(({ name, ms }) => [name, ms])).toEqual([
      ['pg', 6],
      ['(garbage collector)', 6],
      ['@graphrun/engine', 4],
    ]);
  });

  it('counts a function that calls itself once, with what it called', () => {
    expect(summarizeProfile(PROFILE).inclusive).toEqual([
      { name: 'turn @graphrun/engine/processor/processor.js:10', ms: 10, share: 10 / 16 },
    ]);
  });

  it('shows as many lines as asked for', () => {
    expect(summarizeProfile(PROFILE, 1).functions).toHaveLength(1);
  });
});

describe('a file', () => {
  it('is named by its package', () => {
    expect(shortFile(ENGINE)).toBe('@graphrun/engine/processor/processor.js');
    expect(shortFile('file:///srv/main/apps/control/dist/main.js')).toBe('@graphrun/control/main.js');
    expect(shortFile('/srv/node_modules/a/node_modules/@nats-io/nats-core/lib/x.js')).toBe(
      '@nats-io/nats-core/lib/x.js',
    );
    expect(shortFile('node:net')).toBe('node:net');
  });

  it('belongs to a package, scoped or not, or to Node', () => {
    expect(['pg/lib/client.js', '@nats-io/nats-core/lib/x.js', 'node:internal/timers'].map(packageOf)).toEqual([
      'pg',
      '@nats-io/nats-core',
      'node',
    ]);
  });
});
