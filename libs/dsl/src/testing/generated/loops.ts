/**
 * Generated loops. Each ends: by its own condition, by its count, or, on purpose, at its limit with `LoopLimitExceeded`.
 */
import type { Condition, DoWhileNode, RepeatNode, SchemaRef, WhileNode } from '../../ir.js';
import { bindingOf, integerOf } from './bindings.js';
import { SCHEMAS } from './catalog.js';
import { conditionOf } from './conditions.js';
import { placesIn } from './places.js';
import type { Site } from './site.js';

export function whileOf(site: Site): WhileNode {
  const { condition, ...loop } = conditionalOf(site);
  return { kind: 'while', ...loop, condition };
}

export function doWhileOf(site: Site): DoWhileNode {
  const { condition, ...loop } = conditionalOf(site);
  return { kind: 'do_while', ...loop, condition };
}

export function repeatOf(site: Site): RepeatNode {
  const { places, picks } = site;
  const loop = loopOf(site);
  return { kind: 'repeat', ...loop, count: integerOf(picks.below(loop.maxIterations + 1), places, picks) };
}

function loopOf(site: Site) {
  const { places, picks, next, draft, frame } = site;
  const stateSchema = picks.of(SCHEMAS);
  const maxIterations = draft.repeats(frame, picks);
  const schemas = { input: stateSchema, output: stateSchema };
  return {
    state: bindingOf(stateSchema, places, picks),
    stateSchema,
    maxIterations,
    body: site.body(0, schemas, { loopState: stateSchema, repeats: frame.repeats * maxIterations }),
    next,
  };
}

function conditionalOf(site: Site) {
  const loop = loopOf(site);
  return { ...loop, condition: guardOf(site, loop.stateSchema, loop.maxIterations) };
}

/** The condition sees this loop's `loop.*`, whatever loop is around it. */
function guardOf({ picks, places }: Site, stateSchema: SchemaRef, maxIterations: number): Condition {
  const around = places.filter(({ from }) => from !== 'loop.state' && from !== 'loop.index');
  const own = placesIn([
    { from: 'loop.index', what: 'integer/v1' },
    { from: 'loop.state', what: stateSchema },
  ]);
  switch (picks.below(4)) {
    case 0:
      return { lt: [{ from: 'loop.index' }, { literal: picks.below(maxIterations + 1) }] };
    case 1: {
      const place = own.find(({ piece }) => piece === 'integer' && stateSchema !== 'integer/v1');
      const { from, path } = place ?? { from: 'loop.index' as const, path: '' };
      return { lt: [path === '' ? { from } : { from, path, default: 0 }, { literal: maxIterations }] };
    }
    case 2:
      return conditionOf([...own, ...around], picks);
    default:
      return { not: { eq: [{ literal: 'never' }, { literal: 'ends' }] } };
  }
}
