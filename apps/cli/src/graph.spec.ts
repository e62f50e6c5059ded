/** `graphrun graph`: files without a server, and what is published on one. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeDir, tempDir } from '@graphrun/testing';
import { embeddedServer } from './spec/embedded-server.js';
import type { EmbeddedServer } from './spec/embedded-server.js';
import { invoke } from './spec/invoke.js';
import { EXIT } from './index.js';

// Loaded when it is needed, as everywhere else.
const { exampleCatalogPath, exampleDefinitionPath } = await import('@graphrun/examples');

const DESCRIBED = (version: number) => `dsl: graphrun/v1
id: described
version: ${version}
description: gives its input back
input_schema: order/v1
output_schema: order/v1
start: end
nodes:
  end: { kind: complete, output: { from: workflow.input } }
`;

describe('graphrun graph', () => {
  let dir: string;
  let running: EmbeddedServer;
  const sequence = exampleDefinitionPath('sequence');
  const offline = ['--catalog', exampleCatalogPath];
  const graph = (...argv: readonly string[]) => invoke(['graph', ...argv], { env: { GRAPHRUN_SERVER: running.url } });
  const documentOf = (text: string) => JSON.parse(text) as Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    dir = await tempDir('cli-graph');
    running = await embeddedServer(join(dir, 'data'));
    await writeFile(join(dir, 'described-1.yaml'), DESCRIBED(1));
    await writeFile(join(dir, 'described-2.yaml'), DESCRIBED(2));
    await writeFile(join(dir, 'broken.yaml'), DESCRIBED(1).replace('start: end', 'start: ned'));
    await writeFile(join(dir, 'broken.json'), '{ "format": "graphrun.catalog/v1" }');
    for (const argv of [
      ['--catalog', exampleCatalogPath],
      [join(dir, 'described-1.yaml')],
      [join(dir, 'described-2.yaml')],
    ]) {
      expect(await invoke(['publish', ...argv, '--server', running.url])).toMatchObject({ code: EXIT.ok });
    }
  }, 60_000);

  afterAll(async () => {
    await running.close();
    await removeDir(dir);
  });

  it('draws a file without a server', async () => {
    const drawn = await invoke(['graph', '--definition', sequence, ...offline]);
    expect(drawn).toMatchObject({ code: EXIT.ok, stderr: '' });
    expect(drawn.stdout).toBe(await readFile(new URL('../../../docs/images/sequence.svg', import.meta.url), 'utf8'));
    const mermaid = await invoke(['graph', '--definition', sequence, ...offline, '--format', 'mermaid']);
    expect(mermaid.stdout).toMatch(/^flowchart TB\n.*\n {4}r0_reserve --> r0_charge\n.*\n$/s);
  });

  it('draws in the colours that are asked for', async () => {
    const style = async (...theme: string[]) =>
      /<style>(.*)<\/style>/.exec(
        (await invoke(['graph', '--definition', sequence, ...offline, ...theme])).stdout,
      )?.[1];
    const [auto, light, dark] = [await style(), await style('--theme', 'light'), await style('--theme', 'dark')];
    expect(auto).toContain('prefers-color-scheme');
    expect(auto?.startsWith(light ?? '-')).toBe(true);
    expect(dark).not.toBe(light);
    expect(dark).not.toContain('prefers-color-scheme');
  });

  it('writes the picture to a file', async () => {
    const out = join(dir, 'order.svg');
    const printed = await invoke(['graph', '--definition', sequence, ...offline, '--theme', 'dark', '--out', out]);
    expect(printed).toEqual({ code: EXIT.ok, stdout: `order version 1 is drawn in ${out}\n`, stderr: '' });
    expect(await readFile(out, 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
    const nowhere = join(dir, 'no/such/order.svg');
    expect(await invoke(['graph', '--definition', sequence, ...offline, '--out', nowhere])).toEqual({
      code: EXIT.invalid,
      stdout: '',
      stderr: `error: The file ${nowhere} cannot be written: its folder does not exist.\n`,
    });
  });

  it('prints one JSON document', async () => {
    const args = ['graph', '--definition', sequence, ...offline, '--format', 'mermaid'];
    const { stdout: picture } = await invoke(args);
    const { code, stdout, stderr } = await invoke([...args, '--json']);
    expect({ code, stderr }).toEqual({ code: EXIT.ok, stderr: '' });
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(documentOf(stdout)).toEqual({ workflow: 'order', version: 1, digest, format: 'mermaid', picture });
    const file = join(dir, 'order.mmd');
    const written = await invoke([...args, '--json', '--out', file]);
    expect(documentOf(written.stdout)).toEqual({ workflow: 'order', version: 1, digest, format: 'mermaid', file });
    expect(await readFile(file, 'utf8')).toBe(picture);
  });

  it('says what is wrong with a file as validate does', async () => {
    for (const args of [
      [join(dir, 'broken.yaml'), '--catalog', exampleCatalogPath],
      [sequence, '--catalog', join(dir, 'broken.json')],
    ]) {
      const validated = await invoke(['validate', '--definition', ...args]);
      expect(validated.code).toBe(EXIT.invalid);
      expect(await invoke(['graph', '--definition', ...args])).toEqual(validated);
      expect(await invoke(['graph', '--definition', ...args, '--json'])).toEqual(
        await invoke(['validate', '--definition', ...args, '--json']),
      );
    }
  });

  it('draws a file against what is published', async () => {
    const there = await graph('--definition', sequence);
    expect(there).toEqual(await invoke(['graph', '--definition', sequence, ...offline]));
    expect(await graph('--definition', join(dir, 'broken.yaml'))).toMatchObject({ code: EXIT.invalid });
  });

  it('draws a published version with its descriptions, the latest unless told otherwise', async () => {
    const title = async (...argv: string[]) =>
      /<title id="[^"]*">(.*)<\/title>/.exec((await graph(...argv)).stdout)?.[1];
    expect(await title('described')).toBe('described v2');
    expect(await title('--workflow', 'described', '--version', '1')).toBe('described v1');
    expect((await graph('described')).stdout).toContain('>gives its input back</text>');
  });

  it('refuses what it cannot draw', async () => {
    expect(await graph('unknown')).toMatchObject({ code: EXIT.notFound, stdout: '' });
    const refused = async (...argv: string[]) => {
      const { code, stderr } = await graph(...argv);
      expect(code).toBe(EXIT.invalid);
      return stderr;
    };
    expect(await refused()).toBe('error: The name of the workflow, or --definition, is missing; see --help.\n');
    expect(await refused('order.yaml')).toBe(
      'error: order.yaml looks like a file; draw it with --definition order.yaml.\n',
    );
    expect(await refused('described', '--definition', sequence)).toBe(
      'error: Draw either --definition or a published workflow, not both.\n',
    );
    expect(await refused('described', ...offline)).toBe(
      'error: --catalog goes with --definition; a published workflow has its own.\n',
    );
    expect(await refused('described', '--format', 'png')).toMatch(/^error: .*png.*svg, mermaid.*\n$/);
  });
});
