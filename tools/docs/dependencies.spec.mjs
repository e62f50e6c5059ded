import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../setup/project.mjs';

describe('docs/dependencies.md', () => {
  it('says of every package that a package.json names, and of no other, why it is here', () => {
    const named = manifests().flatMap(({ dependencies, devDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@graphrun/')),
    );
    expect(documented()).toEqual([...new Set(named)].sort());
  });
});

