import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../setup/project.mjs';

describe('links in the documentation', () => {
  it('lead to files that exist', () => {
    const documents = [...markdownIn(root), ...markdownIn(join(root, 'docs')), ...markdownIn(join(root, 'docs/adr'))];
    expect(documents.map((file) => relative(root, file))).toContain('README.md');
    expect(documents.flatMap(brokenLinks)).toEqual([]);
  });
});

function markdownIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

function brokenLinks(file) {
  const targets = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  return targets
    .filter((target) => !/^(https?:|#)/.test(target))
    .filter((target) => !existsSync(join(dirname(file), target.replace(/#.*$/, ''))))
    .map((target) => `${relative(root, file)}: ${target}`);
}
