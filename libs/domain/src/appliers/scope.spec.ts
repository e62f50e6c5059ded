import { describe, expect, it } from '@jest/globals';
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
      input: { value: { n: 1 }, seq: 2 },
      status: { kind: 'open' },
      next: 'step1',
      activations: new Map(),
    });
    expect(run.progressDue).toBe(true);
  });

  it.each<[EventBody, unknown]>([
    [{ kind: 'scope_completed', scope: ROOT, output: { n: 2 } }, { kind: 'completed' }],
    [
      { kind: 'scope_failed', scope: ROOT, failure },
      { kind: 'failed', failure },
    ],
    [{ kind: 'scope_cancelled', scope: ROOT }, { kind: 'cancelled' }],
  ])('%j ends the scope, which enters nothing more', (body, status) => {
    const run = runAfter(program, body);
    expect(run.scopes.get(ROOT)).toMatchObject({ status, next: null });
    expect(run.progressDue).toBe(false);
  });

  it('an event of a scope that was never opened is a damaged history', () => {
    expect(() => runAfter(program, { kind: 'scope_cancelled', scope: 's9' as ScopeId })).toThrow(
      'event 3 speaks of scope s9, which was never opened',
    );
  });
});
