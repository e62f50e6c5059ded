/** `npm run bench`: see docs/performance.md. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseOptions, USAGE } from './options.js';
import type { BenchOptions } from './options.js';
import { runBenchmarks } from './run.js';

let options: BenchOptions;
try {
  options = parseOptions(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exit(2);
}
const profileDir = options.profileDir === null ? null : resolve(options.profileDir);
if (profileDir !== null) mkdirSync(profileDir, { recursive: true });
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));
await runBenchmarks({ ...options, profileDir });
