/*
 * `npm run agreement -- --runs 100000 --seed 7`: the engine against the oracle on other workflows than the tests have, and
 * `--path` as a failure says it for that one again.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values } = parseArgs({ options: { runs: text, seed: text, path: text } });
for (const [option, given] of Object.entries({ runs: values.runs, seed: values.seed })) {
  if (given === undefined || /^[1-9]\d{0,8}$/.test(given)) continue;
  console.error(`--${option} takes a whole number above 0, not ${JSON.stringify(given)}`);
  process.exit(2);
}
const jest = ['node_modules/jest/bin/jest.js', 'libs/testing/src/agreement/agreement.property.spec.ts'];
const { status } = spawnSync(
  process.execPath,
  ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...jest, '--selectProjects', 'unit'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ORACLE_RUNS: values.runs ?? '10000',
      ORACLE_SEED: values.seed ?? String(Date.now() % 1_000_000_000),
      ORACLE_SHOW: '1',
      ...(values.path === undefined ? {} : { ORACLE_PATH: values.path }),
    },
  },
);
process.exitCode = status ?? 1;
