/** The door for artifacts lets through what the compiler makes, and nothing else, however small the difference. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { artifactDigest } from './artifact.js';
import { canonicalize, isObject } from './canonical.js';
import { parseCatalog } from './catalog/parse.js';
import { checkArtifact } from './check-artifact.js';
import { compileYaml } from './compile.js';
import type { Artifact } from './ir.js';
import { printDocument } from './print.js';
import { restoreDocument } from './restore-document.js';
import { arbitraryDefinition, arbitraryPicks, Picks, treeEdit } from './testing/generated/index.js';
import type { Json, JsonObject } from './value.js';

describe('an artifact', () => {
  it('is accepted as the compiler made it', () => {
    fc.assert(
      fc.property(arbitraryDefinition(), ({ artifact }) => {
        expect(checkArtifact(JSON.parse(JSON.stringify(artifact)))).toEqual(artifact);
      }),
      { numRuns: 100 },
    );
  });

  it('is refused after any change, even with the right digest, unless it is what the compiler makes of another document', () => {
    let accepted = 0;
    fc.assert(
      fc.property(arbitraryDefinition({ maxNodes: 10 }), arbitraryPicks(6), ({ artifact }, picks) => {
        const { digest, ...body } = artifact;
        const edited = treeEdit(body as unknown as Json, new Picks(picks));
        if (!isObject(edited) || canonicalize(edited) === canonicalize(body as unknown as Json)) return;
        expect('message' in checkArtifact({ ...edited, digest })).toBe(true);

        const digested = { ...edited, digest: artifactDigest(edited as unknown as Artifact) };
        const judged = checkArtifact(digested);
        const made = madeOf(edited);
        if (made === null || canonicalize(made as unknown as Json) !== canonicalize(digested)) {
          expect('message' in judged).toBe(true);
        } else {
          expect(judged).toEqual(made);
          accepted += 1;
        }
      }),
      { numRuns: 400 },
    );
    // Some changes make another sound definition; if none did, the other branch would prove little.
    expect(accepted).toBeGreaterThan(3);
  });
});

/** What the compiler makes of the definition, printed as YAML, with the contracts and schemas beside it as a catalog. */
function madeOf({ definition, contracts, schemas }: JsonObject): Artifact | null {
  if (!isObject(definition) || !isObject(contracts) || !isObject(schemas)) return null;
  const activities = Object.values(contracts).map((contract) => {
    if (!isObject(contract)) return contract;
    const { inputSchema, outputSchema, errorCodes, ...rest } = contract;
    return { ...rest, input_schema: inputSchema, output_schema: outputSchema, error_codes: errorCodes };
  });
  const reconcilers = Object.values(contracts).flatMap((contract) => {
    const { reconciler, name, version } = isObject(contract) ? contract : {};
    return isObject(reconciler) ? [{ ...reconciler, forward_activity: { name, version } }] : [];
  });
  const catalog = parseCatalog(JSON.stringify({ format: 'graphrun.catalog/v1', schemas, activities, reconcilers }));
  if (!catalog.ok) return null;
  const result = compileYaml(printDocument(restoreDocument(definition)), { catalog: catalog.catalog });
  return result.ok ? result.artifact : null;
}
