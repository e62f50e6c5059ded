import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LANGUAGE_SCHEMAS, languageSchemaText, type LanguageSchemaKind } from './index.js';

const KINDS = Object.keys(LANGUAGE_SCHEMAS) as readonly LanguageSchemaKind[];

describe('schemas/', () => {
  it.each(KINDS)('has the schema of a %s as the tables of the compiler say it', (kind) => {
    const { file } = LANGUAGE_SCHEMAS[kind];
    const kept = readFileSync(new URL(`../../../../schemas/${file}`, import.meta.url), 'utf8');
    if (kept !== languageSchemaText(kind)) throw new Error(`schemas/${file} is old: run "npm run schemas"`);
    expect(kept.endsWith('}\n')).toBe(true);
  });
});
