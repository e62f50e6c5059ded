/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return --
   what comes back as JSON is examined member by member */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleCatalogText, exampleDefinitionText, exampleNames } from '@graphrun/examples';
import { embeddedControl } from '../spec/embedded-control.js';
import type { EmbeddedControl } from '../spec/embedded-control.js';
import { ask } from '../spec/request.js';

function activity(name: string, fields: Record<string, unknown> = {}) {
  return {
    name,
    version: 1,
    input_schema: 'shop.order/v1',
    output_schema: { tuple: ['shop.order/v1', { array: 'integer/v1' }] },
    execution: 'async',
    effects: 'external',
    recovery: 'Manual',
    error_codes: [
      { code: 'busy', retryable: true },
      { code: 'refused', retryable: false },
    ],
    ...fields,
  };
}

function reconciler(name: string, forward: string) {
  return { name, version: 1, forward_activity: { name: forward, version: 1 } };
}

/** `shop.ship.lookup` has no user, and two contracts name `shop.pay.lookup`. */
const CATALOG = {
  format: 'graphrun.catalog/v1',
  schemas: {
    'shop.order/v1': {
      type: 'object',
      // An order of keys, texts and numbers that a careless way through a database would change.
      properties: { z: { const: '\u0001 é' }, a: { multipleOf: 1e-7 }, '10': {}, '9': { enum: [1.5, null, [], {}] } },
    },
  },
  activities: [
    activity('shop.pay', { reconciler: { name: 'shop.pay.lookup', version: 1 } }),
    activity('shop.refund', { reconciler: { name: 'shop.pay.lookup', version: 1 } }),
    activity('shop.ship', { execution: 'blocking' }),
  ],
  reconcilers: [reconciler('shop.pay.lookup', 'shop.pay'), reconciler('shop.ship.lookup', 'shop.ship')],
};

const USER = {
  dsl: 'graphrun/v1',
  id: 'shop',
  version: 1,
  input_schema: 'shop.order/v1',
  output_schema: 'shop.order/v1',
  start: 'pay',
  nodes: {
    pay: {
      kind: 'activity',
      activity: { name: 'shop.pay', version: 1 },
      input: { from: 'workflow.input' },
      next: 'end',
    },
    end: { kind: 'complete', output: { from: 'workflow.input' } },
  },
};

describe('catalogs over HTTP', () => {
  let system: EmbeddedControl;
  let url: string;
  /** Where the catalog has not been published. */
  let other: EmbeddedControl;

  beforeAll(async () => {
    [system, other] = [await embeddedControl(), await embeddedControl()];
    url = system.url;
    expect((await ask(url, '/v1/catalogs', { json: CATALOG })).status).toBe(200);
    expect((await ask(url, '/v1/definitions', { json: { document: USER } })).status).toBe(200);
  }, 60_000);

  afterAll(() => Promise.all([system.close(), other.close()]));

  it('give back what was published, reconcilers without users included', async () => {
    const posted = await ask(url, '/v1/catalogs', { json: CATALOG });
    expect(posted).toMatchObject({
      status: 200,
      body: {
        activities: ['shop.pay/v1', 'shop.refund/v1', 'shop.ship/v1'],
        reconcilers: ['shop.pay.lookup/v1', 'shop.ship.lookup/v1'],
      },
    });
    const { format, schemas, activities, reconcilers } = (await ask(url, '/v1/catalogs')).body;
    expect(format).toBe(CATALOG.format);
    expect(schemas).toMatchObject(CATALOG.schemas);
    expect(activities).toEqual(expect.arrayContaining(CATALOG.activities));
    expect(reconcilers).toEqual(expect.arrayContaining(CATALOG.reconcilers));
  });

  it('read as a text against which every definition has the digest it was published with', async () => {
    const catalog = (await ask(url, '/v1/catalogs')).body;
    const digestOf = async (path: string) => (await ask(url, `/v1/definitions/${path}/1`)).body.digest as string;
    const validated = async (json: unknown) => (await ask(url, '/v1/validate', { json })).body;
    expect(await validated({ document: USER, catalog })).toMatchObject({ valid: true, digest: await digestOf('shop') });
    const order = { yaml: exampleDefinitionText('sequence') };
    expect(await validated({ ...order, catalog })).toMatchObject({ valid: true, digest: await digestOf('order') });
    for (const name of exampleNames) {
      const yaml = exampleDefinitionText(name);
      const original: unknown = JSON.parse(exampleCatalogText());
      expect(await validated({ yaml, catalog })).toEqual(await validated({ yaml, catalog: original }));
    }
  });

  it('name the reconcilers of artifacts, which bring contracts but no reconcilers', async () => {
    const { artifact } = (await ask(url, '/v1/definitions/shop/1')).body;
    expect((await ask(other.url, '/v1/definitions', { json: { artifact } })).status).toBe(200);
    const catalog = (await ask(other.url, '/v1/catalogs')).body;
    expect(catalog.reconcilers).toContainEqual(reconciler('shop.pay.lookup', 'shop.pay'));
    expect((await ask(url, '/v1/validate', { json: { document: USER, catalog } })).body).toMatchObject({ valid: true });
  });

  it('can be published again elsewhere as they are read, over what only artifacts had named', async () => {
    const catalog = (await ask(url, '/v1/catalogs')).body;
    expect((await ask(other.url, '/v1/catalogs', { json: catalog })).status).toBe(200);
    expect((await ask(other.url, '/v1/catalogs')).body).toEqual(catalog);
  });

  it('refuse another activity under a published reconciler', async () => {
    const changed = { ...CATALOG, reconcilers: [reconciler('shop.pay.lookup', 'shop.refund'), CATALOG.reconcilers[1]] };
    expect(await ask(url, '/v1/catalogs', { json: changed })).toMatchObject({
      status: 409,
      body: { code: 'AlreadyExists', reconciler: 'shop.pay.lookup/v1' },
    });
  });
});
