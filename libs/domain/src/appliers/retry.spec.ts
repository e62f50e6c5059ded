import { describe, expect, it } from '@jest/globals';
import type { EventBody } from '../index.js';
import { chain } from '../testing/chain.js';
import { activated, granted, runAfter } from '../testing/history.js';
import { A1, START_MS } from '../testing/scenario.js';

const program = chain({ steps: [{}] });
const failure = { code: 'busy', message: 'try later' };
const failed: EventBody = { kind: 'attempt_failed', activation: A1, generation: 1, failure };
const scheduled = (delayMs: number): EventBody => ({
  kind: 'retry_scheduled',
  activation: A1,
  delayMs,
  dueAt: START_MS + delayMs,
});
const due: EventBody = { kind: 'retry_due', activation: A1 };

describe('appliers of retries', () => {
  it('retry_scheduled lets the leaf wait, remembering why', () => {
    const leaf = runAfter(program, activated('a1'), granted('a1'), failed, scheduled(500)).leaves.get(A1);
    expect(leaf?.status).toEqual({ kind: 'retry_wait', dueAt: START_MS + 500, generation: 2, last: failure });
  });

  it('retry_scheduled without a delay makes the leaf ready at once', () => {
    const leaf = runAfter(program, activated('a1'), granted('a1'), failed, scheduled(0)).leaves.get(A1);
    expect(leaf?.status).toEqual({ kind: 'ready', generation: 2 });
  });

  it('retry_due makes the leaf ready, from then on', () => {
    const leaf = runAfter(program, activated('a1'), granted('a1'), failed, scheduled(500), due).leaves.get(A1);
    expect(leaf).toMatchObject({ status: { kind: 'ready', generation: 2 }, since: START_MS + 7 });
  });

  it('refuse what does not follow', () => {
    expect(() => runAfter(program, activated('a1'), scheduled(1))).toThrow('retries a1, whose attempt is not over');
    expect(() => runAfter(program, activated('a1'), due)).toThrow('ends the wait of a1, which does not wait');
  });
});
