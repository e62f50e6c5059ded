import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeDir, tempDir } from '@graphrun/testing';
import { embeddedServer } from './spec/embedded-server.js';
import type { EmbeddedServer } from './spec/embedded-server.js';
import { invoke } from './spec/invoke.js';
import { EXIT } from './index.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The command lines of the page with the exit codes they must have. */
function commandsOf(page: string): readonly { readonly line: string; readonly exit: number }[] {
  return [...page.matchAll(/^```sh(?: exit=(\d+))?\n(.*?)^```/gms)].flatMap((match) =>
    (match[2] ?? '')
      .trim()
      .split('\n')
      .map((line) => ({ line, exit: Number(match[1] ?? 0) })),
  );
}

/** The files of the page, by name: fences such as `yaml approval.yaml`. */
function filesOf(page: string): readonly { readonly name: string; readonly content: string }[] {
  return [...page.matchAll(/^```\w+ ([\w-]+\.\w+)\n(.*?)^```/gms)].map((match) => ({
    name: match[1] ?? '',
    content: match[2] ?? '',
  }));
}

/** Words of a command line, with double quotes. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

describe('docs/cli.md', () => {
  let dir: string;
  let running: EmbeddedServer;

  beforeAll(async () => {
    dir = await tempDir('cli-docs');
    running = await embeddedServer(join(dir, 'server'));
  }, 60_000);

  afterAll(async () => {
    await running.close();
    await removeDir(dir);
  });

  it('shows commands that work as they are written', async () => {
    const page = await readFile(join(ROOT, 'docs/cli.md'), 'utf8');
    let run: string | undefined;
    const commands = commandsOf(page);
    expect(commands.length).toBeGreaterThanOrEqual(20);
    const files = filesOf(page);
    for (const { name, content } of files) await writeFile(join(dir, name), content);
    const fileNamed = (word: string): string => (files.some(({ name }) => name === word) ? join(dir, word) : word);
    for (const { line, exit } of commands) {
      const [program, ...argv] = wordsOf(line).map((word) =>
        fileNamed(word)
          .replace(/^RUN$/, run ?? word)
          .replace(/^DATA$/, join(dir, 'data'))
          .replace(/^examples\//, `${ROOT}examples/`),
      );
      expect(program).toBe('graphrun');
      const { code, stdout, stderr } = await invoke(argv, { env: { GRAPHRUN_SERVER: running.url } });
      expect({ line, code, stderr: code === 0 ? '' : stderr }).toMatchObject({ line, code: exit });
      if (argv[0] === 'start') run = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stdout)?.[0];
    }
    expect(run).toBeDefined();
  }, 120_000);

  it('lists every exit code', async () => {
    const page = await readFile(join(ROOT, 'docs/cli.md'), 'utf8');
    const listed = [...page.matchAll(/^\| (\d+) +\|/gm)].map((match) => Number(match[1]));
    expect(listed).toEqual([...Object.values(EXIT), 130].toSorted((a, b) => a - b));
  });
});
