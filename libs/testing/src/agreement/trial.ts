/** One comparison of the engine with the oracle, with all that is chosen for it, so that a failed one can be read. */
import fc from 'fast-check';
import type { Definition, Json, Program } from '@graphrun/dsl';
import { differences, predict, Unpredictable, type BufferedSignal } from '../oracle/index.js';
import { observe } from './observe.js';
import { scriptOf, type Handlers, type ScriptChoices } from './script.js';
import { follow, type Course, type Trial } from './world.js';

export interface Subject {
  readonly program: Program;
  readonly input: Json;
  readonly buffered: readonly BufferedSignal[];
  /** The document. */
  readonly text: string;
}

export interface Events {
  readonly script: ScriptChoices;
  readonly choices: readonly number[];
  readonly cancelAfter: number | null;
}

/** What happens around a run. The first number that is tried is the simplest. */
export function arbitraryEvents(script: fc.Arbitrary<ScriptChoices>): fc.Arbitrary<Events> {
  return fc.record({
    script,
    choices: fc.array(fc.nat({ max: 65_535 }), { maxLength: 400, size: 'max' }),
    cancelAfter: fc.option(fc.nat({ max: 40 }), { freq: 5 }),
  });
}

export type Verdict = 'agreed' | 'skipped';

/** Runs the workflow and compares. `skipped` when the oracle cannot say what the run does. */
export function compare(subject: Subject, events: Events, handlers: Handlers): { verdict: Verdict; course: Course } {
  const { program, input, buffered } = subject;
  const script = scriptOf(events.script, handlers, buffered);
  const { choices, cancelAfter } = events;
  const trial: Trial = { program, input, script, choices, cancelAfter };
  const course = follow(trial);
  const predictions = predictionsOf(trial);
  if (predictions === null) return { verdict: 'skipped', course };
  const found = differences(predictions, observe(course));
  if (found.length > 0) throw new Error(report(found, course));
  return { verdict: 'agreed', course };
}

function predictionsOf({ program, input, script }: Trial) {
  try {
    return predict(program, input, script);
  } catch (error) {
    if (error instanceof Unpredictable) return null;
    throw error;
  }
}

const MOST_SHOWN = 5;

function report(found: readonly string[], { history }: Course): string {
  const events = history.map(({ seq, body }) => `${seq} ${JSON.stringify(body)}`);
  return ['the run and the oracle disagree', ...found.slice(0, MOST_SHOWN), '', 'history', ...events].join('\n');
}
