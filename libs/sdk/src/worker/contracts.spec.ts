import { describe, expect, it } from '@jest/globals';
import { settle } from '../testing/manual-clock.js';
import { useFixture } from '../testing/use-fixture.js';
import { contract } from '../testing/worker-fixture.js';

const charge = contract('charge', { effects: 'external' });
const price = contract('price');

const open = useFixture([charge, price]);

describe('contracts', () => {
  it('that differ send the offer back to the queue, with one line in the log', async () => {
    const { worker, owner, offer, lines, messaging } = await open();
    let starts = 0;
    worker.handle('charge', 1, () => (starts += 1));
    await worker.start();
    offer('charge', { contractDigest: 'other' });
    offer('charge', { contractDigest: 'other' });
    await settle();
    expect(starts).toBe(0);
    expect(owner.commands).toEqual([]);
    expect(await owner.backlog('charge')).toEqual({ pending: 2, unacked: 0 });
    const warnings = lines.filter(({ level }) => level === 'warn');
    expect(warnings.map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ activity: 'charge', version: 1, offered: 'other' }),
    ]);
    const [session] = await messaging.queue.sessions();
    expect(session?.unknownContracts).toEqual([
      { role: 'forward', activity: 'charge', version: 1, contractDigest: 'other' },
    ]);
  });

  it('are announced with their digests, roles and slots', async () => {
    const forwardActivity = { name: 'charge', version: 1 };
    const reconcilers = [{ name: 'charge.lookup', version: 1, forwardActivity }];
    const { worker, messaging } = await open({ slots: 4, reconcilers });
    worker
      .handle('charge', 1, () => null, { slots: 2 })
      .handle('price', 1, () => 1, { roles: ['forward'] })
      .reconcile('charge.lookup', 1, () => 'unknown');
    await worker.start();
    const [session] = await messaging.queue.sessions();
    expect(session).toMatchObject({
      session: worker.session,
      worker: 'w-0',
      draining: false,
      running: 0,
      capabilities: [
        { role: 'forward', activity: 'charge', version: 1, slots: 2 },
        { role: 'compensation', activity: 'charge', version: 1, slots: 2 },
        { role: 'forward', activity: 'price', version: 1, slots: 4 },
        { role: 'reconciliation', activity: 'charge.lookup', version: 1, slots: 4 },
      ],
    });
    const [forward, compensation, other, probe] = (session?.capabilities ?? []).map((of) => of.contractDigest);
    expect(forward).toMatch(/^[0-9a-f]{64}$/);
    expect([compensation, probe]).toEqual([forward, forward]);
    expect(other).not.toBe(forward);
    for (const { codecVersion, inputSchemaDigest, outputSchemaDigest } of session?.capabilities ?? []) {
      expect(codecVersion).toBe(1);
      // Input and output have the same schema here.
      expect(inputSchemaDigest).toMatch(/^[0-9a-f]{64}$/);
      expect(outputSchemaDigest).toBe(inputSchemaDigest);
    }
  });
});
