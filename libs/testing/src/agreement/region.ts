/** Writes the nodes of a generated region: a line of steps, and ways beside it after failures and timeouts. */
import { REPORTED } from './catalog.js';
import { Picks } from './picks.js';
import { Sources, type Part } from './sources.js';
import { writeStep, type StepKind } from './steps.js';

export type Node = Part;

/** Choices as numbers; what is missing is simple. */
export interface RegionChoices {
  readonly steps: readonly StepChoices[];
  readonly picks: readonly number[];
}

export interface StepChoices {
  readonly kind: StepKind;
  readonly picks: readonly number[];
  /** Choices of where it leads. */
  readonly ways: readonly number[];
  readonly bodies: readonly RegionChoices[];
}

/** What is around a region. */
export interface Surroundings {
  readonly insideSaga: boolean;
  readonly loop: boolean;
  readonly item: boolean;
  /** What may be under way beside it: two waits of one address must not be open at once. */
  readonly beside: 'nothing' | 'branches' | 'items';
  readonly sharedKey: string;
  /** A key that no other node waits for. */
  readonly nextKey: () => string;
}

export interface Written {
  readonly start: string;
  readonly nodes: { readonly [key: string]: Node };
}

export function writeRegion(choices: RegionChoices, around: Surroundings): Written {
  return new RegionWriter(choices, around).write();
}

/** The body of a container, as a document has it. */
export function writeBody(choices: RegionChoices | undefined, around: Surroundings): Part {
  const written = writeRegion(choices ?? { steps: [], picks: [] }, around);
  return { input_schema: 'value/v1', output_schema: 'value/v1', ...written };
}

/** The first choice of a region: it ends in a failure. */
export const FAILS = 11;

const CODES = [
  ...REPORTED,
  'unwanted',
  'declined',
  'LoopLimitExceeded',
  'binding.range',
  'binding.missing',
  'activity.lost',
  'worker.decode',
] as const;

class RegionWriter {
  private readonly nodes: Record<string, Node> = {};
  /** What can be read for certain at nodes that are not written yet. */
  private readonly arrivals = new Map<string, Sources>();

  constructor(
    private readonly choices: RegionChoices,
    private readonly around: Surroundings,
  ) {}

  write(): Written {
    const { steps } = this.choices;
    this.arrive(keyAt(steps, 0), new Sources(this.around));
    steps.forEach((step, index) => this.step(step, index));
    const sources = this.sourcesAt('end');
    const picks = new Picks(this.choices.picks);
    this.nodes['end'] =
      picks.below(12) === FAILS ? failure('unwanted') : { kind: 'complete', output: sources.value(picks) };
    return { start: keyAt(steps, 0), nodes: this.nodes };
  }

  private sourcesAt(key: string): Sources {
    return this.arrivals.get(key) ?? new Sources(this.around);
  }

  private arrive(key: string, sources: Sources): void {
    this.arrivals.set(key, this.arrivals.get(key)?.common(sources) ?? sources);
  }

  private step(choices: StepChoices, index: number): void {
    const { steps } = this.choices;
    const key = keyAt(steps, index);
    const before = this.sourcesAt(key);
    const written = writeStep(choices, before, this.around);
    const after = before.with(key, written.output);
    const next = keyAt(steps, index + 1);
    this.nodes[key] = { ...written.node, next, ...this.ways(choices, key, index, before, written.node) };
    this.arrive(next, after);
  }

  /** Ways beside the line. */
  private ways(choices: StepChoices, key: string, index: number, before: Sources, node: Node): Part {
    const picks = new Picks(choices.ways);
    if (node['kind'] === 'wait_signal') {
      return node['timeout'] === null ? {} : { on_timeout: this.way(key, index, before, picks) };
    }
    if (node['kind'] === 'delay' || node['kind'] === 'wait_until' || picks.below(2) === 0) return {};
    const codes = picks.below(2) === 0 ? 'any' : [picks.of(CODES)];
    const first = { codes, next: this.way(key, index, before.withError(key), picks) };
    if (codes === 'any' || picks.below(2) === 0) return { on_error: [first] };
    return { on_error: [first, { codes: 'any', next: this.way(key, index, before.withError(key), picks) }] };
  }

  private way(key: string, index: number, sources: Sources, picks: Picks): string {
    const { steps } = this.choices;
    const aside = `${key}_${Object.keys(this.nodes).length}`;
    const later = keyAt(steps, index + 1 + picks.below(3));
    switch (picks.below(4)) {
      case 0:
        this.arrive(later, sources);
        return later;
      case 1:
        this.nodes[aside] = { kind: 'complete', output: sources.value(picks) };
        return aside;
      case 2:
        this.nodes[aside] = failure('unwanted');
        return aside;
      default: {
        const detour = { kind: 'activity', picks: [], ways: [], bodies: [] } as const;
        const { node, output } = writeStep(detour, sources, this.around);
        this.nodes[aside] = { ...node, next: later };
        this.arrive(later, sources.with(aside, output));
        return aside;
      }
    }
  }
}

function keyAt(steps: readonly unknown[], index: number): string {
  return index < steps.length ? `n${index + 1}` : 'end';
}

function failure(code: string): Node {
  return { kind: 'fail', error: { code, message: `${code} as written` } };
}
