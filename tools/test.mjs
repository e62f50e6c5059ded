/*
 * `npm test`: installs what the tests need, then checks and tests everything. `npm test -- --unit` is the quick loop;
 * other arguments go to Jest, e.g. `npm test -- libs/dsl`.
 */
import { runTool } from './setup/problem.mjs';
import { checkRequirements } from './setup/requirements.mjs';

await runTool(async () => {
  checkRequirements();
  const { testEverything, testUnits } = await import('./setup/test-run.mjs');
  const given = process.argv.slice(2);
  const jestArgs = given.filter((argument) => argument !== '--unit');
  return given.includes('--unit') ? testUnits(jestArgs) : testEverything(jestArgs);
});
