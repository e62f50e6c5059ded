import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileYaml } from '../../compile.js';
import { arbitraryDefinition } from './definition.js';
import { SHOP } from './catalog.js';

describe('a generated definition', () => {
  it('compiles to itself, without a warning', () => {
    fc.assert(
      fc.property(arbitraryDefinition(), (generated) => {
        const result = compileYaml(String(generated), { catalog: SHOP });
        if (!result.ok)
          throw new Error(result.diagnostics.map((d) => `${d.line}:${d.column} ${d.code} ${d.message}`).join('\n'));
        expect(result.artifact).toEqual(generated.artifact);
        expect(result.warnings).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
