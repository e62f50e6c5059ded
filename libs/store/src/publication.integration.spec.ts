import { beforeAll, expect, it } from '@jest/globals';
import type { Artifact, Contract, Reconciler } from '@graphrun/dsl';
import { describeStores } from './testing/backends.js';
import type { Database } from './index.js';

function contract(name: string, fields: Partial<Contract> = {}): Contract {
  return {
    name,
    version: 1,
    inputSchema: 'order/v1',
    outputSchema: 'order/v1',
    execution: 'async',
    effects: 'pure',
    recovery: 'RetrySafe',
    errorCodes: [],
    reconciler: null,
    ...fields,
  };
}

function reconciler(name: string, forwardActivity: string): Reconciler {
  return { name, version: 1, forwardActivity: { name: forwardActivity, version: 1 } };
}

function artifact(digest: string, version = 1, id = 'order'): Artifact {
  return {
    format: 'graphrun.artifact/v1',
    digest,
    definition: {
      dsl: 'graphrun/v1',
      id,
      version,
      runTimeoutMs: null,
      root: {
        inputSchema: 'order/v1',
        outputSchema: 'order/v1',
        start: 'done',
        nodes: { done: { kind: 'complete', output: { from: 'workflow.input' } } },
      },
    },
    contracts: {},
    schemas: {},
  };
}

describeStores('publication', (backend) => {
  let store: Database;
  beforeAll(async () => {
    store = await backend.newStore();
  }, 60_000);

  it('publishes schemas, contracts and reconcilers, and takes an equal repeat as done', async () => {
    const entries = {
      schemas: { 'order/v1': { type: 'object', title: 'Order' } },
      contracts: [contract('charge')],
      reconcilers: [reconciler('charge.lookup', 'charge')],
    };
    await store.query.publishCatalog('shop', entries);
    // The same content with its keys in another order is the same content.
    await store.query.publishCatalog('shop', {
      ...entries,
      schemas: { 'order/v1': { title: 'Order', type: 'object' } },
    });
    expect(await store.query.catalog('shop')).toEqual(entries);
    expect(await store.query.catalog('another')).toEqual({ schemas: {}, contracts: [], reconcilers: [] });
  });

  it('refuses other content under a published name, naming it, and publishes nothing of the rest', async () => {
    await expect(
      store.query.publishCatalog('shop', {
        schemas: { 'new/v1': true, 'order/v1': { type: 'array' } },
        contracts: [contract('ship')],
        reconcilers: [],
      }),
    ).rejects.toMatchObject({ code: 'AlreadyExists', details: { schema: 'order/v1' } });
    await expect(
      store.query.publishCatalog('shop', {
        schemas: {},
        contracts: [contract('ship'), contract('charge', { effects: 'external' })],
        reconcilers: [],
      }),
    ).rejects.toMatchObject({ code: 'AlreadyExists', details: { contract: 'charge/v1' } });
    await expect(
      store.query.publishCatalog('shop', {
        schemas: {},
        contracts: [contract('ship')],
        reconcilers: [reconciler('charge.lookup', 'ship')],
      }),
    ).rejects.toMatchObject({ code: 'AlreadyExists', details: { reconciler: 'charge.lookup/v1' } });

    const { schemas, contracts, reconcilers } = await store.query.catalog('shop');
    expect(Object.keys(schemas)).toEqual(['order/v1']);
    expect(contracts.map((one) => one.name)).toEqual(['charge']);
    expect(reconcilers).toEqual([reconciler('charge.lookup', 'charge')]);
  });

  it('lets two publications of the same names at once agree', async () => {
    const schemas = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`s${index}/v1`, { const: index }]));
    const reversed = Object.fromEntries(Object.entries(schemas).reverse());
    await Promise.all([
      store.query.publishCatalog('race', { schemas, contracts: [], reconcilers: [] }),
      store.query.publishCatalog('race', { schemas: reversed, contracts: [], reconcilers: [] }),
    ]);
    expect((await store.query.catalog('race')).schemas).toEqual(schemas);
  });

  it('publishes a definition once and answers a repeat with what is stored', async () => {
    const first = await store.query.publishDefinition('shop', artifact('one'));
    expect(first).toEqual({
      namespace: 'shop',
      workflow: 'order',
      version: 1,
      digest: 'one',
      publishedAt: expect.any(Number),
    });
    expect(await store.query.publishDefinition('shop', artifact('one'))).toEqual(first);
    expect(await store.query.artifact('one')).toEqual(artifact('one'));
    expect(await store.engine.artifact('absent')).toBeNull();
  });

  it('keeps what was written with the first publication of a version, and nothing of a repeat', async () => {
    const written = {
      source: 'id: order # with a comment, an "ä" and a \u{1F600}\n',
      annotations: {
        '': { description: 'takes an order' },
        '/root/nodes/done': { labels: { team: 'shop', paid: true } },
      },
    };
    await store.query.publishDefinition('written', artifact('w1'), written);
    expect(await store.query.writtenDefinition('written', 'order', 1)).toEqual(written);
    await store.query.publishDefinition('written', artifact('w1'), { source: 'another text', annotations: {} });
    await store.query.publishDefinition('written', artifact('w1'));
    expect(await store.query.writtenDefinition('written', 'order', 1)).toEqual(written);

    await store.query.publishDefinition('written', artifact('w2', 2));
    await store.query.publishDefinition('written', artifact('w2', 2), written);
    expect(await store.query.writtenDefinition('written', 'order', 2)).toEqual({ source: null, annotations: null });
    expect(await store.query.writtenDefinition('written', 'order', 3)).toBeNull();
    expect(await store.query.writtenDefinition('elsewhere', 'order', 1)).toBeNull();
  });

  it('refuses another artifact under a published version, and stores nothing of it', async () => {
    await expect(store.query.publishDefinition('shop', artifact('other'))).rejects.toMatchObject({
      code: 'AlreadyExists',
      details: { workflow: 'order', version: 1, published: 'one', offered: 'other' },
    });
    expect(await store.query.artifact('other')).toBeNull();
  });

  it('resolves a version, and the latest one by number', async () => {
    await store.query.publishDefinition('shop', artifact('ten', 10));
    await store.query.publishDefinition('shop', artifact('two', 2));
    expect(await store.engine.resolveVersion('shop', 'order', null)).toMatchObject({ version: 10, digest: 'ten' });
    expect(await store.engine.resolveVersion('shop', 'order', 2)).toMatchObject({ version: 2, digest: 'two' });
    expect(await store.engine.resolveVersion('shop', 'order', 3)).toBeNull();
    expect(await store.engine.resolveVersion('elsewhere', 'order', null)).toBeNull();
    expect((await store.query.definitions('shop', 'order')).map((row) => row.version)).toEqual([1, 2, 10]);
    expect(await store.query.definitions('shop', 'absent')).toEqual([]);
  });
});
