import { describe, expect, it } from '@jest/globals';
import type { ActivationId, EventBody, ScopeId } from '../index.js';
import { BOTH_CLAIMED, branches, entered, opened, ROOT, runAfter } from '../testing/history.js';
import { START_MS } from '../testing/scenario.js';

const A1 = 'a1' as ActivationId;
const S2 = 's2' as ScopeId;
const S3 = 's3' as ScopeId;
const program = branches();
const failure = { code: 'broken', message: 'it broke' };
const completed = (scope: ScopeId, output: number): EventBody => ({ kind: 'scope_completed', scope, output });
const BOTH_OPEN = [entered('a1', 'both', [1, 2]), opened('s2', 'a1', 0), opened('s3', 'a1', 1)];

describe('appliers of containers', () => {
  it('parallel_entered takes its place in its scope and keeps the inputs where they stand', () => {
    const run = runAfter(program, entered('a1', 'both', [1, 2]));
    expect(run.scopes.get(ROOT)).toMatchObject({ next: null, current: { activation: 'a1' } });
    expect(run.containers.get(A1)).toEqual({
      id: 'a1',
      scope: 's1',
      node: 'both',
      pointer: '/root/nodes/both',
      since: START_MS + 3,
      status: { kind: 'open' },
      work: {
        kind: 'parallel',
        inputs: [
          { value: 1, seq: 3, at: '/inputs/0' },
          { value: 2, seq: 3, at: '/inputs/1' },
        ],
        opened: 0,
        results: new Map(),
      },
      bodies: new Set(),
    });
  });

  it('body_opened gives the body what its container captured for it', () => {
    const run = runAfter(program, ...BOTH_OPEN);
    expect(run.scopes.get(S3)).toMatchObject({
      owner: { container: 'a1', slot: 1 },
      region: '/root/nodes/both/branches/1/body',
      input: { value: 2, seq: 3, at: '/inputs/1' },
      status: { kind: 'open' },
      next: 'one',
    });
    expect([...(run.containers.get(A1)?.bodies ?? [])]).toEqual(['s2', 's3']);
    expect(() => runAfter(program, entered('a1', 'both', [1]), opened('s2', 'a1', 1))).toThrow(
      'event 4 opens branch 1 of a1, which it does not have',
    );
  });

  it('scope_completed leaves its result with the container and takes the body out of the tree', () => {
    const run = runAfter(program, ...BOTH_OPEN, completed(S3, 7));
    expect([...run.scopes.keys()]).toEqual(['s1', 's2']);
    const work = run.containers.get(A1)?.work;
    expect(work?.kind === 'parallel' ? [...work.results] : null).toEqual([[1, { value: 7, seq: 6, at: '/output' }]]);
  });

  it('container_completed puts the results together, and the scope goes on', () => {
    const done: EventBody = { kind: 'container_completed', activation: A1 };
    const run = runAfter(program, ...BOTH_OPEN, completed(S3, 7), completed(S2, 6), done);
    expect(run.scopes.get(ROOT)).toMatchObject({ next: 'end', current: null });
    expect(run.scopes.get(ROOT)?.outputs.get('both')).toEqual({
      value: [6, 7],
      parts: [
        { value: 6, seq: 7, at: '/output' },
        { value: 7, seq: 6, at: '/output' },
      ],
    });
    expect(run.containers.size).toBe(0);
    expect(() => runAfter(program, ...BOTH_OPEN, completed(S2, 6), done)).toThrow(
      'event 7 completes a1, whose body 1 has no result',
    );
  });

  it('scope_failing closes the whole container, and only the scope itself has the failure', () => {
    const run = runAfter(program, ...BOTH_OPEN, { kind: 'scope_failing', scope: S3, failure });
    expect(run.scopes.get(S2)?.status).toEqual({ kind: 'settling', failure: null });
    expect(run.scopes.get(S3)?.status).toEqual({ kind: 'settling', failure });
    expect(run.containers.get(A1)?.status).toEqual({ kind: 'settling', failure });
    expect(run.scopes.get(ROOT)?.status).toEqual({ kind: 'open' });
  });

  it('container_failing closes it without a body being at fault, and the first failure stays', () => {
    const other = { code: 'limit.scopes', message: 'too many' };
    const failing: EventBody = { kind: 'container_failing', activation: A1, failure: other };
    const run = runAfter(program, ...BOTH_OPEN, { kind: 'scope_failing', scope: S3, failure }, failing);
    expect(run.containers.get(A1)?.status).toEqual({ kind: 'settling', failure });
    const alone = runAfter(program, ...BOTH_OPEN, failing);
    expect(alone.containers.get(A1)?.status).toEqual({ kind: 'settling', failure: other });
    expect(alone.scopes.get(S2)?.status).toEqual({ kind: 'settling', failure: null });
  });

  it('run_stop_intended closes everything below the root', () => {
    const run = runAfter(program, ...BOTH_CLAIMED, { kind: 'run_stop_intended', intent: 'cancel', failure });
    expect([...run.scopes.values()].map(({ status }) => status)).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'settling', failure: null })),
    );
    expect(run.containers.get(A1)?.status).toEqual({ kind: 'settling', failure: null });
  });

  it('container_failed and container_cancelled stay in the tree and free their scope', () => {
    for (const [body, status] of [
      [
        { kind: 'container_failed', activation: A1, failure },
        { kind: 'failed', failure },
      ],
      [{ kind: 'container_cancelled', activation: A1 }, { kind: 'cancelled' }],
    ] as const) {
      const run = runAfter(program, ...BOTH_OPEN, body);
      expect(run.containers.get(A1)).toMatchObject({ status, since: START_MS + 6 });
      expect(run.scopes.get(ROOT)?.current).toBeNull();
    }
  });

  it('an event of a container that was never entered is a damaged history', () => {
    expect(() => runAfter(program, opened('s2', 'a9', 0))).toThrow(
      'event 3 speaks of container a9, which was never entered',
    );
  });
});
