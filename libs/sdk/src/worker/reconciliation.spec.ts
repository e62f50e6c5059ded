import { describe, expect, it } from '@jest/globals';
import type { ActivationId } from '@graphrun/domain';
import { effectKey } from '@graphrun/domain';
import type { Offer } from '@graphrun/protocol';
import { settle } from '../testing/manual-clock.js';
import { useFixture } from '../testing/use-fixture.js';
import { contract } from '../testing/worker-fixture.js';
import type { WorkerFixture } from '../testing/worker-fixture.js';
import type { ReconcilerHandler } from './reconciler.js';

const charge = contract('charge', { effects: 'external', recovery: 'Manual' });
const lookup = { name: 'charge.lookup', version: 1, forwardActivity: { name: 'charge', version: 1 } };

const open = useFixture([charge]);

async function started(handler: ReconcilerHandler): Promise<WorkerFixture> {
  const fixture = await open({ reconcilers: [lookup] });
  fixture.worker.reconcile('charge.lookup', 1, handler);
  await fixture.worker.start();
  return fixture;
}

/** An offer of a probe that asks about `a1`. */
function probe({ offer }: WorkerFixture, of: Partial<Offer> = {}): Offer {
  const activation = 'a1r' as ActivationId;
  return offer('charge', { role: 'reconciliation', activity: 'charge.lookup', activation, ...of });
}

describe('a reconciler', () => {
  it('is asked under the key of the effect in question, with the input of its attempt, after its grant', async () => {
    const seen: unknown[] = [];
    const fixture = await started((input, context) => {
      seen.push(input, context.effectKey);
      return 'not_applied';
    });
    const { run } = fixture.grantOf('charge');
    const key = effectKey(run, 'a1r' as ActivationId);
    // Whatever the offer says, nobody is asked before the grant.
    probe(fixture, { run, effectKey: key, input: { amount: 3 }, strict: false });
    const claim = await fixture.owner.nextClaim();
    expect(claim.activation).toBe('a1r');
    expect(seen).toEqual([]);
    fixture.owner.grant(claim);
    expect(await fixture.owner.nextReport()).toMatchObject({
      activation: 'a1r',
      lax: false,
      outcome: { kind: 'probed', answer: 'not_applied' },
    });
    expect(seen).toEqual([{ amount: 3 }, `gr1:${run}:a1:forward`]);
  });

  it.each([
    [{ applied: { paid: true } }, { kind: 'probed', answer: 'applied', output: { paid: true } }],
    [{ applied: null }, { kind: 'probed', answer: 'applied', output: null }],
    ['not_applied' as const, { kind: 'probed', answer: 'not_applied' }],
    ['unknown' as const, { kind: 'probed', answer: 'unknown' }],
  ])('that answers %j is reported as that', async (answer, outcome) => {
    const fixture = await started(() => answer);
    probe(fixture);
    fixture.owner.grant(await fixture.owner.nextClaim());
    expect((await fixture.owner.nextReport()).outcome).toEqual(outcome);
    expect(fixture.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('the bank does not answer')), 'Error: the bank does not answer'],
    [
      'answers with something else',
      () => ({ found: true }) as never,
      "TypeError: a reconciler answers { applied: output }, 'not_applied' or 'unknown'",
    ],
    [
      'has an output that is no JSON',
      () => ({ applied: 1n }),
      "TypeError: 'applied' is no output: the output is a bigint, which JSON does not have",
    ],
  ])('that %s has found out nothing, and the log says why', async (_what, handler, reason) => {
    const fixture = await started(handler);
    probe(fixture);
    fixture.owner.grant(await fixture.owner.nextClaim());
    expect((await fixture.owner.nextReport()).outcome).toEqual({ kind: 'probed', answer: 'unknown' });
    const warnings = fixture.lines.filter(({ level }) => level === 'warn');
    expect(warnings).toMatchObject([
      { message: 'a reconciler gave no answer; its probe counts as unknown', fields: { activation: 'a1r' } },
    ]);
    const [{ fields } = { fields: {} }] = warnings;
    expect('err' in fields && String(fields.err)).toBe(reason);
  });

  it('that cannot read the input has found out nothing', async () => {
    const fixture = await open({ reconcilers: [lookup] });
    let asked = 0;
    const decode = (): never => {
      throw new Error('no amount');
    };
    fixture.worker.reconcile('charge.lookup', 1, () => ((asked += 1), 'not_applied'), { decode });
    await fixture.worker.start();
    probe(fixture);
    fixture.owner.grant(await fixture.owner.nextClaim());
    expect((await fixture.owner.nextReport()).outcome).toEqual({ kind: 'probed', answer: 'unknown' });
    expect(asked).toBe(0);
  });

  it('that stops for the shutdown of its worker hands its probe back', async () => {
    const fixture = await started(
      (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        }),
    );
    probe(fixture);
    fixture.owner.grant(await fixture.owner.nextClaim());
    await settle();
    const drained = fixture.worker.drain(2_000);
    await fixture.clock.advance(1_000);
    const report = await fixture.owner.nextReport();
    expect(report.outcome).toMatchObject({ kind: 'returned' });
    fixture.owner.accept(report);
    await drained;
  });

  it('does not take probes for another contract', async () => {
    let asked = 0;
    const fixture = await started(() => ((asked += 1), 'not_applied'));
    probe(fixture, { contractDigest: 'other' });
    await settle();
    expect([asked, fixture.owner.commands]).toEqual([0, []]);
  });
});

describe('a compensation', () => {
  it('is the handler of its activity in another role, and never starts before its grant', async () => {
    const fixture = await open();
    const inputs: unknown[] = [];
    fixture.worker.handle('charge', 1, (input) => {
      inputs.push(input);
      return null;
    });
    await fixture.worker.start();
    fixture.offer('charge', {
      role: 'compensation',
      activation: 'a1c' as ActivationId,
      input: 'undo',
      strict: false,
    });
    const claim = await fixture.owner.nextClaim();
    await settle();
    expect(inputs).toEqual([]);
    fixture.owner.grant(claim);
    const report = await fixture.owner.nextReport();
    expect(report).toMatchObject({ activation: 'a1c', lax: false, outcome: { kind: 'success', output: null } });
    expect(report.free.map(({ role }) => role)).toEqual(['compensation']);
    expect(inputs).toEqual(['undo']);
  });
});
