import { describe, expect, it } from '@jest/globals';
import { compileYaml } from './compile.js';
import { renderDiagnostic } from './diagnostic.js';
import { HOSTILE_SOURCES } from './testing/hostile-sources.js';
import { CATALOG } from './testing/order-catalog.js';
import { unsoundDiagnostics } from './testing/sound-diagnostics.js';

/** Processor time: other work on the machine must not fail a test. Soon is well under a second; this is "not a hang". */
const DEADLINE_MS = 10_000;

describe('the compiler answers soon to 256 KiB of', () => {
  it.each(Object.entries(HOSTILE_SOURCES))('%s', (_what, { source, codes }) => {
    const before = process.cpuUsage();
    const result = compileYaml(source, { catalog: CATALOG });
    const { user, system } = process.cpuUsage(before);
    const diagnostics = result.ok ? [] : result.diagnostics;
    expect([...new Set(diagnostics.map(({ code }) => code))]).toEqual(codes);
    expect(unsoundDiagnostics(diagnostics, source)).toEqual([]);
    for (const found of diagnostics.slice(0, 3)) expect(renderDiagnostic(found, source).length).toBeLessThan(1_000);
    expect((user + system) / 1_000).toBeLessThan(DEADLINE_MS);
  });
});
