/** Whatever a source holds, the compiler answers, soon, and with places that exist. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isObject } from './canonical.js';
import { parseCatalog } from './catalog/parse.js';
import { compileYaml } from './compile.js';
import type { Diagnostic } from './diagnostic.js';
import { printDocument } from './print.js';
import { definitionToDocument } from './restore-document.js';
import {
  arbitraryDefinition,
  arbitraryPicks,
  Picks,
  SHOP,
  SHOP_CATALOG,
  spellDocument,
  styleYaml,
  treeEdit,
} from './testing/generated/index.js';
import { PIECES_OF_YAML, plausibleDocument } from './testing/generated/nonsense.js';
import { unsoundDiagnostics } from './testing/sound-diagnostics.js';
import type { Json } from './value.js';

/** Processor time, since other work on the machine must not fail a test; what is refused within it is never a hang. */
const DEADLINE_MS = 10_000;

function judge(source: string, answer: (source: string) => readonly Diagnostic[]): void {
  const before = process.cpuUsage();
  const diagnostics = answer(source);
  const { user, system } = process.cpuUsage(before);
  expect(unsoundDiagnostics(diagnostics, source)).toEqual([]);
  expect((user + system) / 1_000).toBeLessThan(DEADLINE_MS);
}

function judgeDocument(source: string): void {
  judge(source, (text) => {
    const result = compileYaml(text, { catalog: SHOP });
    if (result.ok) return result.warnings;
    expect(result.diagnostics.length).toBeGreaterThan(0);
    return result.diagnostics;
  });
}

function judgeCatalog(source: string): void {
  judge(source, (text) => {
    const result = parseCatalog(text);
    if (result.ok) return [];
    expect(result.diagnostics.length).toBeGreaterThan(0);
    return result.diagnostics;
  });
}

const edits = (maxLength: number) =>
  fc.array(fc.record({ at: fc.nat(), length: fc.nat({ max: 12 }), piece: fc.constantFrom(...PIECES_OF_YAML) }), {
    minLength: 1,
    maxLength,
  });

type Edits = typeof edits extends (maxLength: number) => fc.Arbitrary<infer Found> ? Found : never;

function withEdits(source: string, made: Edits): string {
  return made.reduce((text, { at, length, piece }) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + piece + text.slice(from + length);
  }, source);
}

describe('the compiler answers to', () => {
  it('any bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 400 }).map((found) => new TextDecoder('latin1').decode(found));
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(fc.property(fc.oneof(bytes, text), judgeDocument), { numRuns: 300 });
  });

  it('soups of pieces that YAML, numbers and the language are sensitive to', () => {
    const soup = fc.array(fc.constantFrom(...PIECES_OF_YAML), { maxLength: 60 }).map((pieces) => pieces.join(''));
    fc.assert(fc.property(soup, judgeDocument), { numRuns: 300 });
  });

  it('good documents in any style with pieces of their text replaced', () => {
    fc.assert(
      fc.property(
        arbitraryDefinition({ maxNodes: 10 }),
        arbitraryPicks(60),
        edits(4),
        ({ definition }, style, made) => {
          const source = styleYaml(definitionToDocument(definition), new Picks(style, 'again'));
          judgeDocument(withEdits(source, made));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('good documents with parts removed, renamed, replaced and put into others', () => {
    const picks = arbitraryPicks(60);
    fc.assert(
      fc.property(arbitraryDefinition({ maxNodes: 10 }), picks, fc.nat({ max: 2 }), ({ definition }, numbers, more) => {
        const choices = new Picks(numbers, 'again');
        let document = treeEdit(spellDocument(definition, choices), choices);
        for (let edit = 0; edit < more; edit += 1) document = treeEdit(document, choices);
        judgeDocument(JSON.stringify(document));
        if (isObject(document)) judgeDocument(printDocument(document));
      }),
      { numRuns: 200 },
    );
  });

  it('any tree of the fields of the language', () => {
    fc.assert(
      fc.property(plausibleDocument(), arbitraryPicks(60), (document, style) => {
        judgeDocument(styleYaml(document, new Picks(style, 'again')));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the catalog reader answers to', () => {
  it('good catalogs with pieces of their text replaced', () => {
    fc.assert(
      fc.property(edits(3), (made) => {
        judgeCatalog(withEdits(SHOP_CATALOG, made));
      }),
      { numRuns: 80 },
    );
  });

  it('good catalogs with parts removed, renamed, replaced and put into others', () => {
    fc.assert(
      fc.property(arbitraryPicks(8), (numbers) => {
        judgeCatalog(JSON.stringify(treeEdit(JSON.parse(SHOP_CATALOG) as Json, new Picks(numbers))));
      }),
      { numRuns: 80 },
    );
  });

  it('any JSON as a schema', () => {
    const keyword = fc.constantFrom(
      ...['type', 'properties', 'items', 'anyOf', 'allOf', 'oneOf', '$ref', '$defs', 'enum', 'const', 'format'],
      ...['required', 'not', 'additionalProperties', 'prefixItems', '$id', 'minimum', 'dependencies', 'if', 'then'],
      ...['unevaluatedProperties', 'discriminator', 'nullable', '$async', '$dynamicRef', '$anchor', 'pattern'],
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('object', 'string', '#/$defs/a', '#', '#/properties', ['a'], { a: { $ref: '#/$defs/a' } }),
      fc.dictionary(keyword, fc.jsonValue({ maxDepth: 2 })),
    );
    fc.assert(
      fc.property(fc.dictionary(keyword, value), (schema) => {
        judgeCatalog(JSON.stringify({ format: 'graphrun.catalog/v1', schemas: { 'x/v1': schema } }));
      }),
      { numRuns: 150 },
    );
  });
});
