/**
 * Generated workflows that are thick with what may go wrong: sagas in loops in branches, effects of every kind, retries,
 * error routes, waits. Written as documents and really compiled, from a tree of numbers in which zero is always simple.
 */
import fc from 'fast-check';
import {
  compileYaml,
  loadProgram,
  parseCatalog,
  renderDiagnostic,
  type Catalog,
  type JsonObject,
  type Program,
} from '@graphrun/dsl';
import { CATALOG, SIGNALS } from './catalog.js';
import { FAILS, writeRegion, type Node, type RegionChoices, type StepChoices, type Surroundings } from './region.js';

const LEAVES = ['activity', 'activity', 'activity', 'delay', 'wait_until', 'wait_signal'] as const;
const CONTAINERS = ['saga', 'choose', 'while', 'do_while', 'repeat', 'foreach', 'parallel', 'saga'] as const;

export interface Workflow {
  readonly program: Program;
  readonly document: JsonObject;
}

export function arbitraryWorkflow(depth = 3): fc.Arbitrary<Workflow> {
  return arbitraryRegion(depth).map(compiled);
}

/** A saga with effects, which mostly fails in the end: there is much to undo. */
export function arbitrarySaga(depth = 3): fc.Arbitrary<Workflow> {
  const effect = stepOf(fc.constant('activity'), fc.constant([]));
  const steps = fc
    .tuple(effect, arbitraryStep(depth - 1), fc.oneof(effect, arbitraryStep(depth - 1)))
    .map(([first, ...others]) => [first, ...others]);
  const body = fc
    .tuple(steps, fc.constantFrom(FAILS, FAILS, 0), arbitraryPicks(6))
    .map(([inside, end, picks]): RegionChoices => ({ steps: inside, picks: [end, ...picks] }));
  const around = fc.record({ kind: fc.constant('saga' as const), picks: arbitraryPicks(20), ways: arbitraryPicks(8) });
  return fc
    .tuple(around, body, arbitraryPicks(6))
    .map(([saga, inside, picks]) => compiled({ steps: [{ ...saga, bodies: [inside] }], picks }));
}

function arbitraryPicks(length: number): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.nat({ max: 255 }), { minLength: length, maxLength: length });
}

function arbitraryRegion(depth: number): fc.Arbitrary<RegionChoices> {
  const minLength = depth === 0 ? 0 : 1;
  const steps = fc.array(arbitraryStep(depth), { minLength, maxLength: 3, size: 'max' });
  return fc.record({ steps, picks: arbitraryPicks(6) });
}

function arbitraryStep(depth: number): fc.Arbitrary<StepChoices> {
  const leaf = stepOf(fc.constantFrom(...LEAVES), fc.constant([]));
  if (depth === 0) return leaf;
  const bodies = fc.array(arbitraryRegion(depth - 1), { minLength: 1, maxLength: 3, size: 'max' });
  const container = stepOf(fc.constantFrom(...CONTAINERS), bodies);
  return fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 4, arbitrary: container });
}

function stepOf(
  kind: fc.Arbitrary<StepChoices['kind']>,
  bodies: fc.Arbitrary<readonly RegionChoices[]>,
): fc.Arbitrary<StepChoices> {
  return fc.record({ kind, picks: arbitraryPicks(20), ways: arbitraryPicks(8), bodies });
}

/** Signals under this key are taken in one order only: all waits for it stand one after the other. */
export const SHARED_KEY = 'shared';

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
    run_timeout: '300d',
    signals: Object.fromEntries(SIGNALS.map((name) => [name, { schema: 'value/v1' }])),
    // Signals are there before the first wait begins.
    start: 'before',
    nodes: { before: { kind: 'delay', duration: '1ms', next: start } satisfies Node, ...nodes },
  };
  const text = JSON.stringify(document, null, 1);
  const result = compileYaml(text, { catalog: catalog() });
  if (!result.ok) throw new Error(result.diagnostics.map((found) => renderDiagnostic(found, text)).join('\n'));
  return { program: loadProgram(result.artifact), document: JSON.parse(text) as JsonObject };
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
