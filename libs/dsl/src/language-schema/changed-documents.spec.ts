/**
 * Whatever is changed in a document, schema and compiler go on to agree: the schema never refuses what the compiler
 * accepts, and it refuses what the compiler refuses for its syntax.
 */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { isArray, isObject } from '../canonical.js';
import type { Catalog } from '../catalog/catalog.js';
import { parseCatalog } from '../catalog/parse.js';
import { compileYaml } from '../compile.js';
import { expectationOf, type Case } from '../negative/case.js';
import { SHOP_CATALOG } from '../negative/catalog.js';
import { TOPICS } from '../negative/index.js';
import { definitionToDocument } from '../restore-document.js';
import { schemaFaults, SYNTAX_CODES } from '../testing/editor-schema.js';
import { arbitraryDefinition, arbitraryPicks, Picks, SHOP, spellDocument } from '../testing/generated/index.js';
import { ORDER_CATALOG } from '../testing/order-catalog.js';
import type { Json } from '../value.js';

interface Sample {
  readonly document: Json;
  readonly catalog: Catalog;
}

/** Sound definitions, written in the many ways that mean the same. */
const generated: fc.Arbitrary<Sample> = fc
  .tuple(arbitraryDefinition(), arbitraryPicks(200))
  .map(([{ definition }, picks]) => ({ document: spellDocument(definition, new Picks(picks)), catalog: SHOP }));

/** The sound cases of the compiler's own tests, each about one rule. */
function casesOf(kind: Case['kind']): readonly Json[] {
  return TOPICS.flatMap(({ sound }) => sound)
    .filter((found) => found.kind === kind)
    .map(({ marked }) => expectationOf(marked).source)
    .filter((source) => source.length < 10_000)
    .map((source) => parse(source) as Json);
}

const CASES: readonly Sample[] = casesOf('document').map((document) => ({ document, catalog: SHOP_CATALOG }));
const CATALOGS: readonly Json[] = [parse(ORDER_CATALOG) as Json, ...casesOf('catalog')];

describe('a generated document', () => {
  it('is accepted by the schema, as it is spelled and as its normal form is written', () => {
    fc.assert(
      fc.property(arbitraryDefinition(), arbitraryPicks(200), ({ definition }, picks) => {
        expect(schemaFaults('workflow', spellDocument(definition, new Picks(picks)))).toEqual([]);
        expect(schemaFaults('workflow', definitionToDocument(definition))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

// ------------------------------------------------------------------------------------------------------------ changes

/** One change somewhere in a document; the numbers choose among what is there. */
interface Change {
  readonly kind: 'remove' | 'replace' | 'add' | 'copy';
  readonly at: number;
  readonly other: number;
  readonly key: string;
  readonly value: Json;
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly value: Json;
}

function placesIn(value: Json, path: Place['path'] = []): readonly Place[] {
  const here = [{ path, value }];
  if (isArray(value)) return [...here, ...value.flatMap((item, index) => placesIn(item, [...path, index]))];
  if (!isObject(value)) return here;
  return [...here, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...path, key]))];
}

/** The value with what `change` makes of the place; undefined removes it. */
function withChange(value: Json, path: Place['path'], change: (old: Json) => Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (isArray(value)) {
    return value.flatMap((item, index) => {
      const changed = index === step ? withChange(item, rest, change) : item;
      return changed === undefined ? [] : [changed];
    });
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, member]): [string, Json][] => {
    const changed = key === step ? withChange(member, rest, change) : member;
    return changed === undefined ? [] : [[key, changed]];
  });
  return Object.fromEntries(members);
}

function apply(document: Json, { kind, at, other, key, value }: Change): Json {
  const places = placesIn(document);
  const place = places[at % places.length];
  const source = places[other % places.length];
  if (place === undefined || source === undefined) return document;
  const changed = withChange(document, place.path, (old) => {
    if (kind === 'remove') return undefined;
    if (kind === 'copy') return source.value;
    if (kind === 'replace') return value;
    if (isArray(old)) return [...old, value];
    return isObject(old) ? { ...old, [key]: value } : old;
  });
  return changed ?? null;
}

function keysIn(value: Json): readonly string[] {
  if (isArray(value)) return value.flatMap(keysIn);
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => [key, ...keysIn(member)]) : [];
}

const KEYS = [...new Set([...CASES.map(({ document }) => document), ...CATALOGS].flatMap(keysIn))];
const WORDS = ['', 'x', 'Done', 'any', 'activity', '30s', '5', 'order/v1', '/a', 'workflow.input', 'nodes.a.output'];
const SCALARS: readonly Json[] = [null, true, 0, 1, -1, 1.5, 17, 5_000, ...WORDS];
const MAPS: readonly Json[] = [
  [],
  {},
  { literal: 1 },
  { from: 'workflow.input' },
  { use: 'x' },
  { literal: 1, path: '/a' },
];

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('remove', 'replace', 'add', 'copy'),
  at: fc.nat(100_000),
  other: fc.nat(100_000),
  key: fc.oneof(fc.constantFrom(...KEYS), fc.constantFrom(...WORDS)),
  value: fc.constantFrom(...SCALARS, ...MAPS),
});

const changed = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...CASES) }, { weight: 1, arbitrary: generated }),
    fc.array(change, { minLength: 1, maxLength: 3 }),
  )
  .map(([sample, changes]) => {
    const document = changes.reduce(apply, sample.document);
    return { document, result: compileYaml(JSON.stringify(document), { catalog: sample.catalog }) };
  });

describe('a changed document', () => {
  it('is accepted by the schema if the compiler accepts it', () => {
    let accepted = 0;
    fc.assert(
      fc.property(changed, ({ document, result }) => {
        // A region that nothing uses is not looked into by the compiler.
        fc.pre(result.ok && !result.warnings.some(({ code }) => code === 'GR1206'));
        accepted += 1;
        expect(schemaFaults('workflow', document)).toEqual([]);
      }),
      { numRuns: 100, maxSkipsPerRun: 100 },
    );
    expect(accepted).toBeGreaterThanOrEqual(100);
  });

  it('is refused by the schema if the compiler refuses its syntax', () => {
    fc.assert(
      fc.property(changed, ({ document, result }) => {
        const diagnostics = result.ok ? [] : result.diagnostics;
        fc.pre(diagnostics.some(({ code, message }) => SYNTAX_CODES.has(code) && !needsMore(code, message)));
        expect(schemaFaults('workflow', document)).not.toEqual([]);
      }),
      { numRuns: 200, maxSkipsPerRun: 100 },
    );
  });
});

describe('a changed catalog', () => {
  const changes = fc.array(change, { minLength: 1, maxLength: 3 });
  const catalog = fc.tuple(fc.constantFrom(...CATALOGS), changes).map(([sound, many]) => many.reduce(apply, sound));

  it('is accepted by the schema if the parser accepts it', () => {
    fc.assert(
      fc.property(catalog, (document) => {
        fc.pre(parseCatalog(JSON.stringify(document)).ok);
        expect(schemaFaults('catalog', document)).toEqual([]);
      }),
      { numRuns: 100, maxSkipsPerRun: 100 },
    );
  });

  it('is refused by the schema if the parser refuses its syntax', () => {
    fc.assert(
      fc.property(catalog, (document) => {
        const result = parseCatalog(JSON.stringify(document));
        fc.pre(!result.ok && result.diagnostics.some(({ code }) => SYNTAX_CODES.has(code)));
        expect(schemaFaults('catalog', document)).not.toEqual([]);
      }),
      { numRuns: 200, maxSkipsPerRun: 100 },
    );
  });
});

/** Complaints that have the code of a syntax error, but follow from what stands elsewhere. */
function needsMore(code: string, message: string): boolean {
  return code === 'GR1109' || (code === 'GR1102' && message.endsWith('nothing else says it'));
}
