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
const to = { id: 'c1', notAfter: 5, replyTo: 'inbox', run };
const signal = { kind: 'signal', ...to, event: 'e1', signal: 'news', key: '', payload: { n: 1 } };
const operate = { ...cancel, expectedSeq: null };
const resolve = { ...operate, kind: 'resolve', activation: 'a1c', resolution: { kind: 'not_applied' } };
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
  it.each([start, cancel, signal, resolve, claim, report])('are read as they were sent: $kind', (command) => {
    expect(read(command)).toEqual(command);
  });

  it.each(['pause', 'resume', 'abandon', 'terminate'])('are read as they were sent: %s', (kind) => {
    expect(read({ ...operate, kind, expectedSeq: 7 })).toEqual({ ...operate, kind, expectedSeq: 7 });
  });

  it.each([null, 2])('are read as they were sent: reopen with version %s', (version) => {
    const reopen = { ...operate, kind: 'reopen', version };
    expect(read(reopen)).toEqual(reopen);
    expect(() => read({ ...reopen, version: 0 })).toThrow('version must be an integer of at least 1');
  });

  it.each([
    { kind: 'applied', output: null },
    { kind: 'not_applied' },
    { kind: 'retry', attempts: 2 },
    { kind: 'fail', failure: { code: 'gone', message: 'm' } },
    { kind: 'input', input: 1 },
  ])('are read with what a person has found out: $kind', (resolution) => {
    expect(read({ ...resolve, resolution })).toEqual({ ...resolve, resolution });
  });

  it.each([
    { kind: 'applied', output: 1 },
    { kind: 'applied', output: null },
    { kind: 'not_applied' },
    { kind: 'unknown' },
  ])('are read with the answer of a reconciler: $kind', ({ kind: answer, ...output }) => {
    const command = { ...report, activation: 'a1cr', outcome: { kind: 'probed', answer, ...output } };
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
    ['a bad activation', { ...claim, activation: 's1' }, 'InvalidArgument: activation must be like a1, a1c or a1r'],
    [
      'a probe about a probe',
      { ...claim, activation: 'a1rr' },
      'InvalidArgument: activation must be like a1, a1c or a1r',
    ],
    [
      'a bad event',
      { ...signal, event: 'e 1' },
      'InvalidArgument: event must be 1 to 128 characters of A-Z a-z 0-9 _ . : -',
    ],
    ['a bad signal', { ...signal, signal: '' }, 'InvalidArgument: signal must be a name of 1 to 64 characters'],
    ['a long key', { ...signal, key: 'é'.repeat(129) }, 'InvalidArgument: key must be plain text of at most 256 bytes'],
    ['no payload', { ...signal, payload: undefined }, 'InvalidArgument: payload is missing'],
    [
      'no reason',
      { ...operate, kind: 'pause', reason: '' },
      'InvalidArgument: reason must be a text of 1 to 1024 characters',
    ],
    [
      'a bad version of the run',
      { ...operate, kind: 'pause', expectedSeq: 0 },
      'InvalidArgument: expectedSeq must be an integer of at least 1',
    ],
    [
      'no resolution',
      { ...resolve, resolution: { kind: 'skip' } },
      'InvalidArgument: resolution.kind must be applied, not_applied, retry, fail or input',
    ],
    [
      'a resolution with more',
      { ...resolve, resolution: { kind: 'not_applied', output: 1 } },
      'InvalidArgument: resolution has fields that do not belong to its kind',
    ],
    [
      'an answer that is none',
      { ...report, outcome: { kind: 'probed', answer: 'maybe' } },
      'InvalidArgument: outcome.answer must be applied, not_applied or unknown',
    ],
    [
      'an output of what was not applied',
      { ...report, outcome: { kind: 'probed', answer: 'not_applied', output: 1 } },
      'InvalidArgument: outcome has fields that do not belong to its kind',
    ],
    ['a bad generation', { ...claim, generation: 0 }, 'InvalidArgument: generation must be an integer of at least 1'],
    [
      'bad slots',
      { ...claim, free: [{ role: 'forward', activity: 'a', version: 1, slots: -1 }] },
      'InvalidArgument: slots must be an integer of at least 0',
    ],
    [
      'slots of no role',
      { ...claim, free: [{ activity: 'a', version: 1, slots: 1 }] },
      'InvalidArgument: role must be forward, compensation or reconciliation',
    ],
    [
      'no outcome',
      { ...report, outcome: { kind: 'maybe' } },
      'InvalidArgument: outcome.kind must be success, error, unhandled, probed or returned',
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
