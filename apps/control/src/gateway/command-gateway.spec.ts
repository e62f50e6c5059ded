import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CommandId, RunId, WorkflowId } from '@graphrun/domain';
import type { CommandLog } from '@graphrun/messaging';
import type { CommandResult, StartRequest } from '@graphrun/protocol';
import { GraphrunError } from '@graphrun/protocol';
import { ManualClock } from '../spec/manual-clock.js';
import { ScriptedOwner } from '../spec/scripted-owner.js';
import { CommandGateway } from './command-gateway.js';
import type { ClientCommand } from './command-gateway.js';

const RUN = '01900000-0000-7000-8000-000000000000' as RunId;
const WORKFLOW_ID = '0'.repeat(32) as WorkflowId;
const ACCEPTED: CommandResult = { ok: true, run: RUN, workflowId: WORKFLOW_ID, version: 1 };
const CONFLICT: CommandResult = { ok: false, code: 'AlreadyExists', message: 'another request has this id' };

function start(id: string, input = 1): ClientCommand {
  return {
    kind: 'start',
    id: id as CommandId,
    workflowId: WORKFLOW_ID,
    namespace: 'default',
    workflow: 'order',
    version: null,
    startKey: null,
    input,
  };
}

describe('command gateway', () => {
  let clock: ManualClock;
  let owner: ScriptedOwner;
  let gateway: CommandGateway;

  beforeEach(async () => {
    clock = new ManualClock();
    owner = await ScriptedOwner.of(1, clock);
    gateway = new CommandGateway(owner.messaging.log, owner.messaging.feed, clock);
  });

  afterEach(async () => {
    await gateway.close();
    await owner.messaging.close();
  });

  it('publishes as the principal and gives back what the receipt says', async () => {
    const result = gateway.submit('alice', 0, start('c1'));
    const command = await owner.next();
    expect({ role: command.role, principal: command.principal, kind: command.kind }).toEqual({
      role: 'client',
      principal: 'alice',
      kind: 'start',
    });
    const { replyTo, ...sent } = JSON.parse(command.data) as StartRequest;
    expect(sent).toEqual({ ...start('c1'), notAfter: clock.now() + 3_600_000 });
    expect(replyTo).toContain('.inbox.client.alice.');
    owner.answer(command, ACCEPTED);
    expect(await result).toEqual(ACCEPTED);
    expect(gateway.inFlight).toBe(0);
  });

  it('sends the very same command again when no receipt comes within a second', async () => {
    const result = gateway.submit('alice', 0, start('c1'));
    const first = await owner.next();
    clock.advance(999);
    expect(owner.unread).toBe(0);
    clock.advance(1);
    const second = await owner.next();
    expect(second.data).toBe(first.data);
    owner.answer(second, ACCEPTED);
    expect(await result).toEqual(ACCEPTED);
  });

  it('says that the outcome is unknown, never that it was rejected, when the deadline ends', async () => {
    const result = gateway.submit('alice', 0, start('c1'));
    const failed = result.catch((error: unknown) => error);
    await owner.next();
    clock.advance(5000);
    const error = (await failed) as GraphrunError;
    expect(error.code).toBe('DeadlineExceeded');
    expect(error.message).toBe(
      'No receipt came within 5000 ms, so the outcome of this command is unknown. Send the same request again with Idempotency-Key c1, or ask GET /v1/commands/c1.',
    );
    expect(error.details).toEqual({ command_id: 'c1', outcome: 'unknown' });
    await Promise.all([owner.next(), owner.next(), owner.next()]); // copies at 1 s, 2.5 s and 4.5 s
    expect(owner.unread).toBe(0);
  });

  it('lets two equal requests in flight share one command', async () => {
    const results = [gateway.submit('alice', 0, start('c1')), gateway.submit('alice', 0, start('c1'))];
    owner.answer(await owner.next(), ACCEPTED);
    expect(await Promise.all(results)).toEqual([ACCEPTED, ACCEPTED]);
    expect(owner.unread).toBe(0);
  });

  it('does not take the answer to one request for the answer to another with the same id', async () => {
    const first = gateway.submit('alice', 0, start('c1', 1));
    const second = gateway.submit('alice', 0, start('c1', 2));
    const commands = [await owner.next(), await owner.next()];
    const one = commands.find(({ data }) => (JSON.parse(data) as StartRequest).input === 1);
    const two = commands.find(({ data }) => (JSON.parse(data) as StartRequest).input === 2);
    if (one === undefined || two === undefined) throw new Error('both commands must have been published');
    owner.answer(two, CONFLICT);
    owner.answer(one, ACCEPTED);
    expect(await second).toEqual(CONFLICT);
    expect(await first).toEqual(ACCEPTED);
  });

  it('does not take a receipt that comes late, or twice, for the answer to a later request with the same id', async () => {
    const first = gateway.submit('alice', 0, start('c1', 1));
    const old = await owner.next();
    owner.answer(old, ACCEPTED);
    await first;
    const second = gateway.submit('alice', 0, start('c1', 2));
    const command = await owner.next();
    owner.answer(old, ACCEPTED);
    owner.answer(command, CONFLICT);
    expect(await second).toEqual(CONFLICT);
  });

  it('keeps principals with the same command id apart', async () => {
    const alice = gateway.submit('alice', 0, start('c1'));
    const forAlice = await owner.next();
    const bob = gateway.submit('bob', 0, start('c1'));
    const forBob = await owner.next();
    owner.answer(forBob, CONFLICT);
    owner.answer(forAlice, ACCEPTED);
    expect(await bob).toEqual(CONFLICT);
    expect(await alice).toEqual(ACCEPTED);
  });

  it('passes push back on, with the id to send again', async () => {
    const full = new CommandGateway(
      {
        publish: () => Promise.reject(new GraphrunError('ResourceExhausted', 'the log of partition 0 is full')),
      } as Pick<CommandLog, 'publish'> as CommandLog,
      owner.messaging.feed,
      clock,
    );
    const error = (await full.submit('alice', 0, start('c1')).catch((failure: unknown) => failure)) as GraphrunError;
    expect(error.code).toBe('ResourceExhausted');
    expect(error.message).toBe(
      'The command was pushed back: the log of partition 0 is full. Send it again later with Idempotency-Key c1.',
    );
    expect(error.details).toEqual({ command_id: 'c1', retry_after_s: 1 });
    await full.close();
  });

  it('goes on while there is no log, and succeeds when it is back', async () => {
    let down = true;
    const log: CommandLog = owner.messaging.log;
    const flaky = new CommandGateway(
      {
        publish: (command, options) =>
          down ? Promise.reject(new GraphrunError('Unavailable', 'no log')) : log.publish(command, options),
      } as Pick<CommandLog, 'publish'> as CommandLog,
      owner.messaging.feed,
      clock,
    );
    // The inbox is opened before the first copy leaves: wait for that copy.
    const opened = flaky.submit('alice', 0, start('c0')).catch((failure: unknown) => failure);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(5000);
    expect((await opened) as GraphrunError).toMatchObject({
      code: 'DeadlineExceeded',
      message: expect.stringContaining('The last attempt to reach the log failed: no log.'),
    });
    const result = flaky.submit('alice', 0, start('c1'));
    await Promise.resolve();
    down = false;
    clock.advance(1000);
    owner.answer(await owner.next(), ACCEPTED);
    expect(await result).toEqual(ACCEPTED);
    await flaky.close();
  });

  it('ends what waits as unknown when it closes, and takes nothing more', async () => {
    const waiting = gateway.submit('alice', 0, start('c1')).catch((error: unknown) => error);
    await owner.next();
    await gateway.close();
    expect(await waiting).toMatchObject({
      code: 'DeadlineExceeded',
      details: { command_id: 'c1', outcome: 'unknown' },
    });
    await expect(gateway.submit('alice', 0, start('c2'))).rejects.toMatchObject({ code: 'Unavailable' });
  });
});
