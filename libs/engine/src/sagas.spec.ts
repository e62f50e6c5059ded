import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReportOutcome, RunId } from '@graphrun/domain';
import type { Offer } from '@graphrun/protocol';
import { definition } from './testing/definitions.js';
import { TestEngine } from './testing/embedded-engine.js';
import { endOf, historyOf, kindsOf, recorded } from './testing/history.js';
import type { Script } from './testing/worker.js';
import { namesOf, passOn, TestWorker } from './testing/worker.js';

const ITEM = { id: 'i1', n: 0 };
const EXTERNAL = { effects: 'external' } as const;
const MANUAL = { effects: 'external', recovery: 'Manual' } as const;
const ACTIVITIES = {
  reserve: EXTERNAL,
  release: EXTERNAL,
  charge: EXTERNAL,
  refund: EXTERNAL,
  ship: EXTERNAL,
  notify: MANUAL,
  manual: { ...MANUAL, reconciler: 'manual.lookup' },
  undo: { ...MANUAL, reconciler: 'undo.lookup' },
};

function step(name: string, input: string, next: string, fields = ''): string {
  return `${name}: {kind: activity, activity: {name: ${name}, version: 1}, input: {from: ${input}}, ${fields}next: ${next}}`;
}

function undoneBy(name: string, fields = ''): string {
  return `compensation: {kind: activity, activity: {name: ${name}, version: 1}, input: {from: forward.output}${fields}}, `;
}

const IRREVERSIBLE = 'compensation: {kind: irreversible, reason: it is on its way}, ';

function saga(body: string): string {
  return `kind: saga, input: {from: scope.input}, body: {input_schema: item/v1, output_schema: item/v1, ${body}}`;
}

const ORDER = saga(
  `start: reserve, nodes: {
    ${step('reserve', 'scope.input', 'charge', undoneBy('release'))},
    ${step('charge', 'nodes.reserve.output', 'ship', undoneBy('refund'))},
    ${step('ship', 'nodes.charge.output', 'end', IRREVERSIBLE)},
    end: {kind: complete, output: {from: nodes.ship.output}}}`,
);

const LEFT = `start: notify, nodes: {${step('notify', 'scope.input', 'end')}, end: {kind: complete, output: {from: nodes.notify.output}}}`;
const RIGHT = `start: order, nodes: {order: {${ORDER}, on_error: [{codes: any, next: given_up}], next: end},
  end: {kind: complete, output: {from: nodes.order.output}}, given_up: {kind: complete, output: {from: scope.input}}}`;

function branch(name: string, region: string): string {
  return `{name: ${name}, input: {from: workflow.input}, body: {input_schema: item/v1, output_schema: item/v1, ${region}}}`;
}

function undoneSlowly(): string {
  return saga(
    `start: reserve, nodes: {
      ${step('reserve', 'scope.input', 'ship', undoneBy('undo', ', timeout: 1s'))},
      ${step('ship', 'nodes.reserve.output', 'end', IRREVERSIBLE)},
      end: {kind: complete, output: {from: nodes.ship.output}}}`,
  );
}

const DEFINITIONS = [
  definition(
    'order',
    ACTIVITIES,
    `start: order\nnodes: {order: {${ORDER}, next: end}, end: {kind: complete, output: {from: nodes.order.output}}}`,
  ),
  definition(
    'beside',
    ACTIVITIES,
    `start: both\nnodes: {both: {kind: parallel, branches: [${branch('left', LEFT)}, ${branch('right', RIGHT)}], next: end}, end: {kind: complete, output: {from: nodes.both.output, path: /0}}}`,
  ),
  definition(
    'manual',
    ACTIVITIES,
    `start: manual\nnodes: {${step('manual', 'workflow.input', 'end', 'timeout: 1s, ')}, end: {kind: complete, output: {from: nodes.manual.output}}}`,
  ),
  definition(
    'undone',
    ACTIVITIES,
    `start: order\nnodes: {order: {${undoneSlowly()}, next: end}, end: {kind: complete, output: {from: nodes.order.output}}}`,
  ),
];

/** Does everything but what is named, which is refused. */
function refusing(...names: readonly string[]): Script {
  return (offer) =>
    names.includes(offer.activity)
      ? { kind: 'error', failure: { code: 'refused', message: `no ${offer.activity}` } }
      : passOn(offer);
}

describe('sagas, end to end', () => {
  let engine: TestEngine;
  const workers: TestWorker[] = [];

  beforeAll(async () => {
    engine = await TestEngine.open({ definitions: DEFINITIONS });
  });

  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
  });

  afterAll(() => engine.discard());

  async function worker(
    activities: readonly string[],
    script: Script,
    options: Partial<Parameters<typeof TestWorker.open>[0]> = {},
  ): Promise<TestWorker> {
    const opened = await TestWorker.open({ messaging: engine.messaging, activities, script, free: 2, ...options });
    workers.push(opened);
    return opened;
  }

  /** Stops the engine, loses its workers, and starts it again; leases end soon then. */
  async function restart(): Promise<void> {
    for (const opened of workers.splice(0)) await opened.close();
    await engine.stop();
    engine = await TestEngine.open({ dataDir: engine.dataDir, config: { claimLeaseMs: 200 } });
  }

  function executed(worker: TestWorker, run: RunId): readonly Offer[] {
    return worker.executed.filter((offer) => offer.run === run);
  }

  it('undo what was done in reverse, each once, under keys of their own', async () => {
    const one = await worker(Object.keys(ACTIVITIES), refusing('ship'));
    const run = await engine.client.run('order', ITEM);
    const { outcome } = await engine.client.outcome(run);
    expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'refused', message: 'no ship' } });
    expect(namesOf(one.executed)).toEqual(['reserve', 'charge', 'ship', 'refund compensation', 'release compensation']);
    // What undoes never runs before its grant; the worker had said that it has room, so the grant came in the receipt.
    const undoing = one.executed.slice(3);
    expect(undoing.map(({ strict, grantedUntil, effectKey }) => [strict, grantedUntil, effectKey])).toEqual([
      [true, expect.any(Number), `gr1:${run}:a3:compensation`],
      [true, expect.any(Number), `gr1:${run}:a2:compensation`],
    ]);
    const granted = one.receipts.flatMap(({ eager = [] }) => namesOf(eager));
    expect(granted).toEqual(['charge', 'ship', 'refund compensation', 'release compensation']);
    expect((await historyOf(engine.database, run)).at(-1)?.body).toMatchObject({
      kind: 'run_failed',
      compensation: { complete: true },
    });
  });

  it('undo with the worker of the role: room for steps is no room for what undoes them', async () => {
    const steps = await worker(Object.keys(ACTIVITIES), refusing('ship'), { freeRoles: ['forward'] });
    const run = await engine.client.run('order', ITEM);
    await engine.client.outcome(run);
    const how = executed(steps, run).map(({ role, grantedUntil }) => [role, grantedUntil !== null]);
    expect(how).toEqual([
      ['forward', false],
      ['forward', true],
      ['forward', true],
      ['compensation', false],
      ['compensation', false],
    ]);
  });

  it('release what they owe when they succeed', async () => {
    const one = await worker(Object.keys(ACTIVITIES), passOn);
    const run = await engine.client.run('order', ITEM);
    expect((await engine.client.outcome(run)).outcome).toEqual({ status: 'succeeded', output: ITEM });
    expect(namesOf(one.executed)).toEqual(['reserve', 'charge', 'ship']);
  });

  it('go on undoing after a restart, with the same keys, and undo nothing twice', async () => {
    const first = await worker(Object.keys(ACTIVITIES), (offer) =>
      offer.activity === 'release' ? null : refusing('ship')(offer),
    );
    const run = await engine.client.run('order', ITEM);
    const begun = await engine.client.until('the last compensation to begin', () =>
      executed(first, run).find(({ activity }) => activity === 'release'),
    );
    await restart();
    const second = await worker(Object.keys(ACTIVITIES), passOn);
    expect(await endOf(engine.database, run)).toMatchObject({ kind: 'run_failed', compensation: { complete: true } });
    expect(executed(second, run).map(({ activity, attempt, effectKey }) => [activity, attempt, effectKey])).toEqual([
      ['release', 2, begun.effectKey],
    ]);
    const completed = (await kindsOf(engine.database, run)).filter((kind) => kind === 'compensation_completed');
    expect(completed).toHaveLength(2);
  });

  it('begin to undo after a restart when the failure was committed and nothing else', async () => {
    await worker(['reserve', 'charge', 'ship'], refusing('ship'));
    const run = await engine.client.run('order', ITEM);
    await recorded(engine.database, run, 'compensation_started');
    await restart();
    const second = await worker(['release', 'refund'], passOn);
    expect(await endOf(engine.database, run)).toMatchObject({ kind: 'run_failed', failure: { code: 'refused' } });
    expect(namesOf(executed(second, run))).toEqual(['refund compensation', 'release compensation']);
  });

  it('are undone in a run that is blocked elsewhere, also after a restart', async () => {
    let cutOff: (outcome: ReportOutcome) => void = () => undefined;
    const notified = new Promise<ReportOutcome>((resolve) => (cutOff = resolve));
    const first = await worker(['reserve', 'charge', 'ship', 'notify'], (offer) =>
      offer.activity === 'notify' ? notified : refusing('ship')(offer),
    );
    const run = await engine.client.run('beside', ITEM);
    await recorded(engine.database, run, 'compensation_started');
    // The outcome of `notify` is unknown, and nobody can be asked but a person.
    cutOff({ kind: 'unhandled', failure: { code: 'activity.unhandled', message: 'cut off' } });
    await recorded(engine.database, run, 'intervention_required');
    expect(executed(first, run)).toHaveLength(4);
    await restart();
    expect(await engine.database.query.run(run)).toMatchObject({ status: 'blocked' });
    const second = await worker(['release', 'refund'], passOn);
    await engine.client.until('what was done to be undone', () => executed(second, run).at(1));
    const blocked = (await historyOf(engine.database, run)).find(({ body }) => body.kind === 'intervention_required');
    const activation = blocked?.body.kind === 'intervention_required' ? blocked.body.activation : '';
    const resolution = { kind: 'applied', output: ITEM } as const;
    expect(await engine.client.resolve(run, activation, resolution)).toMatchObject({ ok: true });
    expect(await endOf(engine.database, run)).toMatchObject({ kind: 'run_succeeded', output: ITEM });
    expect(namesOf(executed(second, run))).toEqual(['refund compensation', 'release compensation']);
  });

  it('stand still when something cannot be undone, until a person has it tried again', async () => {
    let refusals = 1;
    const one = await worker(Object.keys(ACTIVITIES), (offer) =>
      offer.activity === 'refund' && (refusals -= 1) < 0 ? passOn(offer) : refusing('ship', 'refund')(offer),
    );
    const run = await engine.client.run('order', ITEM);
    await recorded(engine.database, run, 'compensation_blocked');
    const retry = { kind: 'retry', attempts: 1 } as const;
    expect(await engine.client.resolve(run, 'a3c', retry)).toMatchObject({ ok: true });
    expect((await engine.client.outcome(run)).outcome).toMatchObject({ status: 'failed' });
    expect(namesOf(executed(one, run)).slice(3)).toEqual([
      'refund compensation',
      'refund compensation',
      'release compensation',
    ]);
  });

  it('end at once when they are abandoned, and their worker is asked to stop', async () => {
    const one = await worker(Object.keys(ACTIVITIES), (offer) =>
      offer.activity === 'refund' ? null : refusing('ship')(offer),
    );
    const run = await engine.client.run('order', ITEM);
    const begun = await engine.client.until('the refund to begin', () => executed(one, run).at(3));
    expect(await engine.client.operate('abandon', run)).toMatchObject({ ok: true });
    expect((await engine.client.outcome(run)).outcome).toMatchObject({
      status: 'failed',
      failure: { code: 'saga.abandoned' },
    });
    const { activation, generation } = begun;
    const abort = await engine.client.until('the request to stop', () => one.aborts.at(0));
    expect(abort).toEqual({ run, activation, generation, reason: 'cancelled' });
  });

  it('ask about effects whose outcome is unknown, forward or undoing, and go on by the answer', async () => {
    const hung = await worker(Object.keys(ACTIVITIES), (offer) =>
      offer.activity === 'manual' || offer.activity === 'undo' ? null : refusing('ship')(offer),
    );
    const applied = await engine.client.run('manual', { id: 'applied', n: 1 });
    const again = await engine.client.run('manual', { id: 'again', n: 2 });
    const undone = await engine.client.run('undone', ITEM);
    const runs = [applied, again, undone];
    const last = await engine.client.until('all attempts to begin', () => {
      const begun = runs.map((run) => executed(hung, run).at(-1));
      return begun.every((offer) => offer?.activity === 'manual' || offer?.activity === 'undo') ? begun : undefined;
    });
    // The engine ends in the middle: the time of the question was recorded, and is not begun anew.
    for (const run of runs) await recorded(engine.database, run, 'reconciliation_requested');
    await restart();
    const answers: Script = (offer) => {
      if (offer.role !== 'reconciliation') return passOn(offer);
      return offer.run === again
        ? { kind: 'probed', answer: 'not_applied' }
        : { kind: 'probed', answer: 'applied', output: offer.input };
    };
    const reconcilers = ['manual.lookup', 'undo.lookup'];
    const second = await worker(['manual', 'undo'], answers, { reconcilers });
    expect(await endOf(engine.database, applied)).toMatchObject({ kind: 'run_succeeded', output: { id: 'applied' } });
    expect(await endOf(engine.database, again)).toMatchObject({ kind: 'run_succeeded', output: { id: 'again' } });
    expect(await endOf(engine.database, undone)).toMatchObject({
      kind: 'run_failed',
      compensation: { complete: true },
    });
    expect(namesOf(executed(second, applied))).toEqual(['manual.lookup reconciliation']);
    expect(namesOf(executed(second, again))).toEqual(['manual.lookup reconciliation', 'manual']);
    expect(namesOf(executed(second, undone))).toEqual(['undo.lookup reconciliation']);
    for (const [index, run] of runs.entries()) {
      // Whoever is asked, and whoever tries again, has the key of the effect in question.
      for (const { effectKey } of executed(second, run)) expect(effectKey).toBe(last[index]?.effectKey);
      const events = await historyOf(engine.database, run);
      const requested = events.find(({ body }) => body.kind === 'reconciliation_requested')?.body;
      const dueAt = requested?.kind === 'reconciliation_requested' ? requested.dueAt : Number.POSITIVE_INFINITY;
      const asked = events.find(({ body }) => body.kind === 'probe_started');
      expect(asked?.at).toBeGreaterThanOrEqual(dueAt);
    }
  });
});
