import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isReservedErrorCode, RESERVED_ERROR_CODES } from '@graphrun/dsl';
import { clampMessage, ENGINE_ERROR_CODES } from './failures.js';

const PAGE = readFileSync(path.join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');

/** The codes in the table under a heading, as written. */
function codesUnder(heading: string): string[] {
  const section = PAGE.split(/^## /m).find((each) => each.startsWith(heading));
  if (section === undefined) throw new Error(`docs/errors.md has no section "${heading}"`);
  return [...section.matchAll(/^\| `([^`]+)` +\|/gm)].map((row) => row[1] ?? '');
}

describe('docs/errors.md', () => {
  it('lists exactly the codes that the engine uses, in its order', () => {
    expect(codesUnder('Codes in use')).toEqual([...ENGINE_ERROR_CODES]);
  });

  it('lists every other reserved code as kept for later', () => {
    const used = new Set<string>(ENGINE_ERROR_CODES);
    expect(codesUnder('Codes kept').sort()).toEqual([...RESERVED_ERROR_CODES].filter((code) => !used.has(code)).sort());
  });

  it('has no code that a fail node could use', () => {
    expect(ENGINE_ERROR_CODES.filter((code) => !isReservedErrorCode(code))).toEqual([]);
  });
});

describe('an error message', () => {
  it('of 1 KiB is kept whole, a longer one is cut at a character', () => {
    const whole = 'x'.repeat(1024);
    expect(clampMessage(whole)).toBe(whole);
    expect(clampMessage(`${whole}y`)).toBe(`${'x'.repeat(1021)}…`);
    expect(clampMessage('😀'.repeat(300))).toBe(`${'😀'.repeat(255)}…`);
  });
});
