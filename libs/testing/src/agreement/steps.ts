/** Writes one node of a generated region, without the ways out of it. */
import { ACTIVITIES, COMPENSATIONS, RETRYABLE, SIGNALS } from './catalog.js';
import { Picks } from './picks.js';
import { writeBody, type StepChoices, type Surroundings } from './region.js';
import type { Output, Part, Sources } from './sources.js';

export type StepKind =
  | 'activity'
  | 'delay'
  | 'wait_until'
  | 'wait_signal'
  | 'choose'
  | 'while'
  | 'do_while'
  | 'repeat'
  | 'foreach'
  | 'parallel'
  | 'saga';

export interface Step {
  readonly node: Part;
  readonly output: Output;
}

/** Iterations and items at most. */
const MOST = 3;

export function writeStep({ kind, picks: numbers, bodies }: StepChoices, sources: Sources, around: Surroundings): Step {
  const picks = new Picks(numbers);
  const body = (index: number, more: Partial<Surroundings> = {}): Part =>
    writeBody(bodies[index], { ...around, ...more });
  switch (kind) {
    case 'activity':
      return { node: activity(sources, around, picks), output: 'value' };
    case 'delay': {
      const duration = picks.below(8) === 7 ? sources.number(picks) : picks.of(['5ms', '2s', '10m']);
      return { node: { kind, duration }, output: 'nothing' };
    }
    case 'wait_until': {
      const at = { literal: picks.of([0, 1_900_000_010_000]) };
      return { node: { kind, at: picks.below(8) === 7 ? sources.extra(picks) : at }, output: 'nothing' };
    }
    case 'wait_signal':
      return { node: wait(around, picks), output: 'value' };
    case 'choose': {
      const names = ['first', 'second'].slice(0, 1 + picks.below(2));
      const cases = names.map((name, index) => ({ name, when: sources.condition(picks), body: body(index + 1) }));
      return { node: { kind, input: sources.value(picks), cases, default: body(0) }, output: 'value' };
    }
    case 'while':
    case 'do_while':
    case 'repeat':
      return { node: loop(kind, sources, picks, body(0, { loop: true })), output: 'value' };
    case 'foreach': {
      const items = sources.values(MOST + 1, picks);
      const bounds = { max_items: 4 - picks.below(2), max_concurrency: picks.of([2, 1, 8]) };
      const inside = body(0, { item: true, beside: 'items' });
      return { node: { kind, items, item_schema: 'value/v1', ...bounds, body: inside }, output: 'list' };
    }
    case 'parallel': {
      const names = ['left', 'right', 'third'].slice(0, 1 + ((1 + picks.below(3)) % 3));
      const beside = around.beside === 'items' ? 'items' : 'branches';
      const branches = names.map((name, index) => ({
        name,
        input: sources.value(picks),
        body: body(index, { beside }),
      }));
      return { node: { kind, branches }, output: { tuple: names.length } };
    }
    case 'saga':
      return { node: { kind, input: sources.value(picks), body: body(0, { insideSaga: true }) }, output: 'value' };
  }
}

function activity(sources: Sources, { insideSaga }: Surroundings, picks: Picks): Part {
  const name = picks.of(ACTIVITIES);
  const undo = insideSaga && (name !== 'pure' || picks.below(3) === 2);
  return {
    kind: 'activity',
    activity: { name, version: 1 },
    input: sources.value(picks),
    timeout: picks.of(['10s', '10m']),
    retry: retry(name === 'pure' ? [...RETRYABLE, 'activity.unhandled'] : RETRYABLE, picks),
    ...(undo ? { compensation: compensation(picks) } : {}),
  };
}

function retry(codes: readonly string[], picks: Picks): Part {
  const errors = codes.filter(() => picks.below(2) === 1);
  return { errors, max_attempts: 1 + picks.below(3), backoff: { initial: '1s', multiplier: 2, max: '10s' } };
}

function compensation(picks: Picks): Part {
  const name = picks.of([...COMPENSATIONS, null] as const);
  if (name === null) return { kind: 'irreversible', reason: 'it is sent' };
  const undone = picks.of(['forward.output', 'forward.output', 'forward.input']);
  const n = { from: undone, path: picks.of(['/n', '/n', '/n', '/extra']) };
  const input =
    name === 'undo_small' ? { object: { n } } : { object: { n, tag: { from: 'forward.input', path: '/tag' } } };
  return { kind: 'activity', activity: { name, version: 1 }, input, retry: retry(RETRYABLE, picks) };
}

function wait({ beside, sharedKey, nextKey }: Surroundings, picks: Picks): Part {
  const own = { literal: nextKey() };
  const scope = { from: 'scope.id' };
  const key =
    beside === 'items' ? scope : picks.of(beside === 'branches' ? [own, scope] : [{ literal: sharedKey }, own, scope]);
  return {
    kind: 'wait_signal',
    signal: picks.of(SIGNALS),
    key,
    timeout: picks.of(['5m', null, '1s']),
    consume_from: picks.of(['buffered', 'buffered', 'after_activation']),
  };
}

function loop(kind: 'while' | 'do_while' | 'repeat', sources: Sources, picks: Picks, body: Part): Part {
  const common = { kind, state: sources.value(picks), state_schema: 'value/v1', max_iterations: MOST, body };
  if (kind === 'repeat') {
    const literal = { literal: picks.below(MOST + 1) };
    return {
      ...common,
      count: picks.of([literal, literal, literal, sources.extra(picks), sources.extra(picks), sources.number(picks)]),
    };
  }
  const bound = { lt: [{ from: 'loop.index' }, { literal: picks.below(MOST + 2) }] };
  const state = (path: string): Part => ({ from: 'loop.state', path });
  const condition = picks.of<Part>([
    bound,
    { all: [bound, { lt: [state('/n'), { literal: 800 }] }] },
    { all: [bound, { not: { exists: state('/extra') } }] },
    { any: [{ eq: [{ ...state('/extra'), default: 1 }, { literal: 0 }] }, bound] },
    bound,
    { eq: [state('/extra'), { literal: 0 }] },
  ]);
  return { ...common, condition };
}
