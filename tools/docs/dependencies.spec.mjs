import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../setup/project.mjs';

describe('docs/dependencies.md', () => {
  it('says of every package that a package.json names, and of no other, why it is here', () => {
    const external = manifests()
      .flatMap(({ dependencies, devDependencies }) => Object.keys({ ...dependencies, ...devDependencies }))
      .filter((name) => !name.startsWith('@graphrun/'));
    expect(explained()).toEqual([...new Set(external)].sort());
  });
});

/** Of the root and of every workspace, such as `libs/*` or `examples`. */
function manifests() {
  const main = readManifest('.');
  const folders = main.workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(join(root, parent)).map((name) => join(parent, name));
  });
  const packages = folders.filter((folder) => existsSync(join(root, folder, 'package.json')));
  return [main, ...packages.map(readManifest)];
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

function explained() {
  const text = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
  return [...text.matchAll(/^\| `([^`]+)` +\| \S.*\|$/gm)].map(([, name]) => name).sort();
}
