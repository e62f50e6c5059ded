/**
 * What exists for certain at a node of a generated region. Plain sets that are intersected where ways meet: the compiler
 * finds the same by dominance, so each checks the other.
 */
import type { Reference, SchemaRef } from '../../ir.js';
import { PIECES } from './catalog.js';
import type { Frame } from './draft.js';
import type { Source } from './places.js';

/** References to outputs and errors that can be read. */
export type Facts = ReadonlySet<Reference>;

export class Arrivals {
  readonly #facts = new Map<string, Facts>();

  /** An edge leads to `key` from a place where `facts` are certain. */
  add(key: string, facts: Facts): void {
    const before = this.#facts.get(key);
    this.#facts.set(key, before === undefined ? facts : new Set([...before].filter((fact) => facts.has(fact))));
  }

  /** What is certain at a node once all edges to it are known. */
  at(key: string): Facts {
    return this.#facts.get(key) ?? new Set();
  }
}

/** Everything that a node can read. */
export function sourcesAt(
  facts: Facts,
  outputs: ReadonlyMap<string, SchemaRef | null>,
  input: SchemaRef,
  frame: Frame,
): readonly Source[] {
  const sources: Source[] = [
    { from: 'scope.input', what: input },
    { from: 'workflow.input', what: frame.workflowInput },
    { from: 'scope.id', what: 'string/v1' },
  ];
  if (frame.loopState !== null) {
    sources.push({ from: 'loop.state', what: frame.loopState }, { from: 'loop.index', what: 'integer/v1' });
  }
  if (frame.itemValue !== null) {
    sources.push({ from: 'item.value', what: frame.itemValue }, { from: 'item.index', what: 'integer/v1' });
  }
  for (const from of facts) {
    const [, key = '', port] = from.split('.');
    const output = outputs.get(key);
    if (port === 'error') sources.push({ from, what: { piece: PIECES['failure/v1'] } });
    else if (output !== undefined && output !== null) sources.push({ from, what: output });
  }
  return sources;
}
