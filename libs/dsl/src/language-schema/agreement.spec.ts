/**
 * The schema and the compiler judge the same documents: what the compiler accepts, the schema accepts, and what the
 * compiler refuses for its syntax, the schema refuses.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Catalog } from '../catalog/catalog.js';
import { parseCatalog } from '../catalog/parse.js';
import { compileYaml } from '../compile.js';
import { expectationOf, type Case } from '../negative/case.js';
import { TOPICS } from '../negative/index.js';
import { definitionToDocument } from '../restore-document.js';
import { schemaFaults, schemaFaultsOfText, SYNTAX_CODES } from '../testing/editor-schema.js';
import { sectionsOf } from '../testing/markdown.js';
import { artifactOf, catalogOf } from '../testing/order-catalog.js';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

interface Document {
  readonly name: string;
  readonly source: string;
  readonly catalog: Catalog;
}

const COMPATIBILITY = 'libs/dsl/src/testing/compatibility/';
const LANGUAGE = sectionsOf(read('docs/language.md')).flatMap(({ blocks }) => blocks);
const blocksWith = (info: string): readonly string[] =>
  LANGUAGE.filter((block) => block.info === info).map(({ text }) => text);

const CATALOGS: [string, string][] = [
  ['docs/language.md', blocksWith('json catalog')[0] ?? ''],
  ['examples/catalog.json', read('examples/catalog.json')],
  [`${COMPATIBILITY}catalog.json`, read(`${COMPATIBILITY}catalog.json`)],
];

function filesOf(folder: string, isDocument: (name: string) => boolean): readonly Document[] {
  const catalog = catalogOf(read(`${folder}catalog.json`));
  return readdirSync(new URL(folder, ROOT))
    .filter(isDocument)
    .map((name) => ({ name: folder + name, source: read(folder + name), catalog }));
}

const DOCUMENTS: readonly Document[] = [
  ...blocksWith('yaml workflow').map((source, index) => {
    const catalog = catalogOf(blocksWith('json catalog')[0] ?? '');
    return { name: `docs/language.md, example ${index + 1}`, source, catalog };
  }),
  ...filesOf('examples/', (name) => name.endsWith('.yaml')),
  ...filesOf(COMPATIBILITY, (name) => !['catalog.json', 'digests.json'].includes(name)),
];

const schemaOf = ({ kind }: Case): 'workflow' | 'catalog' => (kind === 'catalog' ? 'catalog' : 'workflow');
const nameOf = (topic: string, { what }: Case): string => `${topic}: ${what}`;

/** Cases of the compiler's own tests, with the codes that it refuses them with. */
const CASES = TOPICS.flatMap(({ name, sound, broken }) =>
  [...sound, ...broken].map((found) => {
    const { source, faults } = expectationOf(found.marked);
    return { found, name: nameOf(name, found), source, codes: faults.map((fault) => fault.split(' ')[1] ?? '') };
  }),
);
const SOUND = CASES.filter(({ codes }) => codes.length === 0);

describe('the schema of workflows', () => {
  it('finds enough to judge', () => {
    expect(DOCUMENTS.length).toBeGreaterThan(40);
    expect(SOUND.length).toBeGreaterThan(100);
  });

  it.each(DOCUMENTS.map((document): [string, Document] => [document.name, document]))(
    'accepts what the compiler accepts: %s',
    (_name, { source, catalog }) => {
      expect(compileYaml(source, { catalog })).toMatchObject({ ok: true });
      expect(schemaFaultsOfText('workflow', source)).toEqual([]);
    },
  );

  it('accepts the documents as which their normal forms are written', () => {
    for (const { name, source, catalog } of DOCUMENTS) {
      const document = definitionToDocument(artifactOf(source, catalog).definition);
      expect({ name, faults: schemaFaults('workflow', document) }).toEqual({ name, faults: [] });
    }
  });

  it('accepts the sound cases of every part of the language', () => {
    const refused = SOUND.map(({ found, name, source }) => ({
      name,
      faults: schemaFaultsOfText(schemaOf(found), source),
    }));
    expect(refused.filter(({ faults }) => faults.length > 0)).toEqual([]);
  });

  it('refuses the cases that are wrong in their syntax', () => {
    const wrong = CASES.filter(({ codes }) => codes.some((code) => SYNTAX_CODES.has(code)));
    expect(wrong.length).toBeGreaterThan(200);
    const accepted = wrong.filter(({ found, source }) => schemaFaultsOfText(schemaOf(found), source).length === 0);
    // All of these need more than a look at the place itself.
    expect(accepted.map(({ found }) => found.what)).toEqual([
      'a duration that cannot be kept',
      'schemas that no body says',
      'an output schema that no body says',
      'a literal that is no duration',
      'a region without schemas where nothing fixes them',
    ]);
  });
});

describe('the schema of catalogs', () => {
  it.each(CATALOGS)('accepts what the parser accepts: %s', (_name, text) => {
    expect(parseCatalog(text)).toMatchObject({ ok: true });
    expect(schemaFaultsOfText('catalog', text)).toEqual([]);
  });
});
