/**
 * Runs the examples of docs/builder.md. Blocks with a file name are files; `shop.ts` is what the code generator writes for
 * `catalog.json`. That the types say what the page says is checked in `types.spec.ts`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateModule } from '../codegen/index.js';
import { compileYaml } from '../compile.js';
import { catalogOf } from '../testing/order-catalog.js';
import { BuildError, type AnySchema, type Workflow } from './index.js';

const page = readFileSync(new URL('../../../../docs/builder.md', import.meta.url), 'utf8');

/** Code blocks by the name behind their language; a block without one is under its language. */
const blocks = new Map(
  [...page.matchAll(/^```(\w+)(?: (.+))?\n([\s\S]*?)^```$/gm)].map(([, language = '', name, code = '']) => [
    name ?? language,
    code,
  ]),
);
const block = (name: string): string => blocks.get(name) ?? '';
const catalog = catalogOf(block('catalog.json'));
const shop = generateModule(catalog).text;

/** Its one mistake is a type error each, so it is not for running. */
const NOT_RUN = 'mistakes.ts';
const MODULES = [...blocks.keys()].filter((name) => /^\w+\.ts$/.test(name) && name !== NOT_RUN);

describe('the page on the builder', () => {
  let dir: string;

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'graphrun-builder-'));
    for (const name of MODULES) writeFileSync(join(dir, name), block(name));
    writeFileSync(join(dir, 'shop.ts'), shop);
  });

  afterAll(() => {
    rmSync(dir, { recursive: true });
  });

  async function load(name: string): Promise<Readonly<Record<string, unknown>>> {
    return (await import(join(dir, name))) as Record<string, unknown>;
  }

  async function workflowsOf(name: string): Promise<readonly Workflow<AnySchema, AnySchema>[]> {
    const exported = Object.values(await load(name));
    return exported.filter((value): value is Workflow<AnySchema, AnySchema> => typeof value === 'object');
  }

  it.each(MODULES.filter((name) => name !== 'unfinished.ts'))('has workflows that compile in %s', async (name) => {
    const workflows = await workflowsOf(name);
    expect(workflows.length).toBeGreaterThan(0);
    for (const workflow of workflows) {
      expect(workflow.compile({ catalog })).toMatchObject({ ok: true, warnings: [] });
    }
  });

  it.each(['purchase', 'fulfilment'])('says with YAML what it says with TypeScript: %s', async (name) => {
    const written = compileYaml(block(`${name}.yaml`), { catalog });
    const [built] = await workflowsOf(`${name}.ts`);
    if (built === undefined || !written.ok) throw new Error(JSON.stringify(written));
    const compiled = built.compile({ catalog });
    expect(compiled).toMatchObject({ ok: true, artifact: written.artifact });
  });

  it('shows the text of a workflow as it is printed', async () => {
    const [purchase] = await workflowsOf('purchase.ts');
    expect(purchase?.text).toBe(block('purchase.yaml'));
  });

  it('shows what the code generator writes', () => {
    expect(shop).toContain(block('excerpt of shop.ts'));
  });

  it('shows the message of a build error', async () => {
    const { build } = await load('unfinished.ts');
    expect(build).toThrow(new BuildError(block('text').trimEnd()));
  });
});
