import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { compileYaml, parseCatalog } from '@graphrun/dsl';
import { layout, toMermaid, toSvg } from './index.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFile(`${ROOT}${path}`, 'utf8');

/** Draws the files anew instead of comparing them: GRAPHRUN_DRAW=1 npm run jest -- libs/diagram/src/docs */
const DRAW = process.env['GRAPHRUN_DRAW'] === '1';

async function compile(yaml: string) {
  const catalog = parseCatalog(await read('examples/catalog.json'), 'examples/catalog.json');
  if (!catalog.ok) throw new Error('the catalog of the examples is not valid');
  const compiled = compileYaml(yaml, { catalog: catalog.catalog });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics, null, 2));
  return { definition: compiled.artifact.definition, annotations: compiled.annotations };
}

async function expectFile(path: string, text: string): Promise<void> {
  if (DRAW) await writeFile(`${ROOT}${path}`, text);
  expect(await read(path)).toBe(text);
}

describe('docs/graph.md', () => {
  it('shows the pictures that are drawn of its examples', async () => {
    const [, yaml = ''] = /^```yaml\n(.*?)^```/ms.exec(await read('docs/graph.md')) ?? [];
    for (const [name, source] of [
      ['sequence', await read('examples/sequence.yaml')],
      ['fulfilment', yaml],
    ] as const) {
      const { definition, annotations } = await compile(source);
      await expectFile(`docs/images/${name}.svg`, toSvg(layout(definition, annotations)));
      await expectFile(`docs/images/${name}.mmd`, toMermaid(definition, annotations));
    }
  });
});
