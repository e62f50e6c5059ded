/** One comparison of the engine with the oracle, with all that is chosen for it. */
import fc from 'fast-check';
import type { Json } from '@graphrun/dsl';
import {
  differences,
  predict,
  Unpredictable,
  type BufferedSignal,
  type Observation,
  type Prediction,
  type Script,
} from '../oracle/index.js';
import { perform, REPORTED, SIGNALS, supply } from './catalog.js';
import type { Engine } from './engine.js';
import { observe } from './observe.js';
import { arbitraryScript, scriptOf, type Handlers, type ScriptChoices } from './script.js';
import { arbitraryWorkflow, SHARED_KEY, type Workflow } from './workflows.js';
import { follow, type Course, type Stop } from './world.js';

export interface Trial {
  readonly workflow: Workflow;
  /** The number in the input of the workflow. */
  readonly n: number;
  /** Signals that are there before anything waits. */
  readonly signals: number;
  readonly script: ScriptChoices;
  /** Who is next, and what goes wrong on the way. */
  readonly choices: readonly number[];
  readonly stop: Stop | null;
}

/** The first number that is tried is the simplest. */
export function arbitraryTrial(workflow: fc.Arbitrary<Workflow> = arbitraryWorkflow()): fc.Arbitrary<Trial> {
  return fc.record({
    workflow,
    n: fc.nat({ max: 999 }),
    signals: fc.nat({ max: 4 }),
    script: arbitraryScript(REPORTED),
    choices: fc.array(fc.nat({ max: 65_535 }), { maxLength: 400, size: 'max' }),
    stop: fc.option(
      fc.record({
        after: fc.nat({ max: 40 }),
        by: fc.constantFrom('cancel', 'timeout', 'cancel, then timeout', 'timeout, then cancel'),
      }),
      { freq: 5 },
    ),
  });
}

const HANDLERS: Handlers = {
  perform,
  supply,
  payload: (signal, number) => ({ n: number, tag: signal }),
  isShared: ({ key }) => key === SHARED_KEY,
};

/** What a trial has come to. */
export interface Result {
  readonly input: Json;
  readonly script: Script;
  readonly course: Course;
  readonly seen: Observation;
  /** Null when the oracle cannot say what the run does. */
  readonly predicted: readonly Prediction[] | null;
  /** Empty when they agree. */
  readonly differences: readonly string[];
}

export function carryOut(engine: Engine, trial: Trial): Result {
  const { program } = trial.workflow;
  const script = scriptOf(trial.script, HANDLERS, buffered(trial.signals));
  const input = { n: trial.n, tag: 'start' };
  const course = follow({ engine, program, input, script, choices: trial.choices, stop: trial.stop });
  const seen = observe(course);
  const predicted = predictions(() => predict(program, input, script));
  return {
    input,
    script,
    course,
    seen,
    predicted,
    differences: predicted === null ? [] : differences(predicted, seen),
  };
}

function buffered(count: number): readonly BufferedSignal[] {
  return Array.from({ length: count }, (_, index) => {
    const signal = SIGNALS[index % SIGNALS.length] ?? SIGNALS[0];
    return { id: `signal ${index}`, signal, key: SHARED_KEY, payload: { n: index, tag: 'buffered' } };
  });
}

function predictions(predicting: () => readonly Prediction[]): readonly Prediction[] | null {
  try {
    return predicting();
  } catch (error) {
    if (error instanceof Unpredictable) return null;
    throw error;
  }
}
