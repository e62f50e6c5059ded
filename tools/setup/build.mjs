import { join } from 'node:path';
import { Problem } from './problem.mjs';
import { root, runQuietly } from './project.mjs';

/** Compiles what changed since the last build; quick when nothing did. */
export async function build() {
  const { code, output } = await runQuietly(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b']);
  if (code === 0) return;
  if (/ENOSPC|no space left/i.test(output)) {
    throw new Problem('The disk is full: free at least 1 GB (dependencies and build) and run the command again.');
  }
  throw new Problem(`${output.trim()}\nThe build failed: correct the errors above and run the command again.`);
}
