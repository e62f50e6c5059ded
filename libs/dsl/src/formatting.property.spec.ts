/** One definition, thousands of ways to write it: the digest says that all of them mean the same. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileYaml } from './compile.js';
import { printDocument } from './print.js';
import { definitionToDocument } from './restore-document.js';
import {
  arbitraryDefinition,
  arbitraryPicks,
  Picks,
  SHOP,
  spellDocument,
  styleYaml,
} from './testing/generated/index.js';

function artifactOf(source: string) {
  const result = compileYaml(source, { catalog: SHOP });
  if (result.ok) return result.artifact;
  const faults = result.diagnostics.map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`);
  throw new Error(`${faults.join('\n')}\n${source}`);
}

describe('the digest of a document', () => {
  it('is the same in every style of YAML', () => {
    fc.assert(
      fc.property(arbitraryDefinition({ maxNodes: 16 }), arbitraryPicks(200), ({ definition, artifact }, style) => {
        const source = styleYaml(definitionToDocument(definition), new Picks(style, 'again'));
        expect(artifactOf(source).digest).toBe(artifact.digest);
      }),
      { numRuns: 100 },
    );
  });

  it('is the same with defaults, schemas and regions written out or not, and whatever is noted beside', () => {
    fc.assert(
      fc.property(arbitraryDefinition({ maxNodes: 24 }), arbitraryPicks(200), ({ definition, artifact }, spelling) => {
        const source = printDocument(spellDocument(definition, new Picks(spelling, 'again')));
        expect(artifactOf(source).digest).toBe(artifact.digest);
      }),
      { numRuns: 100 },
    );
  });

  it('is the same for the document that is printed from the normal form', () => {
    fc.assert(
      fc.property(arbitraryDefinition(), ({ definition, artifact }) => {
        const printed = artifactOf(printDocument(definitionToDocument(definition)));
        expect(printed.definition).toEqual(definition);
        expect(printed.digest).toBe(artifact.digest);
        // JSON is YAML.
        expect(artifactOf(JSON.stringify(definitionToDocument(definition))).digest).toBe(artifact.digest);
      }),
      { numRuns: 100 },
    );
  });
});
