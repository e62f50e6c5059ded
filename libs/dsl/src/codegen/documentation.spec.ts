/** Type-checks and runs the examples of docs/codegen.md. Its command lines are run by `apps/cli`. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CatalogError } from '../builder/index.js';
import { catalogOf } from '../testing/order-catalog.js';
import { typeErrors } from './testing/type-check.js';
import { catalogDigest, generateModule } from './index.js';

const page = readFileSync(new URL('../../../../docs/codegen.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', name, code = '']) => ({
    name: name ?? language,
    code,
  }),
);
const only = (name: string): string => {
  const [block, ...others] = blocks.filter((candidate) => candidate.name === name);
  if (block === undefined || others.length > 0) throw new Error(`There must be exactly one block "${name}"`);
  return block.code;
};

const catalog = catalogOf(only('catalog.json'));
const generated = generateModule(catalog).text;
const files = blocks.filter(({ name }) => name.endsWith('.ts'));
const modules = { 'catalog.ts': generated, ...Object.fromEntries(files.map(({ name, code }) => [name, code])) };

describe('the page on generated code', () => {
  let dir: string;

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'graphrun-codegen-'));
    // Where the examples find Zod and TypeBox.
    symlinkSync(fileURLToPath(new URL('../../../../node_modules', import.meta.url)), join(dir, 'node_modules'));
    for (const [name, code] of Object.entries(modules)) writeFileSync(join(dir, name), code);
  });

  afterAll(() => {
    rmSync(dir, { recursive: true });
  });

  const load = async (name: string): Promise<Readonly<Record<string, unknown>>> =>
    (await import(join(dir, name))) as Record<string, unknown>;

  it('has examples that are sound TypeScript', () => {
    expect(files.map(({ name }) => name)).toEqual([
      'handlers.ts',
      'shop.ts',
      'shop-typebox.ts',
      'money.ts',
      'contact.ts',
    ]);
    expect(typeErrors(modules, { declaration: false })).toEqual([]);
  });

  it('shows what the generator writes', () => {
    const excerpts = blocks.filter(({ name }) => name === 'excerpt');
    expect(excerpts.length).toBe(2);
    for (const { code } of excerpts) expect(generated).toContain(code);
  });

  it('has handlers that do what they say', async () => {
    const { handlers } = await load('handlers.ts');
    const { 'inventory.reserve/v1': reserve } = handlers as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const order_id = 'd2e1f5a0-7d0b-4b5e-9a44-0a8f2c1b7e10';
    await expect(reserve?.({ order_id, amount: 1 })).resolves.toEqual({ order_id, reservation_id: 'res-1' });
    const report = (code: string): Error => new Error(code);
    await expect(reserve?.({ order_id: 'other', amount: 1 }, report)).rejects.toThrow('out_of_stock');
  });

  it('declares in code the catalog that it shows', async () => {
    const { shop } = await load('shop.ts');
    const { document, ...declared } = shop as Record<string, unknown>;
    expect(declared).toEqual(catalog);
    expect(catalogDigest(catalogOf(JSON.stringify(document)))).toBe(catalogDigest(catalog));
  });

  it('makes the same schema with every library', async () => {
    const { Order } = await load('shop-typebox.ts');
    expect(Order).toEqual({ ref: 'order/v1', json: catalog.schemas['order/v1'] });
    const { Money } = await load('money.ts');
    expect(Money).toMatchObject({ ref: 'money/v1', json: { properties: { cents: { type: 'integer' } } } });
  });

  it('shows the message of a schema that is refused', async () => {
    const { declare } = (await load('contact.ts')) as { declare: () => unknown };
    let message = '';
    try {
      declare();
    } catch (error) {
      ({ message } = error as CatalogError);
    }
    expect(`${message}\n`).toBe(only('text'));
  });
});
