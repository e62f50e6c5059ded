import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { invoke } from './spec/invoke.js';
import { EXIT } from './index.js';

const kept = (kind: string): Promise<string> =>
  readFile(new URL(`../../../schemas/graphrun-${kind}.v1.schema.json`, import.meta.url), 'utf8');

describe('graphrun schema', () => {
  it.each(['workflow', 'catalog'])('prints the schema of a %s', async (kind) => {
    expect(await invoke(['schema', kind])).toEqual({ code: EXIT.ok, stdout: await kept(kind), stderr: '' });
  });

  it('prints that of a workflow when it is not told which', async () => {
    expect((await invoke(['schema'])).stdout).toBe(await kept('workflow'));
  });

  it('prints one JSON document', async () => {
    const { code, stdout } = await invoke(['schema', 'catalog', '--json']);
    expect(code).toBe(EXIT.ok);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(await kept('catalog')));
  });

  it('knows no other', async () => {
    expect(await invoke(['schema', 'run'])).toEqual({
      code: EXIT.invalid,
      stdout: '',
      stderr: 'error: There is no schema of a run; write workflow or catalog.\n',
    });
  });
});
