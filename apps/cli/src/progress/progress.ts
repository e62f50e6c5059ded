/**
 * A run's events as live lines for a person: what happens, not how it is stored. What loops and foreaches repeat is shown
 * in full only for the first few times; from then on they are counted.
 */
import type { EventView } from '@graphrun/domain';
import type { Terminal } from '../terminal.js';
import { Places } from './places.js';
import type { PlacedContainer } from './places.js';
import { sentenceOf } from './sentence.js';

/** How often the same step of the same node is shown while it is repeated. */
const SHOWN_STEPS = 3;
/** The same for what went wrong. */
const SHOWN_PROBLEMS = 10;

const PROBLEMS: ReadonlySet<EventView['kind']> = new Set([
  'activity_failed',
  'container_failed',
  'intervention_required',
  'obligation_blocked',
  'compensation_blocked',
]);

export class Progress {
  readonly #places = new Places();
  /** How often each step inside loops was shown, by loop, kind of event and node. */
  readonly #shown = new Map<string, number>();
  #startedAt: number | null = null;

  constructor(private readonly terminal: Terminal) {}

  show(event: EventView): void {
    this.#startedAt ??= event.at;
    this.#places.note(event);
    const sentence = event.kind === 'scope_completed' ? this.#bodyDone(event) : this.#step(event);
    if (sentence === null) return;
    const elapsed = `${((event.at - this.#startedAt) / 1000).toFixed(3)}s`.padStart(9);
    this.terminal.line(`${this.terminal.style('dim', elapsed)}  ${sentence}`);
  }

  #step(event: EventView): string | null {
    const place = this.#places.placeOf(event);
    const sentence = sentenceOf(event, place?.path ?? 'the run');
    if (sentence === null || (place !== null && this.#isEnough(event, place.scope, place.node))) return null;
    const { style, text } = sentence;
    return style === null ? text : this.terminal.style(style, text);
  }

  #bodyDone(event: EventView): string | null {
    const container = this.#places.completeBody(event);
    if (container === null) return null;
    const sentence = countOf(container);
    return sentence === null || this.#isEnough(event, container.scope, container.node) ? null : sentence;
  }

  /** Counts a step inside a loop; true when the person has seen enough of its like. */
  #isEnough(event: EventView, scope: string, node: string): boolean {
    const loop = this.#places.repeatedAround(scope);
    if (loop === null) return false;
    const like = `${loop} ${event.kind} ${node}`;
    const shown = this.#shown.get(like) ?? 0;
    this.#shown.set(like, shown + 1);
    return shown >= (PROBLEMS.has(event.kind) ? SHOWN_PROBLEMS : SHOWN_STEPS);
  }
}

const BODIES = { loop: 'iterations', foreach: 'items', parallel: 'branches' } as const;

/** How far a container is, where that is worth a line: 1, 2, ... 10, 20, ... 100, 200, ... and the last. */
function countOf({ path, kind, total, done }: PlacedContainer): string | null {
  if (kind === 'choose' || kind === 'saga') return null;
  if (done % 10 ** Math.floor(Math.log10(done)) !== 0 && done !== total) return null;
  return `${path}: ${done}${total === null ? '' : ` of ${total}`} ${BODIES[kind]} done`;
}
