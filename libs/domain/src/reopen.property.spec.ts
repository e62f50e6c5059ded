/**
 * A run that fails, is opened again as often as it takes and succeeds in the end has the output of one that never failed. That
 * state, fold and checkpoint agree after every command of it is checked by `Scenario`.
 */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalize, type Json, type Program } from '@graphrun/dsl';
import { around, CONTAINERS, type ContainerKind } from './testing/containers.js';
import { drive, output, type Driver, type Work } from './testing/driver.js';
import { checkHistory } from './testing/rules.js';
import { error } from './testing/scenario.js';
import { activity, body, complete, from, object, undo, workflow, type Nodes, type Part } from './testing/workflow.js';
import { encodeCheckpoint, isTerminal, roleOf, type ActivationId } from './index.js';

type Step =
  | { readonly kind: 'work'; readonly name: 'pure' | 'safe' | 'manual' }
  | { readonly kind: 'delay' }
  | { readonly kind: 'container'; readonly container: ContainerKind; readonly steps: readonly Step[] };

const work: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('work' as const),
  name: fc.constantFrom('pure' as const, 'safe' as const, 'manual' as const),
});
const delay: fc.Arbitrary<Step> = fc.constant<Step>({ kind: 'delay' });

function steps(depth: number): fc.Arbitrary<readonly Step[]> {
  const inner: fc.Arbitrary<Step>[] =
    depth === 0
      ? []
      : [
          fc.record({
            kind: fc.constant('container' as const),
            container: fc.constantFrom(...CONTAINERS),
            steps: steps(depth - 1),
          }),
        ];
  return fc.array(fc.oneof(work, work, delay, ...inner, ...inner), { minLength: 1, maxLength: 3 });
}

function nodesOf(from_: readonly Step[], inSaga: boolean): Nodes {
  const nodes: Record<string, Part> = {};
  const outputs: Record<string, Part> = {};
  from_.forEach((step, index) => {
    const key = `n${index}`;
    nodes[key] = partOf(step, index + 1 < from_.length ? `n${index + 1}` : 'end', inSaga);
    if (step.kind !== 'delay') outputs[key] = from(`nodes.${key}.output`);
  });
  return { ...nodes, end: complete(object(outputs)) };
}

function partOf(step: Step, next: string, inSaga: boolean): Part {
  switch (step.kind) {
    case 'delay':
      return { kind: 'delay', duration: '1s', next };
    case 'work':
      return activity(step.name, next, inSaga && step.name !== 'pure' ? { compensation: undo() } : {});
    case 'container': {
      const within = body(nodesOf(step.steps, inSaga || step.container === 'saga'));
      return around(step.container, within, { next });
    }
  }
}

/** What an attempt of forward work comes to, in the order in which they begin; later ones succeed. */
const script = fc.array(fc.constantFrom('fails', 'succeeds', 'succeeds', 'held'), { maxLength: 25 });

/** Small, so that what passes through many loops does not grow beyond the limit of a value. */
function resultOf({ node, input }: Pick<Work, 'node' | 'input'>): Json {
  return { by: node, of: contentDigest(input) };
}

function contentDigest(value: Json): number {
  let sum = 7;
  for (const char of canonicalize(value)) sum = (sum * 31 + char.charCodeAt(0)) % 1_000_003;
  return sum;
}

function outcome(driver: Driver): Json {
  const { run } = driver.scenario;
  if (run.status.kind !== 'succeeded') throw new Error(`the run is ${run.status.kind}:\n${encodeCheckpoint(run)}`);
  return run.status.output.value;
}

const HANDLED = ['pure', 'safe', 'manual'] as const;

function handledBy(handler: (work: Work) => ReturnType<typeof output> | 'held') {
  return Object.fromEntries(HANDLED.map((name) => [name, handler]));
}

/** Reports what is held, in the order in which it began, and goes on. */
function releaseHeld(driver: Driver): boolean {
  const [held] = [...driver.held];
  if (held === undefined) return false;
  driver.held.delete(held);
  const leaf = driver.scenario.run.leaves.get(held as ActivationId);
  if (leaf?.status.kind === 'claimed')
    driver.scenario.report(output(resultOf({ node: leaf.node, input: leaf.input.value })), held);
  return true;
}

function throughAll(
  program: Program,
  endings: readonly string[],
  restarts: boolean,
): { driver: Driver; failures: number } {
  let begun = 0;
  const driver = drive(
    program,
    handledBy((work_) => {
      const ending = endings[begun++];
      if (ending === 'held') return 'held';
      return ending === 'fails' ? error('broken') : output(resultOf(work_));
    }),
  );
  driver.afterStep = (step) => {
    if (restarts && step % 3 === 0) driver.scenario.restart(step % 2 === 0 ? 'history' : 'checkpoint');
  };
  let failures = 0;
  for (;;) {
    do driver.finish();
    while (!isTerminal(driver.scenario.run.status) && releaseHeld(driver));
    if (driver.scenario.run.status.kind !== 'failed') return { driver, failures };
    failures += 1;
    if (failures > endings.length) throw new Error('the run fails without a failing attempt');
    driver.held.clear();
    expect(driver.scenario.reopen()).toEqual({ kind: 'accepted' });
  }
}

describe('a run that failed and was opened again', () => {
  it('ends as one that never failed, with each activation accepted once and its effect undone or counted once', () => {
    let reopened = 0;
    fc.assert(
      fc.property(steps(2), script, fc.boolean(), (flow, endings, restarts) => {
        const program = workflow(nodesOf(flow, false));
        const clean = drive(
          program,
          handledBy((each) => output(resultOf(each))),
        ).finish();
        const { driver, failures } = throughAll(program, endings, restarts);
        reopened += failures;
        expect(outcome(driver)).toEqual(outcome(clean));
        checkHistory(program, driver.scenario.history);
        const { history } = driver.scenario;
        const kept = history.flatMap(({ body: each }) =>
          each.kind === 'activity_succeeded' && roleOf(each.activation) === 'forward' ? [each.activation] : [],
        );
        const undone = history.flatMap(({ body: each }) =>
          each.kind === 'compensation_completed' ? [each.activation] : [],
        );
        expect(new Set(kept).size).toBe(kept.length);
        expect(new Set(undone).size).toBe(undone.length);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 40), seed: 20_261_201 + Number(process.env['SEED'] ?? 0) },
    );
    // The property says nothing about runs that never failed.
    expect(reopened).toBeGreaterThan(15);
  });
});
