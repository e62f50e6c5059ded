/** Copies of commands and forged messages, put into the command log over plain NATS. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newSessionId } from '@graphrun/protocol';
import { eventually } from '@graphrun/testing';
import type { PartitionAnswer, RunList } from './harness/api-shapes.js';
import { OWN_PARTITIONS, OwnCluster } from './harness/own-cluster.js';
import { startKeyIn } from './harness/ownership.js';
import { RawClient } from './harness/raw-client.js';
import type { Address } from './harness/raw-client.js';
import { historyOf } from './judge/recorded-run.js';

const WORKFLOW = 'echo';
const WAITS = 'waits';
const COPIES = 40;

describe('the command log', () => {
  let own: OwnCluster;
  let raw: RawClient;

  beforeAll(async () => {
    own = await OwnCluster.start([{ name: 'worker-echo', activities: ['e2e.echo'] }]);
    await own.publish({ workflow: WORKFLOW, activity: 'e2e.echo', version: 1, timeout: '30s', maxAttempts: 2 });
    await own.publish({ workflow: WAITS, activity: 'e2e.nobody', version: 1, timeout: '30s', maxAttempts: 2 });
    raw = await RawClient.connect(own.cluster.nats.servers, OWN_PARTITIONS);
  }, 90_000);

  afterAll(async () => {
    await raw.close();
    await own.stop();
  }, 60_000);

  const client = (partition: number, principal: string, kind = 'start'): Address => ({
    partition,
    role: 'client',
    principal,
    kind,
  });

  /** Sentences of the coordinator's log about messages it did not take. */
  function refusals(): readonly string[] {
    return own.cluster.coordinators.flatMap(({ running }) =>
      running.stdout.flatMap((line) => {
        if (!line.includes('"message refused"')) return [];
        return [String((JSON.parse(line) as { readonly reason?: unknown }).reason)];
      }),
    );
  }

  async function runsOf(workflow: string): Promise<readonly string[]> {
    const { runs } = await own.api.get<RunList>(`/v1/runs?workflow=${workflow}&limit=500`);
    return runs.map(({ run }) => run);
  }

  it('answers every copy of a command with the one stored result, each at its own inbox', async () => {
    const principal = 'twin';
    const first = await raw.openInbox('client', principal, 'first');
    const second = await raw.openInbox('client', principal, 'second');
    const wanted = { principal, id: 'twin-1', workflow: WORKFLOW, value: 5 };
    const before = await runsOf(WORKFLOW);
    for (let copy = 0; copy < COPIES; copy += 1) {
      const { partition, data } = raw.start(wanted, copy % 2 === 0 ? first : second);
      await raw.send(client(partition, principal), data);
    }
    const [one, two] = [await raw.receipts(first, COPIES / 2), await raw.receipts(second, COPIES / 2)];
    const run = (await runsOf(WORKFLOW)).filter((id) => !before.includes(id));
    expect(run).toHaveLength(1);
    const [receipt] = one;
    expect(receipt).toMatchObject({ kind: 'client', id: 'twin-1', result: { ok: true, run: run[0], version: 1 } });
    for (const other of [...one, ...two]) expect(other).toEqual(receipt);

    // Copies that come when the run is over, and other content under the same id.
    await eventually('the run ends', async () => (await own.inspect(run[0] ?? '')).status === 'succeeded');
    const late = await raw.openInbox('client', principal, 'late');
    const again = raw.start(wanted, late);
    await raw.send(client(again.partition, principal), again.data);
    expect(await raw.receipts(late, 1)).toEqual([receipt]);
    const conflict = raw.start({ ...wanted, value: 6 }, late);
    await raw.send(client(conflict.partition, principal), conflict.data);
    expect((await raw.receipts(late, 2))[1]).toMatchObject({
      id: 'twin-1',
      result: { ok: false, code: 'AlreadyExists' },
    });
    expect(own.calls(run[0] ?? '')).toBe(1);
    expect((await runsOf(WORKFLOW)).length).toBe(before.length + 1);
  }, 60_000);

  it('answers the start key of one run to two principals, and not with another input', async () => {
    const inboxes = await Promise.all(['ann', 'bob'].map((principal) => raw.openInbox('client', principal, 'keys')));
    const ask = async (at: 0 | 1, id: string, value: number) => {
      const principal = ['ann', 'bob'][at] ?? '';
      const { partition, data } = raw.start(
        { principal, id, workflow: WAITS, value, startKey: 'shared' },
        inboxes[at]!,
      ); // there are two
      await raw.send(client(partition, principal), data);
    };
    await ask(0, 'k1', 1);
    await ask(1, 'k2', 1);
    await ask(1, 'k3', 2);
    const [ann] = await raw.receipts(inboxes[0]!, 1); // there are two
    const [bob, other] = await raw.receipts(inboxes[1]!, 2); // there are two
    expect(ann).toMatchObject({ result: { ok: true } });
    expect(bob).toEqual({ ...ann, id: 'k2' });
    expect(other).toMatchObject({ id: 'k3', result: { ok: false, code: 'AlreadyExists' } });
  }, 60_000);

  it('refuses forged messages, changes nothing for them, and goes on', async () => {
    const principal = 'mallory';
    const inbox = await raw.openInbox('client', principal, 'own');
    const asWorker = await raw.openInbox('worker', principal, 'own');
    const victims = await raw.openInbox('client', 'victim', 'own');
    const { run } = await own.start(WAITS, 1);
    const untouched = await historyOf(own.api, run);
    const runsBefore = await runsOf(WAITS);
    const refusedBefore = refusals().length;
    const home = Number.parseInt(run.slice(-8), 16) % OWN_PARTITIONS;
    const start = (id: string, changes: Readonly<Record<string, unknown>> = {}) =>
      raw.start({ principal, id, workflow: WAITS, value: 1 }, inbox, changes);
    const work = {
      ref: 'r1',
      replyTo: asWorker.address,
      run,
      activation: 'a1',
      generation: 1,
      session: newSessionId(principal),
      free: [],
    };
    const worker = (kind: string): Address => ({ partition: home, role: 'worker', principal, kind });
    const success = { kind: 'success', output: { value: 666 } };

    // Who sends what stands in the subject: a worker starts nothing, a client reports nothing, nobody plays the engine.
    const asStart = start('f1');
    await raw.send({ ...worker('start'), partition: asStart.partition }, asStart.data);
    await raw.send(
      client(home, principal, 'report'),
      JSON.stringify({ kind: 'report', ...work, lax: false, outcome: success }),
    );
    for (const kind of ['expire', 'timer', 'progress']) {
      const internal = { kind, id: `f-${kind}`, notAfter: Date.now() + 60_000, replyTo: inbox.address, run };
      await raw.send(client(home, principal, kind), JSON.stringify(internal));
    }
    await raw.send({ partition: home, role: 'engine', principal, kind: 'start' }, start('f2').data);

    // An inbox of somebody else gets nothing.
    const stolen = start('f3', { replyTo: victims.address });
    await raw.send(client(stolen.partition, principal), stolen.data);
    // The subject says one kind, the payload another; a field too many; an identity that does not follow; no JSON; too late.
    const doubled = start('f4', { kind: 'cancel' });
    await raw.send(client(doubled.partition, principal), doubled.data);
    const more = start('f5', { role: 'coordinator' });
    await raw.send(client(more.partition, principal), more.data);
    const elsewhere = start('f6', { id: 'f6-other' });
    await raw.send(client(elsewhere.partition, principal), elsewhere.data);
    await raw.send(client(home, principal), 'this is no JSON');
    const expired = start('f7', { notAfter: 1 });
    await raw.send(client(expired.partition, principal), expired.data);
    const lost = start('f8');
    await raw.send(client((lost.partition + 1) % OWN_PARTITIONS, principal), lost.data);
    // A report of an attempt that was never granted, of external work; and of an activation that does not exist.
    await raw.send(
      worker('report'),
      JSON.stringify({ kind: 'report', ...work, ref: 'r2', lax: false, outcome: success }),
    );
    await raw.send(
      worker('report'),
      JSON.stringify({ kind: 'report', ...work, ref: 'r3', lax: true, outcome: success }),
    );
    await raw.send(
      worker('report'),
      JSON.stringify({ kind: 'report', ...work, ref: 'r4', activation: 'a9', lax: false, outcome: success }),
    );
    // A claim in the name of another worker's session.
    const stolenSession = newSessionId('victim');
    await raw.send(worker('claim'), JSON.stringify({ kind: 'claim', ...work, ref: 'r5', session: stolenSession }));

    const answers = await raw.receipts(inbox, 8);
    const codes = Object.fromEntries(
      answers.map((answer) => [
        answer.kind === 'client' ? answer.id : answer.ref,
        answer.kind === 'client' && !answer.result.ok ? answer.result.code : 'taken',
      ]),
    );
    expect(codes).toEqual({
      'f-expire': 'PermissionDenied',
      'f-timer': 'PermissionDenied',
      'f-progress': 'PermissionDenied',
      f4: 'InvalidArgument',
      f5: 'InvalidArgument',
      'f6-other': 'InvalidArgument',
      f7: 'Expired',
      f8: 'InvalidArgument',
    });
    const verdicts = (await raw.receipts(asWorker, 4)).map((receipt) =>
      receipt.kind === 'worker' ? [receipt.ref, receipt.verdict] : [],
    );
    expect(verdicts).toEqual([
      ['r2', 'stale'],
      ['r3', 'rejected'],
      ['r4', 'rejected'],
      ['r5', 'rejected'],
    ]);

    // Every partition still takes commands: whatever came before them has been dealt with.
    for (let partition = 0; partition < OWN_PARTITIONS; partition += 1) {
      const startKey = startKeyIn(partition, OWN_PARTITIONS, WORKFLOW, 'after');
      const sound = raw.start(
        { principal, id: `after-${partition}`, workflow: WORKFLOW, value: partition, startKey },
        inbox,
      );
      await raw.send(client(sound.partition, principal), sound.data);
    }
    const after = (await raw.receipts(inbox, 8 + OWN_PARTITIONS)).slice(8);
    expect(after.map((receipt) => receipt.kind === 'client' && receipt.result.ok)).toEqual([true, true, true, true]);

    expect(victims.received).toEqual([]);
    expect(await runsOf(WAITS)).toEqual(runsBefore);
    const seen = await historyOf(own.api, run);
    expect(seen.filter(({ kind }) => kind !== 'late_result_observed')).toEqual(untouched);
    expect(refusals().length).toBeGreaterThan(refusedBefore);
    expect(refusals()).toContain('the inbox for the answer is not the sender’s own');
    const { partitions } = await own.api.get<{ readonly partitions: readonly PartitionAnswer[] }>('/v1/partitions');
    expect(partitions.map(({ epoch }) => epoch)).toEqual([1, 1, 1, 1]);
    const { quarantine } = await own.api.get<{ readonly quarantine: readonly unknown[] }>('/v1/quarantine');
    expect(quarantine).toEqual([]);
  }, 90_000);
});
