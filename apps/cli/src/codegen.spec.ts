import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseCatalog } from '@graphrun/dsl';
import { generateModule } from '@graphrun/dsl/codegen';
import { removeDir, tempDir } from '@graphrun/testing';
import { embeddedServer } from './spec/embedded-server.js';
import type { EmbeddedServer } from './spec/embedded-server.js';
import { invoke } from './spec/invoke.js';
import { EXIT } from './index.js';

const { exampleCatalogPath, exampleCatalogText } = await import('@graphrun/examples');

function example() {
  const parsed = parseCatalog(exampleCatalogText());
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  return generateModule(parsed.catalog);
}

describe('graphrun codegen', () => {
  const { text, digest } = example();
  let dir: string;
  let out: string;
  let files = 0;

  beforeAll(async () => {
    dir = await tempDir('codegen');
  });

  afterAll(() => removeDir(dir));

  const codegen = (...argv: string[]) => invoke(['codegen', ...argv]);
  const document = (stdout: string): unknown => JSON.parse(stdout);

  it('prints the module', async () => {
    expect(await codegen('--catalog', exampleCatalogPath)).toEqual({ code: EXIT.ok, stdout: text, stderr: '' });
  });

  it('prints one JSON document', async () => {
    const { code, stdout, stderr } = await codegen('--catalog', exampleCatalogPath, '--json');
    expect({ code, stderr, document: document(stdout) }).toEqual({
      code: EXIT.ok,
      stderr: '',
      document: { digest, module: text },
    });
  });

  describe('with --out', () => {
    beforeEach(() => {
      files += 1;
      out = join(dir, `catalog-${files}.ts`);
    });

    it('writes the module', async () => {
      const { code, stdout, stderr } = await codegen('--catalog', exampleCatalogPath, '--out', out);
      expect({ code, stdout, stderr }).toEqual({ code: EXIT.ok, stdout: `${out} is written\n`, stderr: '' });
      expect(await readFile(out, 'utf8')).toBe(text);
    });

    it('leaves a file that is up to date as it is', async () => {
      await writeFile(out, text);
      await utimes(out, 1, 1);
      const { code, stdout } = await codegen('--catalog', exampleCatalogPath, '--out', out, '--json');
      expect({ code, document: document(stdout) }).toEqual({
        code: EXIT.ok,
        document: { digest, file: out, changed: false },
      });
      expect((await stat(out)).mtimeMs).toBe(1_000);
    });

    it('replaces a file that is not', async () => {
      await writeFile(out, 'something else');
      const { code, stdout } = await codegen('--catalog', exampleCatalogPath, '--out', out, '--json');
      expect({ code, document: document(stdout) }).toEqual({
        code: EXIT.ok,
        document: { digest, file: out, changed: true },
      });
      expect(await readFile(out, 'utf8')).toBe(text);
    });

    it('names a file that cannot be written', async () => {
      const { code, stderr } = await codegen('--catalog', exampleCatalogPath, '--out', join(out, 'no', 'folder.ts'));
      expect(code).toBe(EXIT.invalid);
      expect(stderr).toContain(`The file ${join(out, 'no', 'folder.ts')} cannot be written`);
      await mkdir(out);
      const folder = await codegen('--catalog', exampleCatalogPath, '--out', out);
      expect(folder.code).toBe(EXIT.invalid);
      expect(folder.stderr).toContain(`The file ${out} is a directory.`);
    });

    it('checks, and changes nothing', async () => {
      const check = () => codegen('--catalog', exampleCatalogPath, '--out', out, '--check');
      expect(await check()).toEqual({
        code: 1,
        stdout: `${out} is not up to date; run the same command without --check\n`,
        stderr: '',
      });
      await writeFile(out, `${text}\n`);
      expect((await check()).code).toBe(1);
      expect(await readFile(out, 'utf8')).toBe(`${text}\n`);
      await writeFile(out, text);
      expect(await check()).toEqual({ code: EXIT.ok, stdout: `${out} is up to date\n`, stderr: '' });
      const json = await codegen('--catalog', exampleCatalogPath, '--out', out, '--check', '--json');
      expect(document(json.stdout)).toEqual({ digest, file: out, up_to_date: true });
    });
  });

  it('checks only against a file', async () => {
    const { code, stderr } = await codegen('--catalog', exampleCatalogPath, '--check');
    expect(code).toBe(EXIT.invalid);
    expect(stderr).toBe('error: --check compares with a file; say which with --out.\n');
  });

  it('shows what is wrong with a catalog', async () => {
    const broken = join(dir, 'broken.json');
    await writeFile(broken, '{\n  "format": "graphrun.catalog/v1",\n  "schemas": { "order": {} }\n}\n');
    const people = await codegen('--catalog', broken);
    expect(people).toEqual({
      code: EXIT.invalid,
      stdout: '',
      stderr: `${broken}:3:16 GR1106 "order" is not a schema name; write name/vN, as in "order/v1"
    3 |   "schemas": { "order": {} }
      |                ^^^^^^^
error: The catalog ${broken} is not valid: one error.
`,
    });
    const { code, stdout } = await codegen('--catalog', broken, '--json');
    expect({ code, document: document(stdout) }).toEqual({
      code: EXIT.invalid,
      document: {
        error: {
          code: 'InvalidArgument',
          message: `The catalog ${broken} is not valid: one error.`,
          diagnostics: [
            {
              code: 'GR1106',
              message: '"order" is not a schema name; write name/vN, as in "order/v1"',
              file: broken,
              line: 3,
              column: 16,
              end_line: 3,
              end_column: 23,
              severity: 'error',
            },
          ],
        },
      },
    });
  });

  it('names a catalog that is not there', async () => {
    const { code, stderr } = await codegen('--catalog', join(dir, 'none.json'));
    expect({ code, stderr }).toEqual({
      code: EXIT.invalid,
      stderr: `error: The file ${join(dir, 'none.json')} does not exist.\n`,
    });
  });

  it('does what docs/codegen.md shows', async () => {
    const page = await readFile(new URL('../../../docs/codegen.md', import.meta.url), 'utf8');
    const folder = join(dir, 'page');
    await mkdir(folder);
    await writeFile(join(folder, 'catalog.json'), /^```json catalog\.json\n(.*?)^```$/ms.exec(page)?.[1] ?? '');
    const lines = /^```sh\n(.*?)^```$/ms.exec(page)?.[1]?.trim().split('\n') ?? [];
    const codes = [];
    for (const line of lines) {
      const [, ...argv] = line.split(' ').map((word) => word.replace(/^catalog\./, join(folder, 'catalog.')));
      codes.push((await invoke(argv)).code);
    }
    expect(codes).toEqual([EXIT.ok, EXIT.ok]);
    expect(await readFile(join(folder, 'catalog.ts'), 'utf8')).toContain(
      "export const Order = schema<Order, 'order/v1'>",
    );
  });

  describe('without a catalog', () => {
    let running: EmbeddedServer;

    beforeAll(async () => {
      running = await embeddedServer(join(dir, 'data'));
    }, 60_000);

    afterAll(() => running.close());

    it('reads what is published on the server, which gives the same module', async () => {
      const server = ['--server', running.url];
      expect((await codegen(...server)).stdout).toContain(
        'export type Activities = { readonly [activity: string]: never };',
      );
      expect((await invoke(['publish', '--catalog', exampleCatalogPath, ...server])).code).toBe(EXIT.ok);
      expect(await codegen(...server)).toEqual({ code: EXIT.ok, stdout: text, stderr: '' });
    });
  });
});
