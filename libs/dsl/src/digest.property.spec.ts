/** Whatever means something is in the digest: no two definitions that differ have the same one. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildArtifact } from './artifact.js';
import { checkArtifact } from './check-artifact.js';
import { compileYaml } from './compile.js';
import { definitionToDocument } from './restore-document.js';
import {
  arbitraryDefinition,
  arbitraryPicks,
  editsOf,
  leafEdit,
  Picks,
  SHOP,
  SHOP_CATALOG,
} from './testing/generated/index.js';
import { catalogOf } from './testing/order-catalog.js';
import type { Json } from './value.js';

function compileJson(document: Json, catalog = SHOP) {
  return compileYaml(JSON.stringify(document), { catalog });
}

describe('the digest', () => {
  it('changes with each name, limit, literal, duration and operator', () => {
    fc.assert(
      fc.property(arbitraryDefinition({ maxNodes: 20 }), fc.nat(), ({ definition, artifact }, pick) => {
        const edits = editsOf(definition);
        const edit = edits[pick % edits.length];
        if (edit === undefined) return;
        const result = compileJson(definitionToDocument(edit.edited));
        if (!result.ok) throw new Error(`${edit.what}: ${result.diagnostics[0]?.message}`);
        expect(result.artifact.definition).toEqual(edit.edited);
        expect(result.artifact.digest).not.toBe(artifact.digest);
        expect(checkArtifact(buildArtifact(edit.edited, SHOP))).toEqual(result.artifact);
      }),
      { numRuns: 200 },
    );
  });

  it('changes with any scalar and any order of a list that still compiles', () => {
    let compiled = 0;
    fc.assert(
      fc.property(arbitraryDefinition({ maxNodes: 12 }), arbitraryPicks(4), ({ definition, artifact }, picks) => {
        const edited = leafEdit(definitionToDocument(definition), new Picks(picks));
        const result = edited === null ? null : compileJson(edited);
        if (result?.ok !== true) return;
        compiled += 1;
        expect(result.artifact.digest).not.toBe(artifact.digest);
      }),
      { numRuns: 300 },
    );
    // What never compiles would prove nothing.
    expect(compiled).toBeGreaterThan(30);
  });

  it('changes with the contracts and schemas that are used, and with no others', () => {
    const changes = Object.entries(changedCatalogs());
    fc.assert(
      fc.property(
        arbitraryDefinition({ maxNodes: 12 }),
        fc.constantFrom(...changes),
        ({ definition, artifact }, change) => {
          const [changed, catalog] = change;
          const result = compileJson(definitionToDocument(definition), catalog);
          const digest = result.ok ? result.artifact.digest : null;
          const used = Object.hasOwn(artifact.contracts, changed) || Object.hasOwn(artifact.schemas, changed);
          expect(digest === artifact.digest).toBe(!used);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is that of the same compilation, however often it is done', () => {
    fc.assert(
      fc.property(arbitraryDefinition(), (generated) => {
        const first = compileYaml(String(generated), { catalog: SHOP });
        expect(compileYaml(String(generated), { catalog: catalogOf(SHOP_CATALOG) })).toEqual(first);
      }),
      { numRuns: 50 },
    );
  });
});

/** The catalog with one schema or contract changed, by its name and version. */
function changedCatalogs(): Readonly<Record<string, ReturnType<typeof catalogOf>>> {
  const catalog = JSON.parse(SHOP_CATALOG) as { schemas: Record<string, object>; activities: Entry[] };
  const schemas = Object.entries(catalog.schemas).map(([name, schema]) => {
    const changed = { ...catalog, schemas: { ...catalog.schemas, [name]: { ...schema, title: 'changed' } } };
    return [name, catalogOf(JSON.stringify(changed))] as const;
  });
  const contracts = catalog.activities.map((entry) => {
    const others = catalog.activities.filter((other) => other !== entry);
    const codes = [...entry.error_codes, { code: 'new', retryable: false }];
    const changed = { ...catalog, activities: [...others, { ...entry, error_codes: codes }] };
    return [`${entry.name}/v${entry.version}`, catalogOf(JSON.stringify(changed))] as const;
  });
  return Object.fromEntries([...schemas, ...contracts]);
}

interface Entry {
  readonly name: string;
  readonly version: number;
  readonly error_codes: readonly object[];
}
