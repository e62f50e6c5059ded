import { describe, expect, it } from '@jest/globals';
import type { CommandId } from '@graphrun/domain';
import { readCommand } from './codec.js';
import { GraphrunError } from './errors.js';
import { partitionOf, runIdFor, workflowIdFor } from './identity.js';

const workflowId = workflowIdFor({
  namespace: 'default',
  workflow: 'order',
  startKey: 'k',
  principal: 'shop',
  commandId: 'c1' as CommandId,
});
const run = runIdFor(workflowId, 1, 1_796_059_347_530);
const partition = partitionOf(workflowId, 16);

const start = {
  kind: 'start',
  id: 'c1',
  notAfter: 5,
  replyTo: 'inbox',
  workflowId,
  namespace: 'default',
  workflow: 'order',
  version: null,
  startKey: 'k',
  input: { order_id: 'o1' },
};
const cancel = { kind: 'cancel', id: 'c1', notAfter: 5, replyTo: 'inbox', run, reason: 'x' };
const claim = {
  kind: 'claim',
  ref: 'r',
  replyTo: 'inbox',
  run,
  activation: 'a1',
  generation: 1,
  session: 's',
  free: [],
};
const report = { ...claim, kind: 'report', lax: false, outcome: { kind: 'success', output: null } };

function read(command: object, sender: Partial<Parameters<typeof readCommand>[1]> = {}): unknown {
  const kind = (command as { kind: string }).kind;
  const role = kind === 'claim' || kind === 'report' ? 'worker' : 'client';
  return readCommand(JSON.stringify(command), { role, kind, partition, partitions: 16, ...sender });
}

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof GraphrunError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe('commands on the wire', () => {
  it.each([start, cancel, claim, report])('are read as they were sent: $kind', (command) => {
    expect(read(command)).toEqual(command);
  });

  it.each([
    ['a field too many', { ...start, surprise: 1 }, 'InvalidArgument: the command has an unknown field surprise'],
    ['no id', { ...start, id: '' }, 'InvalidArgument: id must be 1 to 128 characters of A-Z a-z 0-9 _ . : -'],
    ['a bad version', { ...start, version: 0 }, 'InvalidArgument: version must be an integer of at least 1'],
    [
      'a long start key',
      { ...start, startKey: 'x'.repeat(129) },
      'InvalidArgument: startKey must be a text of 1 to 128 bytes',
    ],
    ['no input', { ...start, input: undefined }, 'InvalidArgument: input is missing'],
    ['no inbox', { ...start, replyTo: undefined }, 'InvalidArgument: replyTo must be a text of 1 to 512 characters'],
    ['no run', { ...cancel, run: 'r1' }, 'InvalidArgument: run must be the id of a run'],
    ['a bad activation', { ...claim, activation: 's1' }, 'InvalidArgument: activation must be like a1'],
    ['a bad generation', { ...claim, generation: 0 }, 'InvalidArgument: generation must be an integer of at least 1'],
    [
      'bad slots',
      { ...claim, free: [{ activity: 'a', version: 1, slots: -1 }] },
      'InvalidArgument: slots must be an integer of at least 0',
    ],
    [
      'no outcome',
      { ...report, outcome: { kind: 'maybe' } },
      'InvalidArgument: outcome.kind must be success, error, unhandled or returned',
    ],
    [
      'an outcome with more',
      { ...report, outcome: { kind: 'success', output: 1, failure: {} } },
      'InvalidArgument: outcome has fields that do not belong to its kind',
    ],
    [
      'a bad code',
      { ...report, outcome: { kind: 'error', failure: { code: 'a b', message: '' } } },
      'InvalidArgument: outcome.failure.code must be a name of 1 to 64 characters',
    ],
  ])('are refused with %s', (_, command, message) => {
    expect(refusal(() => read(command))).toBe(message);
  });

  it('are refused with an integer that cannot be kept exactly', () => {
    const data = JSON.stringify(start).replace('"o1"', '9007199254740993');
    expect(refusal(() => readCommand(data, { role: 'client', kind: 'start', partition, partitions: 16 }))).toMatch(
      /^InvalidArgument: input\/order_id: .*string/,
    );
  });

  it('are refused when they say another kind than their subject', () => {
    expect(refusal(() => read(cancel, { kind: 'start' }))).toBe(
      'InvalidArgument: the command says cancel, its subject says start',
    );
  });

  it.each(['claim', 'report', 'expire', 'timer', 'progress'])('no client may send %s', (kind) => {
    expect(refusal(() => read({ ...claim, kind }, { role: 'client', kind }))).toBe(
      `PermissionDenied: a client may not send ${kind}`,
    );
  });

  it('are refused in a partition that is not theirs', () => {
    const other = (partition + 1) % 16;
    expect(refusal(() => read(start, { partition: other }))).toBe(
      `InvalidArgument: the command belongs to partition ${partition}, not ${other}`,
    );
  });
});
