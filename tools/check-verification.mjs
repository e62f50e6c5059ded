/* `node tools/check-verification.mjs result.json`: docs/verification.md against the result of an earlier `jest --json`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, runTool } from './setup/problem.mjs';
import { root } from './setup/project.mjs';
import { checkVerification } from './setup/verification.mjs';

await runTool(() => {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new Problem('Name the file that "npm run jest -- --json --outputFile <file>" wrote.');
  const result = JSON.parse(readFileSync(file, 'utf8'));
  const problems = checkVerification(readFileSync(join(root, 'docs/verification.md'), 'utf8'), result);
  for (const problem of problems) console.error(`docs/verification.md: ${problem}`);
  return problems.length === 0 ? 0 : 1;
});
