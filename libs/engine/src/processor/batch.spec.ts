import { describe, expect, it } from '@jest/globals';
import type { ActivationId, CommandId, Run, RunCommand, RunId, SessionId } from '@graphrun/domain';
import { execute } from '@graphrun/domain';
import { loadProgram } from '@graphrun/dsl';
import { runIdFor, workflowIdFor } from '@graphrun/protocol';
import { Partition } from '../partition.js';
import { Resident } from '../residency.js';
import { sequence } from '../testing/definitions.js';
import { PartitionBatch } from './batch.js';

const NOW = 1_700_000_000_000;
const CONTEXT = { now: NOW, arrivedAt: NOW, entropy: 0, by: 'test' };

const workflowId = workflowIdFor({
  namespace: 'default',
  workflow: 'one',
  startKey: 'k',
  principal: 'test',
  commandId: 'c' as CommandId,
});
const runId: RunId = runIdFor(workflowId, 1, NOW);

function claim(generation: number): RunCommand {
  return { kind: 'claim', activation: 'a1' as ActivationId, generation, session: 's' as SessionId };
}

/** A run that waits for its first claim, as a successor has loaded it. */
function loaded(): Resident {
  const start = {
    kind: 'start',
    commandId: 'c' as CommandId,
    run: runId,
    workflowId,
    ordinal: 1,
    namespace: 'default',
    startKey: 'k',
    program: loadProgram(sequence('one', { work: { effects: 'external' } })),
    input: { id: 'i', n: 1 },
  } as const;
  const { run } = execute(null, start, CONTEXT);
  return new Resident(run as Run, 0, 0, null); // the start is accepted
}

function open(): PartitionBatch {
  const position = { seq: 0, messageId: '', timestamp: 0 };
  const started = { seq: 0, times: 0 };
  const row = {
    started,
    epoch: 2,
    incarnation: 0,
    commitNo: 0,
    position,
    engineTime: NOW,
    owner: 'm',
    backendPid: null,
  };
  return new PartitionBatch(
    new Partition({ partition: 0, ...row, leaseUntil: 0, takeoversHere: 0, paused: false }),
    1,
    256,
  );
}

describe('a batch', () => {
  it('writes the events of a run under their own sequences when it had only looked at the run before', () => {
    const resident = loaded();
    const batch = open();
    // A takeover looks at every run that waits; the claim comes in the same batch.
    batch.record(resident, 'active', [], NOW);
    batch.record(resident, 'active', execute(resident.run, claim(1), CONTEXT).events, NOW);
    const [row] = batch.close().writes.events;
    expect(row).toMatchObject({ run: runId, seq: 4, count: 1 });
    expect(JSON.parse(row?.data ?? '')).toMatchObject([{ seq: 4, body: { kind: 'attempt_granted' } }]);
  });

  it('writes nothing for a run that it has only looked at', () => {
    const batch = open();
    batch.record(loaded(), 'active', [], NOW);
    const { events, wakes, checkpoints } = batch.close().writes;
    expect({ events, wakes, checkpoints }).toEqual({ events: [], wakes: [], checkpoints: [] });
  });
});
