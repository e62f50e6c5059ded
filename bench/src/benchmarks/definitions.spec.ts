import { describe, expect, it } from '@jest/globals';
import { compileYaml, nodesOf, parseCatalog } from '@graphrun/dsl';
import { CATALOG, DEFINITIONS, NODES } from './definitions.js';

const parsed = parseCatalog(CATALOG);

describe('a benchmark definition', () => {
  it.each(Object.entries(DEFINITIONS))('%s compiles, and has as many nodes as one may have', (_shape, source) => {
    if (!parsed.ok) throw new Error('The catalog of the benchmark is faulty');
    const result = compileYaml(source, { catalog: parsed.catalog });
    expect(result.ok ? [] : result.diagnostics).toEqual([]);
    expect(result.ok && [...nodesOf(result.artifact.definition)].length).toBe(NODES);
  });
});
