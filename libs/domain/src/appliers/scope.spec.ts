import { describe, expect, it } from '@jest/globals';
import { isProgressDue } from '../advance.js';
import type { EventBody, ScopeId } from '../index.js';
import { chain } from '../testing/chain.js';
import { ROOT, runAfter } from '../testing/history.js';

const program = chain({ steps: [{}] });
const failure = { code: 'broken', message: 'it broke' };

describe('appliers of scopes', () => {
  it('scope_opened captures its input and is to enter the start of its region', () => {
    const run = runAfter(program);
    expect(run.scopes.get(ROOT)).toEqual({
      id: 's1',
      owner: null,
      region: '/root',
      input: { value: { n: 1 }, seq: 2, at: '/input' },
      frame: { loop: null, item: null },
      status: { kind: 'open' },
      next: 'step1',
      current: null,
      outputs: new Map(),
      errors: new Map(),
      activations: new Set(),
      waits: new Set(),
    });
    expect(isProgressDue(run)).toBe(true);
  });

  it.each<[EventBody, unknown, string | null]>([
    [{ kind: 'scope_completed', scope: ROOT, output: { n: 2 } }, { kind: 'completed' }, null],
    [{ kind: 'scope_failed', scope: ROOT, failure }, { kind: 'failed', failure }, 'step1'],
    [{ kind: 'scope_cancelled', scope: ROOT }, { kind: 'cancelled' }, 'step1'],
  ])(
    '%j ends the scope, which enters nothing more, and keeps where it was unless it is complete',
    (body, status, next) => {
      const run = runAfter(program, body);
      expect(run.scopes.get(ROOT)).toMatchObject({ status, next });
      expect(isProgressDue(run)).toBe(false);
    },
  );

  it('an event of a scope that was never opened is a damaged history', () => {
    expect(() => runAfter(program, { kind: 'scope_cancelled', scope: 's9' as ScopeId })).toThrow(
      'event 3 speaks of scope s9, which was never opened',
    );
  });
});
