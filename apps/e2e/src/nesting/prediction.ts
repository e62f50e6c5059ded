/** What must become of a pair of containers, worked out from the two kinds alone. */
import type { Json } from '@graphrun/dsl';
import { ROUNDS } from './pairs.js';
import type { ContainerKind, Pair } from './pairs.js';

/** A body: its place in the outer container and in the inner one, as `outer-inner`, which is also the key of its wait. */
export type Place = `${number}-${number}`;

/** Kinds whose bodies are under way at the same time. */
const AT_ONCE: ReadonlySet<ContainerKind> = new Set(['foreach', 'parallel']);

const at = (outer: number, inner: number): Place => `${outer}-${inner}`;
const places = (kind: ContainerKind): readonly number[] => Array.from({ length: ROUNDS[kind] }, (_, place) => place);

/** All bodies, in the order in which their results stand. */
export function allPlaces({ outer, inner }: Pair): readonly Place[] {
  return places(outer).flatMap((p) => places(inner).map((q) => at(p, q)));
}

/** Bodies that are under way while nobody has got a signal. */
export function firstPlaces({ outer, inner }: Pair): readonly Place[] {
  const begun = (kind: ContainerKind): readonly number[] => (AT_ONCE.has(kind) ? places(kind) : [0]);
  return begun(outer).flatMap((p) => begun(inner).map((q) => at(p, q)));
}

/** The last body. */
export function lastPlace({ outer, inner }: Pair): Place {
  return at(ROUNDS[outer] - 1, ROUNDS[inner] - 1);
}

/** Bodies that must have completed before the last one begins. */
export function placesBeforeLast(pair: Pair): readonly Place[] {
  const { outer, inner } = pair;
  const [last, end] = [ROUNDS[outer] - 1, ROUNDS[inner] - 1];
  const earlier = AT_ONCE.has(outer) ? [] : places(outer).filter((p) => p < last);
  const beside = AT_ONCE.has(inner) ? [] : places(inner).filter((q) => q < end);
  return [...earlier.flatMap((p) => places(inner).map((q) => at(p, q))), ...beside.map((q) => at(last, q))];
}

/** Bodies under way when the last one is, and only those before it have got their signal; it is one of them. */
export function placesWithLast(pair: Pair): readonly Place[] {
  const { outer, inner } = pair;
  const last = ROUNDS[outer] - 1;
  const others = AT_ONCE.has(outer) ? places(outer).filter((p) => p < last) : [];
  const first = AT_ONCE.has(inner) ? places(inner) : [0];
  const beside = AT_ONCE.has(inner) ? places(inner) : [ROUNDS[inner] - 1];
  return [...others.flatMap((p) => first.map((q) => at(p, q))), ...beside.map((q) => at(last, q))];
}

/** Bodies whose effects are undone when a run stops that has completed some bodies and has others under way. */
export function undonePlaces({ outer, inner }: Pair, completed: readonly Place[], open: readonly Place[]): Place[] {
  // An outer saga owes for everything in it; an inner one only until it has completed.
  if (outer === 'saga') return [...completed, ...open].sort();
  return inner === 'saga' ? [...open].sort() : [];
}

/** Containers whose bodies are under way at once give all results, in order; the others give the last one. */
export function outputOf({ outer, inner }: Pair): Json {
  const results = (kind: ContainerKind, each: (place: number) => Json): Json => {
    const all = places(kind).map(each);
    return AT_ONCE.has(kind) ? all : (all.at(-1) ?? null);
  };
  return { outer: results(outer, (p) => ({ inner: results(inner, (q) => ({ outer: p, inner: q })) })) };
}
