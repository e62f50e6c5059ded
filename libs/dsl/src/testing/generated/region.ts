/**
 * Generated regions: a line of steps that ends in an ending, and ways beside it after timeouts and failures, which end
 * themselves, go round some steps, or come back after a detour.
 */
import type { ActivityNode, ContainerNode, ErrorRoute, Node, Reference, Region, SchemaRef } from '../../ir.js';
import { activityOf } from './activities.js';
import { CONTRACTS, PAGING, SIGNAL_SCHEMAS } from './catalog.js';
import { chooseOf, foreachOf, parallelOf, sagaOf } from './containers.js';
import { SIMPLEST, type Draft, type Frame, type RegionChoices, type StepChoices } from './draft.js';
import { completeOf, FAILURES, failOf } from './endings.js';
import { Arrivals, sourcesAt, type Facts } from './facts.js';
import { doWhileOf, repeatOf, whileOf } from './loops.js';
import { Picks } from './picks.js';
import { placesIn, type Place } from './places.js';
import type { RegionSchemas, Site } from './site.js';
import { delayOf, waitSignalOf, waitUntilOf } from './waits.js';

/** A region from its choices. One node must have been set aside for it in the draft. */
export function regionOf(choices: RegionChoices, schemas: RegionSchemas, frame: Frame, draft: Draft): Region {
  return new RegionWriter(schemas, frame, draft).write(choices);
}

class RegionWriter {
  readonly #schemas: RegionSchemas;
  readonly #frame: Frame;
  readonly #draft: Draft;
  readonly #nodes: Record<string, Node> = {};
  readonly #outputs = new Map<string, SchemaRef | null>();
  readonly #arrivals = new Arrivals();
  /** Keys of the steps and of the ending, in order. */
  #line: readonly string[] = [];

  constructor(schemas: RegionSchemas, frame: Frame, draft: Draft) {
    this.#schemas = schemas;
    this.#frame = frame;
    this.#draft = draft;
  }

  write({ steps: wanted, picks }: RegionChoices): Region {
    const steps = wanted.slice(0, this.#draft.takeUpTo(wanted.length)).map((step) => this.#affordable(step));
    this.#line = [...steps.map(({ kind }, index) => `${kind}_${index}`), 'end'];
    for (const [index, step] of steps.entries()) this.#step(index, step);
    this.#ending(new Picks(picks));
    const { input: inputSchema, output: outputSchema } = this.#schemas;
    return { inputSchema, outputSchema, start: this.#keyAt(0), nodes: this.#nodes };
  }

  /** The step itself, or a delay in its place if there is no room for its bodies. */
  #affordable(step: StepChoices): StepChoices {
    const bodies = bodiesOf(step);
    if (bodies === 0 || (this.#frame.depth < this.#draft.limits.maxDepth && this.#draft.take(bodies))) return step;
    return { ...step, kind: 'delay' };
  }

  #keyAt(index: number): string {
    return this.#line[Math.min(index, this.#line.length - 1)] ?? 'end';
  }

  #placesWith(facts: Facts): readonly Place[] {
    return placesIn(sourcesAt(facts, this.#outputs, this.#schemas.input, this.#frame));
  }

  #step(index: number, step: StepChoices): void {
    const key = this.#keyAt(index);
    const facts = this.#arrivals.at(key);
    const picks = new Picks(step.picks);
    const node = nodeOf(step, this.#site(step, facts, picks, this.#keyAt(index + 1)));
    this.#outputs.set(key, outputOf(node));
    this.#nodes[key] = this.#withWays(node, { key, index, facts, picks: new Picks(step.ways) });
  }

  #site(step: StepChoices, facts: Facts, picks: Picks, next: string): Site {
    return {
      draft: this.#draft,
      frame: this.#frame,
      picks,
      places: this.#placesWith(facts),
      next,
      bodies: bodiesOf(step),
      body: (index, schemas, frame = {}) => {
        const around = { ...this.#frame, ...frame, isRoot: false, depth: this.#frame.depth + 1 };
        return regionOf(step.bodies[index] ?? SIMPLEST, schemas, around, this.#draft);
      },
    };
  }

  // ---------------------------------------------------------------------------------------------------------- ways

  #withWays(node: Node, at: Junction): Node {
    switch (node.kind) {
      case 'complete':
      case 'fail':
      case 'continue_as_new':
        return node;
      case 'delay':
      case 'wait_until':
        this.#arrivals.add(node.next, at.facts);
        return node;
      case 'wait_signal': {
        const success = withFact(at.facts, `nodes.${at.key}.output`);
        if (node.timeoutMs === null) {
          this.#arrivals.add(node.next, success);
          return node;
        }
        const [next = node.next, onTimeout = node.next] = this.#fork(at, success, [at.facts]);
        return { ...node, next, onTimeout };
      }
      default:
        return this.#withRoutes(node, at);
    }
  }

  #withRoutes(node: ActivityNode | ContainerNode, at: Junction): Node {
    const count = Math.max(0, at.picks.below(5) - 2);
    const success = withFact(at.facts, `nodes.${at.key}.output`);
    const failure = withFact(at.facts, `nodes.${at.key}.error`);
    const [next = node.next, ...others] = this.#fork(at, success, Array<Facts>(count).fill(failure));
    if (count === 0) return { ...node, next };
    const codes = codesOf(node, at.picks);
    const onError = others.map((to, index): ErrorRoute => {
      const any = index === others.length - 1 && at.picks.once(2);
      return { codes: any ? 'any' : codes.splice(0, 1 + at.picks.below(2)), next: to };
    });
    return { ...node, next, onError };
  }

  /** Targets of the main way and of others. One of them leads on along the line; mostly, but not always, the main way. */
  #fork(at: Junction, main: Facts, others: readonly Facts[]): readonly string[] {
    const onward = this.#keyAt(at.index + 1);
    const swapped = others.length > 0 && at.picks.once(5);
    return [main, ...others].map((facts, way) => {
      if (way !== (swapped ? 1 : 0)) return this.#side(at, facts, way);
      this.#arrivals.add(onward, facts);
      return onward;
    });
  }

  #side(at: Junction, facts: Facts, way: number): string {
    const onward = this.#keyAt(at.index + 1);
    const join = (key: string): string => {
      this.#arrivals.add(key, facts);
      return key;
    };
    const form = at.picks.below(4);
    if (form === 0 || !this.#draft.take(1)) return join(onward);
    const key = `${at.key}_way${way}`;
    switch (form) {
      case 1:
        this.#nodes[key] = at.picks.once(3)
          ? failOf(at.picks)
          : completeOf(this.#schemas, this.#placesWith(facts), at.picks);
        return key;
      case 2: {
        const detour: StepChoices = { kind: at.picks.of(['delay', 'activity']), ...NO_CHOICES };
        const node = nodeOf(detour, this.#site(detour, facts, at.picks, onward));
        this.#outputs.set(key, outputOf(node));
        this.#nodes[key] = node;
        this.#arrivals.add(onward, node.kind === 'activity' ? withFact(facts, `nodes.${key}.output`) : facts);
        return key;
      }
      default:
        return join(this.#keyAt(at.index + 2 + at.picks.below(3)));
    }
  }

  // -------------------------------------------------------------------------------------------------------- endings

  #ending(picks: Picks): void {
    const key = this.#keyAt(Infinity);
    const facts = this.#arrivals.at(key);
    const places = this.#placesWith(facts);
    if (picks.once(8)) this.#nodes[key] = failOf(picks);
    else if (this.#mayContinue() && picks.once(2) && this.#draft.take(2)) this.#continueAsNew(key, facts, picks);
    else this.#nodes[key] = completeOf(this.#schemas, places, picks);
  }

  #mayContinue(): boolean {
    return this.#frame.isRoot && this.#frame.workflowInput === 'counter/v1';
  }

  /** Continues with the next page until there is none: the runs of the chain come to an end. */
  #continueAsNew(key: string, facts: Facts, picks: Picks): void {
    const [next, last] = [`${key}_next_page`, `${key}_last_page`];
    const page = activityOf(this.#site({ kind: 'activity', ...NO_CHOICES }, facts, picks, next), PAGING);
    this.#outputs.set(key, outputOf(page));
    this.#nodes[key] = { ...page, input: { from: 'workflow.input' }, onError: [{ codes: 'any', next: last }] };
    this.#nodes[next] = { kind: 'continue_as_new', input: { from: `nodes.${key}.output` } };
    const failure = this.#placesWith(withFact(facts, `nodes.${key}.error`));
    this.#nodes[last] = completeOf(this.#schemas, failure, picks);
  }
}

const NO_CHOICES = { picks: [], ways: [], bodies: [] } as const;

/** A node and what its ways out depend on. */
interface Junction {
  readonly key: string;
  readonly index: number;
  readonly facts: Facts;
  readonly picks: Picks;
}

function withFact(facts: Facts, fact: Reference): Facts {
  return new Set([...facts, fact]);
}

/** How many bodies the step needs. */
function bodiesOf({ kind, bodies }: StepChoices): number {
  switch (kind) {
    case 'choose':
      return Math.min(4, Math.max(2, bodies.length));
    case 'parallel':
      return Math.min(4, Math.max(1, bodies.length));
    case 'while':
    case 'do_while':
    case 'repeat':
    case 'foreach':
    case 'saga':
      return 1;
    default:
      return 0;
  }
}

function nodeOf({ kind }: StepChoices, site: Site): Node {
  switch (kind) {
    case 'activity':
      return activityOf(site);
    case 'delay':
      return delayOf(site);
    case 'wait_until':
      return waitUntilOf(site);
    case 'wait_signal':
      return waitSignalOf(site);
    case 'choose':
      return chooseOf(site);
    case 'while':
      return whileOf(site);
    case 'do_while':
      return doWhileOf(site);
    case 'repeat':
      return repeatOf(site);
    case 'foreach':
      return foreachOf(site);
    case 'parallel':
      return parallelOf(site);
    case 'saga':
      return sagaOf(site);
  }
}

/** Schema of the node's output, null if it has none. */
function outputOf(node: Node): SchemaRef | null {
  switch (node.kind) {
    case 'activity':
      return CONTRACTS.find((contract) => contract.name === node.activity.name)?.outputSchema ?? null;
    case 'wait_signal':
      return SIGNAL_SCHEMAS[node.signal] ?? null;
    case 'choose':
      return node.default.outputSchema;
    case 'while':
    case 'do_while':
    case 'repeat':
      return node.stateSchema;
    case 'foreach':
      return { array: node.body.outputSchema };
    case 'parallel':
      return { tuple: node.branches.map(({ body }) => body.outputSchema) };
    case 'saga':
      return node.body.outputSchema;
    default:
      return null;
  }
}

/** Codes the node may fail with, and some it cannot, in any order. */
function codesOf(node: ActivityNode | ContainerNode, picks: Picks): string[] {
  const own =
    node.kind === 'activity'
      ? (CONTRACTS.find((contract) => contract.name === node.activity.name)?.errorCodes ?? []).map(({ code }) => code)
      : ['LoopLimitExceeded', 'binding.range', 'busy'];
  const codes = new Set([...own, ...FAILURES, 'activity.timeout', 'binding.missing', 'schema.invalid']);
  return [...picks.shuffle([...codes])];
}
