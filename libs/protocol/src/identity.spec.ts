import { describe, expect, it } from '@jest/globals';
import type { CommandId } from '@graphrun/domain';
import { isRunId, partitionOf, partitionOfRun, runIdFor, workflowIdFor } from './identity.js';

const base = {
  namespace: 'default',
  workflow: 'order',
  startKey: null,
  principal: 'shop',
  commandId: 'c1' as CommandId,
};

describe('identities', () => {
  it('a WorkflowId follows from the start key alone, whoever starts and with whatever command', () => {
    const one = workflowIdFor({ ...base, startKey: 'k' });
    expect(workflowIdFor({ ...base, startKey: 'k', principal: 'other', commandId: 'c2' as CommandId })).toBe(one);
    expect(workflowIdFor({ ...base, startKey: 'k2' })).not.toBe(one);
    expect(workflowIdFor({ ...base, startKey: 'k', workflow: 'refund' })).not.toBe(one);
    expect(workflowIdFor({ ...base, startKey: 'k', namespace: 'test' })).not.toBe(one);
  });

  it('without a start key it follows from principal and command id', () => {
    const one = workflowIdFor(base);
    expect(workflowIdFor(base)).toBe(one);
    expect(workflowIdFor({ ...base, principal: 'other' })).not.toBe(one);
    expect(workflowIdFor({ ...base, commandId: 'c2' as CommandId })).not.toBe(one);
  });

  it('fields that run into each other are told apart', () => {
    const one = workflowIdFor({ ...base, namespace: 'a', workflow: 'bc', startKey: 'd' });
    expect(workflowIdFor({ ...base, namespace: 'ab', workflow: 'c', startKey: 'd' })).not.toBe(one);
  });

  it('a RunId is a UUIDv7 of its admission that routes like its WorkflowId', () => {
    for (let n = 0; n < 200; n += 1) {
      const workflowId = workflowIdFor({ ...base, startKey: `k${n}` });
      const run = runIdFor(workflowId, 1, 1_796_059_347_530 + n);
      expect(isRunId(run)).toBe(true);
      expect(Number.parseInt(run.replaceAll('-', '').slice(0, 12), 16)).toBe(1_796_059_347_530 + n);
      expect(partitionOfRun(run, 16)).toBe(partitionOf(workflowId, 16));
      expect(runIdFor(workflowId, 2, 1_796_059_347_530 + n)).not.toBe(run);
    }
  });
});
