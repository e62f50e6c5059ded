/** Reads the ledger of physical calls that the example's handlers write, one JSON line for each. */
import { existsSync, readFileSync } from 'node:fs';
import type { LedgerLine } from '@graphrun/examples';

export function readLedger(file: string): readonly LedgerLine[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LedgerLine);
}

/** Physical calls by effect key. */
export function callsByKey(lines: readonly LedgerLine[]): ReadonlyMap<string, number> {
  const calls = new Map<string, number>();
  for (const { key } of lines) calls.set(key, (calls.get(key) ?? 0) + 1);
  return calls;
}
