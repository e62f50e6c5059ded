/** Generated definitions: sound whatever the choices are, and sure to end when they are executed. */
import fc from 'fast-check';
import { buildArtifact } from '../../artifact.js';
import type { Artifact, Definition, SchemaRef } from '../../ir.js';
import { printDocument } from '../../print.js';
import { definitionToDocument } from '../../restore-document.js';
import type { Json } from '../../value.js';
import { literalOf } from './bindings.js';
import { SCHEMAS, SHOP, SIGNALS, SIGNAL_SCHEMAS } from './catalog.js';
import {
  CONTAINER_KINDS,
  Draft,
  LEAF_KINDS,
  type DraftLimits,
  type Frame,
  type RegionChoices,
  type StepChoices,
} from './draft.js';
import { arbitraryPicks, Picks } from './picks.js';
import { placesIn } from './places.js';
import { regionOf } from './region.js';

export interface GeneratedOptions extends Partial<DraftLimits> {
  /** Steps of a region beside its ending; 4 by default. */
  readonly maxSteps?: number;
}

/** A definition over the catalog `SHOP`, with an input that a run of it may have. */
export interface Generated {
  readonly definition: Definition;
  readonly artifact: Artifact;
  readonly input: Json;
  /** The document of the definition as people would write it; also what a failed property shows. */
  toString(): string;
}

/**
 * Sound definitions: `compileYaml(String(generated), { catalog: SHOP })` gives `generated.artifact`.
 *
 * A run of one ends if its activities and signals do, whatever they answer: loops are bounded, items are few, and
 * `continue_as_new` stands behind the activity `counter.page`, which ends the chain (`performOf`). No two waits that may
 * be under way at once have the same address; `waitsOf` lists them all.
 */
export function arbitraryDefinition(options: GeneratedOptions = {}): fc.Arbitrary<Generated> {
  const { maxSteps = 4, maxNodes = 40, maxDepth = 5, maxRepeats = 24 } = options;
  const limits = { maxNodes: Math.max(8, maxNodes), maxDepth, maxRepeats };
  return fc
    .record({ root: arbitraryRegion(maxDepth - 1, maxSteps), header: arbitraryPicks(24) })
    .map(({ root, header }) => generate(root, new Picks(header), limits));
}

function arbitraryRegion(depth: number, maxSteps: number): fc.Arbitrary<RegionChoices> {
  const leaf: fc.Arbitrary<StepChoices> = fc.record({
    kind: fc.constantFrom('activity', 'activity', ...LEAF_KINDS),
    picks: arbitraryPicks(32),
    ways: arbitraryPicks(20),
    bodies: fc.constant([]),
  });
  const step = depth === 0 ? leaf : fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 4, arbitrary: container() });
  return fc.record({ steps: fc.array(step, { maxLength: maxSteps }), picks: arbitraryPicks(16) });

  function container(): fc.Arbitrary<StepChoices> {
    return fc.record({
      kind: fc.constantFrom(...CONTAINER_KINDS),
      picks: arbitraryPicks(40),
      ways: arbitraryPicks(20),
      bodies: fc.array(arbitraryRegion(depth - 1, maxSteps), { maxLength: 3 }),
    });
  }
}

function generate(root: RegionChoices, picks: Picks, limits: DraftLimits): Generated {
  const draft = new Draft(limits);
  draft.take(1);
  const schemas = { input: picks.of(SCHEMAS), output: picks.of(SCHEMAS) };
  const frame: Frame = {
    workflowInput: schemas.input,
    loopState: null,
    itemValue: null,
    insideSaga: false,
    isRoot: true,
    depth: 1,
    repeats: 1,
    beside: 'nothing',
  };
  const region = regionOf(root, schemas, frame, draft);
  const definition: Definition = {
    dsl: 'graphrun/v1',
    id: picks.of(['generated', 'Generated.2', '0-a_b']),
    version: picks.of([1, 7, 9_007_199_254_740_991]),
    runTimeoutMs: picks.of([null, 86_400_000, 3_600_001]),
    ...signalsOf(draft, picks),
    ...searchAttributesOf(schemas.input, picks),
    root: region,
  };
  const input = literalOf(schemas.input, picks);
  return { definition, artifact: buildArtifact(definition, SHOP), input, toString: () => print(definition) };
}

function print(definition: Definition): string {
  return printDocument(definitionToDocument(definition));
}

/** The signals that are waited for, and now and then one that is not. */
function signalsOf({ usedSignals }: Draft, picks: Picks): Pick<Definition, 'signals'> {
  const names = SIGNALS.filter((name) => usedSignals.has(name) || picks.once(6));
  if (names.length === 0) return {};
  return { signals: Object.fromEntries(names.map((name) => [name, { schema: SIGNAL_SCHEMAS[name] ?? 'unit/v1' }])) };
}

const SCALARS: readonly unknown[] = ['string', 'integer', 'number', 'boolean', 'text', 'null'];

function searchAttributesOf(input: SchemaRef, picks: Picks): Pick<Definition, 'searchAttributes'> {
  const places = placesIn([{ from: 'workflow.input', what: input }]).filter(({ piece }) => SCALARS.includes(piece));
  const chosen = places.filter(() => picks.once(3)).slice(0, 3);
  if (chosen.length === 0) return {};
  return {
    searchAttributes: Object.fromEntries(
      chosen.map(({ from, path }, index) => [`attribute.${index}`, path === '' ? { from } : { from, path }]),
    ),
  };
}
