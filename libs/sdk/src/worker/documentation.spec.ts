/** Runs the examples of docs/workers.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EffectKey } from '@graphrun/domain';
import { parseCatalog } from '@graphrun/dsl';
import type { Catalog } from '@graphrun/dsl';
import type { Offer } from '@graphrun/protocol';
import { silentLogger } from '@graphrun/runtime';
import { contract, openFixture } from '../testing/worker-fixture.js';
import type { WorkerFixture } from '../testing/worker-fixture.js';
import { handlersOf, reconcilersOf } from './define-handlers.js';
import type { Worker, WorkerCatalog, WorkerMessaging } from './index.js';

const document = readFileSync(new URL('../../../../docs/workers.md', import.meta.url), 'utf8');
let dir: string;

/** The code blocks of the page, by the file name after their language. */
function blocks(): ReadonlyMap<string, string> {
  const found = document.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm);
  return new Map([...found].map(([, name = '', code = '']) => [name, code]));
}

async function load(name: string): Promise<unknown> {
  return (await import(join(dir, name))) as unknown;
}

function catalog(): Catalog {
  const parsed = parseCatalog(blocks().get('catalog.json') ?? '');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  return parsed.catalog;
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'graphrun-docs-'));
  for (const [name, code] of blocks()) writeFileSync(join(dir, name), code);
});

afterAll(() => {
  rmSync(dir, { recursive: true });
});

describe('the page on workers', () => {
  let fixture: WorkerFixture;

  async function outcomeOf(activity: string, input: object, of: Partial<Offer> = {}): Promise<unknown> {
    fixture.offer(activity, { input: { ...input }, ...of });
    fixture.owner.grant(await fixture.owner.nextClaim());
    const report = await fixture.owner.nextReport();
    fixture.owner.accept(report);
    return report.outcome;
  }

  it('has handlers that do what it says', async () => {
    const { contracts, schemas } = catalog();
    fixture = await openFixture({ contracts, schemas });
    try {
      fixture.worker.handleAll(handlersOf(await load('handlers.ts'), 'handlers.ts'));
      await fixture.worker.start();
      expect(await outcomeOf('payment.charge', { order_id: 'o-1', amount: 500 })).toEqual({
        kind: 'success',
        output: { order_id: 'o-1', payment_id: 'pay-1' },
      });
      expect(await outcomeOf('payment.charge', { order_id: 'o-2', amount: 10_001 })).toEqual({
        kind: 'error',
        failure: { code: 'declined', message: '10001 is over the limit of the card' },
      });
      expect(await outcomeOf('tax.quote', { order_id: 'o-3', amount: 99 })).toEqual({
        kind: 'success',
        output: { cents: 9 },
      });
      expect(await outcomeOf('tax.quote', { order_id: 'o-4' })).toMatchObject({
        kind: 'error',
        failure: { code: 'worker.decode' },
      });
    } finally {
      await fixture.close();
    }
  });

  it('has a reconciler that answers for the effect in question', async () => {
    const { contracts, schemas, reconcilers } = catalog();
    fixture = await openFixture({ contracts, schemas, reconcilers });
    const answerFor = (key: string): Promise<unknown> =>
      outcomeOf(
        'payment.charge',
        { order_id: 'o-1' },
        { role: 'reconciliation', activity: 'payment.lookup', effectKey: key as EffectKey },
      );
    try {
      fixture.worker.handleAll({}, null, reconcilersOf(await load('reconcilers.ts'), 'reconcilers.ts'));
      await fixture.worker.start();
      expect(await answerFor('gr1:r1:a1:forward')).toEqual({
        kind: 'probed',
        answer: 'applied',
        output: { order_id: 'o-1', payment_id: 'pay-1' },
      });
      expect(await answerFor('gr1:r1:a2:forward')).toEqual({ kind: 'probed', answer: 'unknown' });
      expect(await answerFor('gr1:r1:a3:forward')).toEqual({ kind: 'probed', answer: 'not_applied' });
    } finally {
      await fixture.close();
    }
  });

  it('has a blocking handler that runs in a thread', async () => {
    fixture = await openFixture({ contracts: [contract('report.render', { execution: 'blocking' })] });
    try {
      fixture.worker.handleAll(handlersOf(await load('blocking.ts'), 'blocking.ts'));
      await fixture.worker.start();
      expect(await outcomeOf('report.render', { pages: 3 })).toEqual({ kind: 'success', output: { rendered: 3 } });
    } finally {
      await fixture.close();
    }
  });

  it('has a worker for a process of its own', async () => {
    const { contracts, schemas } = catalog();
    fixture = await openFixture({ contracts, schemas });
    const { startQuotes } = (await load('own-process.ts')) as {
      startQuotes(messaging: WorkerMessaging, catalog: WorkerCatalog, logger: typeof silentLogger): Promise<Worker>;
    };
    const worker = await startQuotes(fixture.messaging, catalog(), silentLogger);
    try {
      expect(await outcomeOf('tax.quote', { order_id: 'o-1', amount: 1_000 })).toEqual({
        kind: 'success',
        output: { cents: 100 },
      });
      expect(await worker.drain()).toMatchObject({ abandoned: 0 });
    } finally {
      await worker.close();
      await fixture.close();
    }
  });
});
