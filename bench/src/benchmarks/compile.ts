/** B8, first half: how long the compiler takes for the largest definitions there may be. */
import { createRequire } from 'node:module';
import { canonicalize, compileYaml, nodesOf, parseCatalog } from '@graphrun/dsl';
import type { Catalog, CompileResult, Json } from '@graphrun/dsl';
import { measureCpu } from '../cpu/breakdown.js';
import type { CpuBreakdown } from '../cpu/breakdown.js';
import { rateOf, timed } from '../load.js';
import type { Rate } from '../load.js';
import { median } from '../statistics.js';
import { CATALOG, DEFINITIONS, NODES } from './definitions.js';

/** The very package that the compiler reads YAML with: what it takes alone is the floor. */
const yaml = createRequire(import.meta.resolve('@graphrun/dsl'))('yaml') as { parse(text: string): unknown };

export interface CompileRound {
  readonly rate: Rate;
  readonly cpu: CpuBreakdown;
  /** Medians of the floors, ms: the text read into plain values, and the normal form read from JSON. */
  readonly yamlMs: number;
  readonly jsonMs: number;
}

export interface Shape {
  readonly name: string;
  readonly bytes: number;
  round(count: number): CompileRound;
}

/** The shapes, each compiled often enough for the code to be warm. */
export function compileShapes(warmUp: number): readonly Shape[] {
  const parsed = parseCatalog(CATALOG);
  if (!parsed.ok) throw new Error('The catalog of the benchmark is faulty');
  return Object.entries(DEFINITIONS).map(([name, source]): Shape => {
    const { digest, json } = verified(name, source, parsed.catalog);
    const compile = (): void => {
      const result = compileYaml(source, { catalog: parsed.catalog });
      if (!result.ok || result.artifact.digest !== digest) throw new Error(`The definition ${name} changed its digest`);
    };
    const floors = { yaml: () => yaml.parse(source), json: () => JSON.parse(json) as Json };
    for (let index = 0; index < warmUp; index += 1) {
      compile();
      floors.yaml();
      floors.json();
    }
    return { name, bytes: source.length, round: (count) => round(count, compile, floors) };
  });
}

function verified(name: string, source: string, catalog: Catalog): { readonly digest: string; readonly json: string } {
  const result: CompileResult = compileYaml(source, { catalog });
  if (!result.ok) throw new Error(`The definition ${name} is refused: ${result.diagnostics[0]?.message}`);
  const { definition, digest } = result.artifact;
  const nodes = [...nodesOf(definition)].length;
  if (nodes !== NODES) throw new Error(`The definition ${name} has ${nodes} nodes, not ${NODES}`);
  // Plain data; interfaces lack the index signature that `Json` asks for.
  return { digest, json: canonicalize(definition as unknown as Json) };
}

/** Compilations, and right after them the floors. */
function round(
  count: number,
  compile: () => void,
  floors: { readonly yaml: () => unknown; readonly json: () => unknown },
): CompileRound {
  const end = measureCpu([{ name: 'compiler', pid: process.pid }]);
  const latenciesMs = timed(count, compile);
  const cpu = end();
  const seconds = latenciesMs.reduce((sum, ms) => sum + ms, 0) / 1_000;
  return {
    rate: rateOf({ seconds, latenciesMs }),
    cpu,
    yamlMs: median(timed(count, floors.yaml)),
    jsonMs: median(timed(count, floors.json)),
  };
}
