/** Random workflows of the whole language: small, nested, and with everything that may fail. */
import fc from 'fast-check';
import type { Program } from '@graphrun/dsl';
import {
  activity,
  body,
  complete,
  fail,
  from,
  irreversible,
  literal,
  undo,
  workflow,
  type Nodes,
  type Part,
} from './workflow.js';

const ACTIVITIES = ['pure', 'safe', 'manual', 'asked'] as const;
const UNDONE_BY = ['undo', 'undo_manual', 'undo_asked', 'undo_counted', null] as const;
export const KEYS = ['k1', 'k2'] as const;

interface Work {
  readonly kind: 'activity';
  readonly name: (typeof ACTIVITIES)[number];
  readonly undoneBy: (typeof UNDONE_BY)[number];
  readonly retried: boolean;
  readonly routed: boolean;
}

interface Waiting {
  readonly kind: 'delay' | 'wait_signal';
  readonly key: (typeof KEYS)[number];
  readonly finite: boolean;
  readonly buffered: boolean;
}

interface Containing {
  readonly kind: 'choose' | 'while' | 'do_while' | 'repeat' | 'foreach' | 'parallel' | 'saga';
  /** Iterations, items or branches; which case of a choice holds. */
  readonly count: number;
  readonly routed: boolean;
  readonly body: Sequence;
}

type Step = Work | Waiting | Containing;

/** Steps in a row; at their end the region completes or fails. */
interface Sequence {
  readonly steps: readonly Step[];
  readonly fails: boolean;
}

const work: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('activity' as const),
  name: fc.constantFrom(...ACTIVITIES),
  undoneBy: fc.constantFrom(...UNDONE_BY),
  retried: fc.boolean(),
  routed: fc.boolean(),
});

const waiting: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('delay' as const, 'wait_signal' as const),
  key: fc.constantFrom(...KEYS),
  finite: fc.boolean(),
  buffered: fc.boolean(),
});

function containing(depth: number): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constantFrom('choose', 'while', 'do_while', 'repeat', 'foreach', 'parallel', 'saga', 'saga'),
    count: fc.integer({ min: 0, max: 3 }),
    routed: fc.boolean(),
    body: sequence(depth - 1),
  });
}

function sequence(depth: number): fc.Arbitrary<Sequence> {
  const step =
    depth === 0
      ? fc.oneof({ weight: 4, arbitrary: work }, { weight: 1, arbitrary: waiting })
      : fc.oneof(
          { weight: 3, arbitrary: work },
          { weight: 1, arbitrary: waiting },
          { weight: 4, arbitrary: containing(depth) },
        );
  return fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 3 }),
    fails: fc.nat({ max: 7 }).map((n) => n === 0),
  });
}

/** What every generated workflow is started with. */
export const GENERATED_INPUT = { n: 1, counts: [0, 1, 2, 3] };

/** A workflow with one to three containers around its work. */
export const generated: fc.Arbitrary<Program> = containing(3).map(whole);

/** A workflow whose saga always aborts, once it has had its effects. */
export const aborting: fc.Arbitrary<Program> = fc
  .record({
    steps: fc.array(fc.oneof(work, work, containing(2)), { minLength: 2, maxLength: 4 }),
    routed: fc.boolean(),
  })
  .map(({ steps, routed }) => whole({ kind: 'saga', count: 1, routed, body: { steps, fails: true } }));

function whole(step: Step): Program {
  const nodes = render({ steps: [step], fails: false }, false);
  return workflow(nodes, { signals: { go: { schema: 'value/v1' } }, run_timeout: '1h' });
}

function render({ steps, fails }: Sequence, inSaga: boolean): Nodes {
  const nodes: Record<string, Part> = {};
  steps.forEach((step, index) => {
    const next = index + 1 === steps.length ? 'end' : `n${index + 2}`;
    nodes[`n${index + 1}`] = renderStep(step, next, inSaga);
  });
  nodes['end'] = fails ? fail('unwanted') : complete();
  return nodes;
}

/** Error routes and timeouts lead to the end of the region, so that their order with `next` never makes a cycle. */
function renderStep(step: Step, next: string, inSaga: boolean): Part {
  switch (step.kind) {
    case 'activity':
      return renderWork(step, next, inSaga);
    case 'delay':
      return { kind: 'delay', duration: '1s', next };
    case 'wait_signal':
      return {
        kind: 'wait_signal',
        signal: 'go',
        key: literal(step.key),
        timeout: step.finite ? '5s' : null,
        ...(step.finite ? { on_timeout: 'end' } : {}),
        consume_from: step.buffered ? 'buffered' : 'after_activation',
        next,
      };
    default:
      return { ...renderContainer(step, inSaga), next, ...route(step.routed) };
  }
}

function renderWork({ name, undoneBy, retried, routed }: Work, next: string, inSaga: boolean): Part {
  const undoing = undoneBy === null ? irreversible('it is sent') : undo(undoneBy, { retry: { max_attempts: 2 } });
  return activity(name, next, {
    retry: { errors: retried ? ['busy'] : [], max_attempts: 2 },
    ...(inSaga && name !== 'pure' ? { compensation: undoing } : {}),
    ...route(routed),
  });
}

function route(routed: boolean): Part {
  return routed ? { on_error: [{ codes: 'any', next: 'end' }] } : {};
}

function renderContainer({ kind, count, body: inner }: Containing, inSaga: boolean): Part {
  const region = body(render(inner, inSaga || kind === 'saga'));
  const input = from('scope.input');
  const loop = { kind, state: input, state_schema: 'value/v1', max_iterations: 2, body: region };
  switch (kind) {
    case 'choose': {
      const when = { eq: [literal(count), literal(1)] };
      return { kind, input, cases: [{ name: 'one', when, body: region }], default: body({ end: complete() }) };
    }
    case 'while':
    case 'do_while':
      return { ...loop, condition: { lt: [from('loop.index'), literal(count)] } };
    case 'repeat':
      // Not a literal: the compiler would refuse the 3, which is out of range.
      return { ...loop, count: from('workflow.input', `/counts/${count}`) };
    case 'foreach': {
      const items = literal(Array.from({ length: count }, (_, index) => ({ n: index })));
      return { kind, items, item_schema: 'value/v1', max_items: 3, max_concurrency: 2, body: region };
    }
    case 'parallel':
      return {
        kind,
        branches: ['a', 'b'].map((name) => ({ name, input, body: region })),
      };
    case 'saga':
      return { kind, input, body: region };
  }
}
