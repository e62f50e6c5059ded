/** Counts what the trials have come to, so that a generator that no longer reaches something is noticed. */
import type { ContainerKind, Observation, SeenScope } from '../oracle/index.js';

export const CONTAINER_KINDS = [
  'choose',
  'while',
  'do_while',
  'repeat',
  'foreach',
  'parallel',
  'saga',
] as const satisfies readonly ContainerKind[];

export class Tally {
  private readonly counts = new Map<string, number>();

  count(what: string): void {
    this.counts.set(what, this.of(what) + 1);
  }

  of(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  /** Those that never came up. */
  missing(wanted: readonly string[]): readonly string[] {
    return wanted.filter((what) => this.of(what) === 0);
  }

  /** Every pair of containers, and how the inner one ended: `saga > foreach: cancelled`. */
  observe({ root }: Observation): void {
    this.scope(root, null, 0);
  }

  private scope(scope: SeenScope, outer: ContainerKind | null, depth: number): void {
    for (const step of scope.steps) {
      if (step.kind !== 'container') continue;
      const { container, bodies, end } = step;
      if (outer !== null) this.count(pair(outer, container, end.kind));
      this.count(`depth ${depth + 1}`);
      bodies.forEach((body) => this.scope(body, container, depth + 1));
    }
  }

  toString(): string {
    return [...this.counts]
      .map(([what, many]) => `${what} ${many}`)
      .sort()
      .join('\n');
  }
}

export function pair(outer: ContainerKind, inner: ContainerKind, end: string): string {
  return `${outer} > ${inner}: ${end}`;
}

/** Every container in every other one, with the given ends of the inner one. */
export function pairs(ends: readonly string[]): readonly string[] {
  return CONTAINER_KINDS.flatMap((outer) =>
    CONTAINER_KINDS.flatMap((inner) => ends.map((end) => pair(outer, inner, end))),
  );
}
