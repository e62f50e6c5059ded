/** What a run of a workflow does, for everything that may depend on the order in which its work ends. */
import type { Json, Program } from '@graphrun/dsl';
import { Interpreter } from './interpreter.js';
import { possibilities } from './possibilities.js';
import type { Prediction } from './prediction.js';
import type { Script } from './script.js';

/**
 * One prediction for each choice of which of several failing bodies fails first; mostly there is only one. `input` must fit
 * the workflow, and no two waits that may be open at once have one address.
 *
 * @throws Unpredictable when it depends on words of the engine, or when there are too many ways.
 */
export function predict(program: Program, input: Json, script: Script): readonly Prediction[] {
  return possibilities((choose) => new Interpreter(program, input, script, choose).run());
}
