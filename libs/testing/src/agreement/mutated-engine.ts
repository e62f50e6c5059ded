/** Builds a domain that is wrong in one way: a copy of its sources with one change, loaded beside the real one. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Engine } from './engine.js';
import type { Mutant } from './mutants.js';

const SOURCES = path.join(import.meta.dirname, '../../../domain/src');

/** Only where TypeScript is transformed on import, that is in tests. */
export async function withMutant<T>(mutant: Mutant, use: (engine: Engine) => T): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'graphrun-mutant-'));
  try {
    const isSource = (from: string) => !/\.spec\.ts$|[/\\](golden|testing)$/.test(from);
    cpSync(SOURCES, folder, { recursive: true, filter: isSource });
    change(folder, mutant.what, mutant);
    if (mutant.also !== undefined) change(folder, mutant.what, mutant.also);
    return use((await import(path.join(folder, 'index.ts'))) as Engine);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function change(folder: string, what: string, mutation: Omit<Mutant, 'what'>): void {
  const { find, replace } = mutation;
  const file = path.join(folder, mutation.file);
  const source = readFileSync(file, 'utf8');
  const places = source.split(find).length - 1;
  if (places !== 1) {
    throw new Error(
      `the engine that ${what}: its change of ${mutation.file} has ${places} places, not one; adapt mutants.ts`,
    );
  }
  writeFileSync(
    file,
    source.replace(find, () => replace),
  );
}
