import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { closingLine } from './closing-line.mjs';
import { installDependencies } from './install.mjs';
import { root, run } from './project.mjs';
import { installServers } from './servers.mjs';
import { checkVerification } from './verification.mjs';

const node = process.execPath;
const bin = (path) => join(root, 'node_modules', path);

/** Unit tests only: no servers, no build, no lint. */
export async function testUnits(jestArgs) {
  await installDependencies();
  const { code, result } = await jest(['--selectProjects', 'unit', ...jestArgs]);
  console.log(closingLine(result));
  return code;
}

/** Every check that decides whether a change may be merged. All of them run, also when an early one fails. */
export async function testEverything(jestArgs) {
  await installDependencies();
  heading('Build');
  await build();
  await installServers(await import(new URL('../../libs/testing/dist/services/binaries.js', import.meta.url)));

  const failed = [];
  for (const [name, args] of CHECKS) {
    heading(name);
    if ((await run(node, args)) !== 0) failed.push(name.toLowerCase());
  }

  heading('Tests');
  const { code, result } = await jest(jestArgs);
  if (code !== 0) failed.push('tests');
  // A selection of tests says nothing about the promises that the others keep.
  if (jestArgs.length === 0 && result) {
    const problems = checkVerification(readFileSync(join(root, 'docs/verification.md'), 'utf8'), result);
    for (const problem of problems) console.error(`docs/verification.md: ${problem}`);
    if (problems.length > 0) failed.push('verification');
  }
  if (failed.length > 0) console.log(`\nNot good: ${failed.join(', ')}; see above.`);
  console.log(closingLine(result));
  return failed.length === 0 ? 0 : 1;
}

const CHECKS = [
  ['Types of the tests', [bin('typescript/bin/tsc'), '-p', 'tsconfig.check.json']],
  [
    'Lint',
    [
      bin('eslint/bin/eslint.js'),
      '.',
      '--max-warnings',
      '0',
      '--cache',
      '--cache-location',
      'node_modules/.cache/eslint/',
    ],
  ],
  ['Format', [bin('prettier/bin/prettier.cjs'), '--check', '.', '--log-level', 'warn', '--cache']],
];

async function jest(args) {
  const dir = mkdtempSync(join(tmpdir(), 'graphrun-results-'));
  try {
    const file = join(dir, 'result.json');
    const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
    const code = await run(node, [...flags, bin('jest/bin/jest.js'), '--json', '--outputFile', file, ...args]);
    return { code, result: readResult(file) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Undefined when Jest ended before it could write: a wrong option, a crash. */
function readResult(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function heading(name) {
  console.log(`\n== ${name}`);
}
