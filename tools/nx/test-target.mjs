import { dirname } from 'node:path';

/** Nx plugin: gives each package a `test` target that runs its own tests, so that `nx affected -t test` is the quick loop. */
export const name = 'graphrun-test-target';

const JEST = 'node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js';

export const createNodesV2 = [
  '{libs,apps}/*/package.json',
  (files) =>
    files.map((file) => {
      const folder = dirname(file);
      const test = {
        executor: 'nx:run-commands',
        options: { command: `${JEST} --passWithNoTests ${folder}/`, cwd: '{workspaceRoot}' },
      };
      return [file, { projects: { [folder]: { targets: { test } } } }];
    }),
];
export const createNodes = createNodesV2;
