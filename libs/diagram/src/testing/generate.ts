/** Definitions of any shape that the compiler accepts, for property tests. */
import fc from 'fast-check';
import type { Condition, Definition, ErrorRoute, Node, Region } from '@graphrun/dsl';
import {
  activity,
  choose,
  complete,
  definition,
  delay,
  doWhileLoop,
  fail,
  foreach,
  is,
  isMore,
  parallel,
  region,
  repeat,
  saga,
  undoneBy,
  waitSignal,
  whileLoop,
} from './build.js';

/** Regions inside regions, and nodes of one region; small, for shapes matter here and not sizes. */
const DEPTH = 3;
const NODES = 9;

export const definitions: fc.Arbitrary<Definition> = fc.infiniteStream(fc.nat(1_000_000)).map((tape) =>
  definition(
    'generated',
    generateRegion((limit) => nextOf(tape) % limit, DEPTH),
  ),
);

/** A whole number from 0 to below the limit. */
type Choose = (limit: number) => number;

function nextOf(tape: fc.Stream<number>): number {
  const next = tape.next();
  return next.done === true ? 0 : next.value;
}

/** Every node but the first is reached from one before it, some from several; what leads nowhere ends the region. */
function generateRegion(pick: Choose, depth: number): Region {
  const count = 1 + pick(NODES);
  const targets = Array.from({ length: count }, (): string[] => []);
  const key = (index: number) => `${NAMES[index % NAMES.length] ?? 'n'}_${index}`;
  for (let index = 1; index < count; index += 1) {
    targets[Math.max(0, index - 1 - pick(3))]?.push(key(index));
    const more = pick(index * 3);
    if (more < index && targets[more]?.length !== 0) targets[more]?.push(key(index));
  }
  // Something that many steps lead to, as a handler of errors is.
  const hub = pick(count);
  if (pick(2) === 0) {
    targets.forEach((outs, index) => {
      if (index < hub && outs.length > 0 && pick(4) > 0 && !outs.includes(key(hub))) outs.push(key(hub));
    });
  }
  return region(
    Object.fromEntries(targets.map((outs, index) => [key(index), generateNode(pick, depth, outs.slice(0, 4))])),
  );
}

const NAMES = ['a', 'pay', 'reserve_the_goods', 'n', 'a_name_that_is_as_long_as_such_a_name_may_ever_become_wide'];

function generateNode(pick: Choose, depth: number, [next, ...others]: readonly string[]): Node {
  if (next === undefined) return pick(2) === 0 ? complete() : fail('some.code', 'It ended. '.repeat(pick(12)));
  const onError = others.map((to, index): ErrorRoute => ({
    codes:
      index === 0 && pick(2) === 0 ? 'any' : Array.from({ length: 1 + pick(5) }, (_, code) => `code.number_${code}`),
    next: to,
  }));
  const [other] = others;
  if (other === undefined && pick(4) === 0) return delay(1000 * (1 + pick(100)), next);
  if (other !== undefined && others.length === 1 && pick(3) === 0) return waitSignal('signal', next, other);
  if (depth === 0 || pick(3) > 0) return activity('some.activity', next, { ...undoneBy('some.undo'), onError });
  return { ...container(pick, () => generateRegion(pick, depth - 1), next), onError } as Node;
}

function container(pick: Choose, body: () => Region, next: string): Node {
  const bodies = () => Object.fromEntries(Array.from({ length: 1 + pick(5) }, (_, index) => [`body_${index}`, body()]));
  const when = (index: number): Condition =>
    index % 2 === 0 ? is('scope.input', '/kind', 'a') : isMore('scope.input', '/sum', 3);
  switch (pick(7)) {
    case 0:
      return saga(body(), next);
    case 1:
      return whileLoop(body(), next);
    case 2:
      return doWhileLoop(body(), next);
    case 3:
      return repeat(body(), next);
    case 4:
      return foreach(body(), next);
    case 5:
      return parallel(bodies(), next);
    default: {
      const cases = Object.entries(bodies()).map(([name, region], index) => [name, [when(index), region] as const]);
      return choose(Object.fromEntries(cases) as Parameters<typeof choose>[0], body(), next);
    }
  }
}
