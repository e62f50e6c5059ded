import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ActivationId } from '@graphrun/domain';
import { workKeyText } from '@graphrun/protocol';
import type { ReportRequest } from '@graphrun/protocol';
import { settle } from '../testing/manual-clock.js';
import { useFixture } from '../testing/use-fixture.js';
import { contract, gate } from '../testing/worker-fixture.js';
import { Slots } from './slots.js';
import type { SlotPromise } from './slots.js';

const charge = contract('charge', { effects: 'external' });
const price = contract('price');

const open = useFixture([charge, price]);

describe('slots', () => {
  it('are never exceeded by offers', async () => {
    const { worker, owner, offer } = await open({ slots: 3 });
    let running = 0;
    let most = 0;
    const results = Array.from({ length: 10 }, () => gate<null>());
    let next = 0;
    worker.handle('price', 1, async () => {
      running += 1;
      most = Math.max(most, running);
      await results[next++]?.promise;
      running -= 1;
      return null;
    });
    owner.onCommand = (command) => {
      if (command.kind === 'report') owner.accept(command);
      else owner.grant(command);
    };
    await worker.start();
    for (let count = 0; count < 10; count += 1) offer('price', { strict: false });
    await settle(30);
    expect(running).toBe(3);
    expect(await owner.backlog('price')).toEqual({ pending: 7, unacked: 3 });
    for (const result of results) {
      result.open(null);
      await settle(30);
    }
    expect(most).toBe(3);
    expect(owner.commands.filter(({ kind }) => kind === 'report').length).toBe(10);
  });

  it('promised in reports, pulled and busy never add up to more than there are', async () => {
    const { worker, owner, offer } = await open({ slots: 4 });
    worker.handle('price', 1, () => null);
    await worker.start();
    for (let count = 0; count < 4; count += 1) offer('price', { strict: false });
    const promised: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      const { free } = await owner.nextReport();
      promised.push(free.reduce((sum, { slots }) => sum + slots, 0));
    }
    // Of four free slots two stay with the queue, so that offers go on coming.
    expect(promised.reduce((sum, slots) => sum + slots, 0)).toBe(2);
  });

  it('that were promised and got no grant are pulled again at the receipt', async () => {
    const { worker, owner, offer } = await open({ slots: 2 });
    const results = [gate<string>(), gate<string>()];
    worker.handle<number | null>('price', 1, (index) => (index === null ? null : results[index]?.promise));
    await worker.start();
    offer('price', { strict: false });
    const report = await owner.nextReport();
    expect(report.free).toEqual([{ role: 'forward', activity: 'price', version: 1, slots: 1 }]);
    offer('price', { strict: false, input: 0 });
    offer('price', { strict: false, input: 1 });
    await settle();
    expect(worker.status().running).toBe(1);
    owner.accept(report);
    await settle();
    expect(worker.status().running).toBe(2);
    for (const result of results) result.open('done');
  });

  it('are promised by role: those that undo are not those of steps', async () => {
    const { worker, owner, offer } = await open({ slots: 4 });
    worker.handle('charge', 1, () => null);
    await worker.start();
    offer('charge', { role: 'compensation', activation: 'a1c' as ActivationId });
    owner.grant(await owner.nextClaim());
    const report = await owner.nextReport();
    expect(report.free).toEqual([{ role: 'compensation', activity: 'charge', version: 1, slots: 1 }]);
  });

  it('are not used while too many results wait for their receipts', async () => {
    const { worker, owner, offer } = await open({ slots: 1, maxRunning: 1 });
    worker.handle('price', 1, () => null).handle('charge', 1, () => null);
    const waiting: ReportRequest[] = [];
    owner.onCommand = (command) => {
      if (command.kind === 'report') waiting.push(command);
    };
    await worker.start();
    for (let count = 0; count < 20; count += 1) offer('price', { strict: false });
    await settle(100);
    expect(waiting.length).toBe(8);
    for (const report of waiting.splice(0)) owner.accept(report);
    await settle(100);
    expect(waiting.length).toBe(8);
  });

  it('of the process bound all activities together', async () => {
    const { worker, offer } = await open({ slots: 4, maxRunning: 5 });
    const forever = gate<null>();
    worker.handle('price', 1, () => forever.promise).handle('charge', 1, () => forever.promise);
    await worker.start();
    for (let count = 0; count < 6; count += 1) {
      offer('price', { strict: false });
      offer('charge', { strict: false });
    }
    await settle(40);
    expect(worker.status().running).toBe(5);
    forever.open(null);
  });
});

describe('the slot ledger, over random histories', () => {
  const keys = ['a', 'b', 'c'].map((activity) => ({ role: 'forward' as const, activity, version: 1 }));
  const action = fc.record({
    kind: fc.constantFrom('offer', 'grant', 'finish', 'promise', 'redeem', 'pause', 'pull'),
    pick: fc.nat(20),
  });

  it('keeps busy, promised and pulled within the slots of each activity and of the process', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), fc.integer({ min: 1, max: 6 }), (actions, size) => {
        const pulled = new Map<string, number>();
        const slots = new Slots(
          keys.map((key) => ({ key, slots: size })),
          10,
          (key, free) => pulled.set(workKeyText(key), free),
        );
        slots.pull();
        const busy: string[] = [];
        const promises: SlotPromise[] = [];
        for (const { kind, pick } of actions) {
          const key = workKeyText(keys[pick % keys.length] ?? never());
          switch (kind) {
            case 'offer':
              // The queue delivers only what was asked for.
              if ((pulled.get(key) ?? 0) > 0 && slots.takePulled(key)) busy.push(key);
              break;
            case 'grant':
              if (slots.takeGranted(key)) busy.push(key);
              break;
            case 'finish': {
              const [finished] = busy.splice(pick % Math.max(1, busy.length), 1);
              if (finished !== undefined) slots.release(finished);
              break;
            }
            case 'promise':
              promises.push(slots.promise());
              break;
            case 'redeem': {
              const [promise] = promises.splice(pick % Math.max(1, promises.length), 1);
              if (promise !== undefined) slots.redeem(promise).settled();
              break;
            }
            case 'pause':
              slots.pause();
              break;
            case 'pull':
              slots.pull();
              break;
          }
          const promised = promises.flatMap((promise) => promise.keys);
          for (const one of keys.map(workKeyText)) {
            const used =
              busy.filter((other) => other === one).length + promised.filter((other) => other === one).length;
            expect(used + (pulled.get(one) ?? 0)).toBeLessThanOrEqual(size);
          }
          expect(busy.length + promised.length).toBeLessThanOrEqual(10);
        }
      }),
    );
  });

  it('pulls again for the slots of a promise that brought no grant', () => {
    const pulled: number[] = [];
    const [key = never()] = keys;
    const slots = new Slots([{ key, slots: 2 }], 10, (_key, free) => pulled.push(free));
    slots.pull();
    expect(slots.takeGranted(workKeyText(key))).toBe(true);
    slots.release(workKeyText(key));
    const promise = slots.promise();
    expect(promise.free).toEqual([{ ...key, slots: 1 }]);
    expect(slots.takePulled(workKeyText(key))).toBe(true);
    expect(pulled.at(-1)).toBe(0);
    slots.redeem(promise).settled();
    expect(pulled.at(-1)).toBe(1);
  });

  it('pulls for every activity again once everything is idle', () => {
    const pulled = new Map<string, number>();
    const slots = new Slots(
      keys.map((key) => ({ key, slots: 4 })),
      4,
      (key, free) => pulled.set(key.activity, free),
    );
    slots.pull();
    const [a] = keys.map(workKeyText);
    for (let count = 0; count < 4; count += 1) expect(slots.takeGranted(a ?? never())).toBe(true);
    expect(slots.takePulled('forward/b/1')).toBe(false);
    for (let count = 0; count < 4; count += 1) slots.release(a ?? never());
    expect(Object.fromEntries(pulled)).toEqual({ a: 1, b: 1, c: 1 });
  });
});

function never(): never {
  throw new Error('the list of keys is not empty');
}
