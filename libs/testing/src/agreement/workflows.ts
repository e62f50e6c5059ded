/**
 * Generated workflows that are thick with what may go wrong: sagas in loops in branches, effects of every kind, retries,
 * error routes, waits. Written as documents and really compiled, from a tree of numbers in which zero is always simple.
 */
import fc from 'fast-check';
import { compileYaml, loadProgram, parseCatalog, renderDiagnostic, type Catalog, type Program } from '@graphrun/dsl';
import { CATALOG } from './catalog.js';
import { writeRegion, type Node, type RegionChoices, type StepChoices, type Surroundings } from './region.js';

const LEAVES = ['activity', 'activity', 'activity', 'delay', 'wait_until', 'wait_signal'] as const;
const CONTAINERS = ['saga', 'choose', 'while', 'do_while', 'repeat', 'foreach', 'parallel', 'saga'] as const;

export interface Workflow {
  readonly program: Program;
  /** Signals under this key are taken in one order only: all waits for it stand one after the other. */
  readonly sharedKey: string;
  toString(): string;
}

export function arbitraryWorkflow(depth = 3): fc.Arbitrary<Workflow> {
  return arbitraryRegion(depth).map((choices) => compiled(choices));
}

function arbitraryPicks(maxLength: number): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.nat({ max: 255 }), { maxLength, size: 'max' });
}

function arbitraryRegion(depth: number): fc.Arbitrary<RegionChoices> {
  const leaf = stepOf(fc.constantFrom(...LEAVES), fc.constant([]));
  const step =
    depth === 0
      ? leaf
      : fc.oneof(
          { weight: 3, arbitrary: leaf },
          {
            weight: 4,
            arbitrary: stepOf(fc.constantFrom(...CONTAINERS), fc.array(arbitraryRegion(depth - 1), { maxLength: 3 })),
          },
        );
  return fc.record({ steps: fc.array(step, { maxLength: 3, size: 'max' }), picks: arbitraryPicks(6) });
}

function stepOf(
  kind: fc.Arbitrary<StepChoices['kind']>,
  bodies: fc.Arbitrary<readonly RegionChoices[]>,
): fc.Arbitrary<StepChoices> {
  return fc.record({ kind, picks: arbitraryPicks(20), ways: arbitraryPicks(8), bodies });
}

const SHARED_KEY = 'shared';

function compiled(choices: RegionChoices): Workflow {
  const around: Surroundings = {
    insideSaga: false,
    loop: false,
    item: false,
    beside: 'nothing',
    sharedKey: SHARED_KEY,
    nextKey: counter(),
  };
  const { start, nodes } = writeRegion(choices, around);
  const document = {
    dsl: 'graphrun/v1',
    id: 'generated',
    version: 1,
    input_schema: 'value/v1',
    output_schema: 'value/v1',
    signals: { go: { schema: 'value/v1' } },
    // Signals are there before the first wait begins.
    start: 'before',
    nodes: { before: { kind: 'delay', duration: '1ms', next: start } satisfies Node, ...nodes },
  };
  const text = JSON.stringify(document, null, 1);
  const result = compileYaml(text, { catalog: catalog() });
  if (!result.ok) throw new Error(result.diagnostics.map((found) => renderDiagnostic(found, text)).join('\n'));
  return { program: loadProgram(result.artifact), sharedKey: SHARED_KEY, toString: () => text };
}

function counter(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `wait ${count}`;
  };
}

let parsed: Catalog | null = null;

function catalog(): Catalog {
  if (parsed !== null) return parsed;
  const result = parseCatalog(CATALOG);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  parsed = result.catalog;
  return parsed;
}

