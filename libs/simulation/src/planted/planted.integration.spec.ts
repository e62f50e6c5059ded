import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BUGS } from './bugs.js';
import type { PlantedBug } from './bugs.js';

/** No bug may need more. */
const SEEDS = 400;
const DEADLINE_MS = 240_000;
const ROOT = join(import.meta.dirname, '../../../..');
const LIBRARY = join(ROOT, 'libs/simulation');

describe('the simulation of an engine with a planted bug', () => {
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graphrun-planted-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Exit code and output of the simulation with one source changed as it is loaded. */
  async function simulateWith(bug: PlantedBug): Promise<{ readonly code: number | null; readonly said: string }> {
    const plant = join(folder, `${BUGS.indexOf(bug)}.json`);
    await writeFile(plant, JSON.stringify(bug));
    const args = [
      '--import',
      join(LIBRARY, 'source-loader.mjs'),
      join(LIBRARY, 'src/main.ts'),
      '--quick',
      '--seeds',
      `${SEEDS}`,
    ];
    const child = spawn(process.execPath, args, { env: { ...process.env, GRAPHRUN_PLANT: plant } });
    let said = '';
    child.stdout.on('data', (data: Buffer) => (said += data.toString()));
    child.stderr.on('data', (data: Buffer) => (said += data.toString()));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, said };
  }

  it.each(BUGS)(
    'finds that $name',
    async (bug) => {
      const { code, said } = await simulateWith(bug);
      expect(said).toMatch(/^seed \d+ fails after \d+ steps: \d+ /m);
      expect(code).toBe(1);
    },
    DEADLINE_MS,
  );
});
