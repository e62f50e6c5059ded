import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { removeDir, tempDir } from './temp-dir.js';

describe('temporary directories', () => {
  it('are new and empty each time, and can be removed with what is in them, twice', async () => {
    const [first, second] = [await tempDir('sample'), await tempDir('sample')];
    expect(first).not.toBe(second);
    await writeFile(join(first, 'file'), 'x');
    await removeDir(first);
    await removeDir(first);
    expect(existsSync(first)).toBe(false);
    expect(existsSync(second)).toBe(true);
  });
});
