/** Scripts as a few numbers: what a call comes to depends on where it is, and on nothing else. */
import fc from 'fast-check';
import type { ActivityRef, Json, SchemaRef } from '@graphrun/dsl';
import type { BufferedSignal, Call, Ending, Script } from '../oracle/index.js';

export interface ScriptChoices {
  /** Endings that calls draw from. */
  readonly endings: readonly Ending[];
  /** Whether waits are answered that draw the number of this place. */
  readonly answers: readonly boolean[];
}

/** What a script needs to know of a catalog. */
export interface Handlers {
  readonly perform: (activity: ActivityRef, input: Json) => Json;
  readonly supply: (schema: SchemaRef) => Json;
  /** Payload for the signal of a wait; `number` is another with each wait. */
  readonly payload: (signal: string, number: number) => Json;
}

export function arbitraryScript(codes: readonly string[]): fc.Arbitrary<ScriptChoices> {
  const success: Ending = { kind: 'success' };
  const error = fc.constantFrom(...codes).map((code): Ending => ({ kind: 'error', code, message: `${code} it was` }));
  const loss = fc.record({
    kind: fc.constantFrom('worker_lost', 'timeout', 'unhandled', 'bad_output'),
    applied: fc.boolean(),
  });
  const ending = fc.oneof(
    { weight: 20, arbitrary: fc.constant(success) },
    { weight: 3, arbitrary: error },
    { weight: 3, arbitrary: loss },
  );
  return fc.record({
    endings: fc.array(ending, { minLength: 1, maxLength: 24, size: 'max' }),
    answers: fc.array(
      fc.nat({ max: 3 }).map((n) => n < 3),
      { minLength: 1, maxLength: 5 },
    ),
  });
}

export function scriptOf(
  { endings, answers }: ScriptChoices,
  { perform, supply, payload }: Handlers,
  buffered: readonly BufferedSignal[],
): Script {
  return {
    ending: ({ path, role, attempt }: Call) =>
      endings[numberOf(`${path} ${role} ${attempt}`) % endings.length] ?? { kind: 'success' },
    perform,
    buffered,
    answer: (path, signal) => {
      const number = numberOf(path);
      return answers[number % answers.length] === true ? payload(signal, number % 100) : undefined;
    },
    supply,
  };
}

/** FNV-1a, mixed once more because its low bits are poor. */
function numberOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619) >>> 0;
  }
  return Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 0;
}
