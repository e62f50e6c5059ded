/** Every rule of the language, broken: each source is refused with the code and the very range that its marks say. */
import { describe, expect, it } from '@jest/globals';
import { parseCatalog } from '../catalog/parse.js';
import { DIAGNOSTIC_CODES } from '../codes.js';
import { compileYaml } from '../compile.js';
import { expectationOf, verdict, type Case, type Compiler } from './case.js';
import { SHOP_CATALOG } from './catalog.js';
import { TOPICS } from './index.js';

const compiler: Compiler = {
  compile: (source) => compileYaml(source, { catalog: SHOP_CATALOG }),
  parseCatalog,
};

function expectVerdict({ marked, kind }: Case): void {
  const { source, faults } = expectationOf(marked);
  expect(verdict(compiler, kind, source)).toEqual(faults);
}

const named = (cases: readonly Case[]): [string, Case][] => cases.map((found) => [found.what, found]);

describe('a broken definition', () => {
  describe.each(TOPICS)('in $name', ({ broken }) => {
    it.each(named(broken))('with %s is refused at its place', (_what, found) => {
      expect(expectationOf(found.marked).faults).not.toEqual([]);
      expectVerdict(found);
    });
  });
});

describe('a sound definition', () => {
  describe.each(TOPICS.filter(({ sound }) => sound.length > 0))('in $name', ({ sound }) => {
    it.each(named(sound))('with %s is accepted', (_what, found) => {
      expect(expectationOf(found.marked).faults).toEqual([]);
      expectVerdict(found);
    });
  });
});

describe('the broken definitions', () => {
  const cases = TOPICS.flatMap(({ broken }) => broken);

  it('are many, and no two of a topic have the same name', () => {
    expect(cases.length).toBeGreaterThanOrEqual(250);
    for (const { broken } of TOPICS) expect(new Set(broken.map(({ what }) => what)).size).toBe(broken.length);
  });

  it('have each code among them', () => {
    const seen = new Set(cases.flatMap(({ marked }) => [...marked.matchAll(/GR\d{4}/g)].map(([code]) => code)));
    expect(Object.keys(DIAGNOSTIC_CODES).filter((code) => !seen.has(code))).toEqual([]);
  });
});
