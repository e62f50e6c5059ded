/** What `docs/editor.md` and the settings of the repository tell editors is there. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { catalogFromEntries } from '../catalog/catalog.js';
import { compileYaml } from '../compile.js';
import { schemaFaultsOfText } from '../testing/editor-schema.js';
import { sectionsOf } from '../testing/markdown.js';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

const PAGE = read('docs/editor.md');
const BLOCKS = sectionsOf(PAGE).flatMap(({ blocks }) => blocks);
const textOf = (info: string): string => BLOCKS.find((block) => block.info === info)?.text ?? '';

interface Settings {
  readonly 'yaml.schemas': Readonly<Record<string, readonly string[]>>;
  readonly 'json.schemas': readonly { readonly fileMatch: readonly string[]; readonly url: string }[];
}

const SETTINGS = JSON.parse(read('.vscode/settings.json')) as Settings;
const schemasOf = (settings: Settings): readonly string[] => [
  ...Object.keys(settings['yaml.schemas']),
  ...settings['json.schemas'].map(({ url }) => url),
];
const patternsOf = (settings: Settings): readonly string[] => [
  ...Object.values(settings['yaml.schemas']).flat(),
  ...settings['json.schemas'].flatMap(({ fileMatch }) => fileMatch),
];

describe('docs/editor.md', () => {
  it('has an example that compiles and that its schema accepts', () => {
    const example = textOf('yaml workflow');
    const catalog = catalogFromEntries({ schemas: {}, contracts: [] });
    expect(compileYaml(example, { catalog })).toMatchObject({ ok: true, warnings: [] });
    expect(schemaFaultsOfText('workflow', example)).toEqual([]);
  });

  it('names schemas that exist', () => {
    const named = [...PAGE.matchAll(/[\w./-]+\.schema\.json/g)].map(([path]) =>
      path.replace(/^(\.\.?\/)*(schemas\/)?/, ''),
    );
    expect([...new Set(named)].toSorted()).toEqual([
      'graphrun-catalog.v1.schema.json',
      'graphrun-workflow.v1.schema.json',
    ]);
    for (const file of named)
      expect({ file, exists: existsSync(new URL(`schemas/${file}`, ROOT)) }).toEqual({ file, exists: true });
  });

  it('shows settings of the kind that the repository has', () => {
    const shown = JSON.parse(textOf('json settings')) as Settings;
    expect(schemasOf(SETTINGS)).toEqual(expect.arrayContaining([...schemasOf(shown)]));
    expect(patternsOf(SETTINGS)).toEqual(expect.arrayContaining([...patternsOf(shown)]));
  });
});

describe('the settings for VS Code', () => {
  it('name schemas that exist', () => {
    for (const url of schemasOf(SETTINGS)) {
      expect({ url, exists: existsSync(new URL(url, ROOT)) }).toEqual({ url, exists: true });
    }
  });

  it('cover the examples', () => {
    expect(patternsOf(SETTINGS)).toEqual(expect.arrayContaining(['examples/*.yaml', '/examples/catalog.json']));
  });
});
