/** Scripts as a few numbers: what a call comes to depends on where it is, and on nothing else. */
import fc from 'fast-check';
import type { ActivityRef, Json, SchemaRef } from '@graphrun/dsl';
import type { Address, BufferedSignal, Call, Ending, Loss, Script } from '../oracle/index.js';

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
  /** Waits for this address stand one after the other, so a signal that nobody took is the next one's. */
  readonly isShared: (address: Address) => boolean;
}

const LOSSES = ['worker_lost', 'timeout', 'unhandled', 'bad_output', 'too_large'] as const;

export function arbitraryScript(codes: readonly string[]): fc.Arbitrary<ScriptChoices> {
  const success: Ending = { kind: 'success' };
  const error = fc.constantFrom(...codes).map((code): Ending => ({ kind: 'error', code, message: `${code} it was` }));
  const loss: fc.Arbitrary<Loss> = fc.record({
    kind: fc.constantFrom(...LOSSES),
    applied: fc.boolean(),
    person: fc.constantFrom('looks', 'looks', 'looks', 'repeats', 'fails'),
  });
  const ending = fc.oneof(
    { weight: 40, arbitrary: fc.constant(success) },
    { weight: 6, arbitrary: error },
    { weight: 6, arbitrary: loss },
    { weight: 1, arbitrary: fc.constant<Ending>({ kind: 'undecoded' }) },
  );
  return fc.record({
    endings: fc.array(ending, { minLength: 1, maxLength: 24, size: 'max' }),
    answers: fc.array(
      fc.nat({ max: 3 }).map((n) => n < 3),
      { minLength: 1, maxLength: 5 },
    ),
  });
}

/** A person adds ten attempts at most, and it is one at a time here. */
const REPEATED_UP_TO = 4;

export function scriptOf(
  { endings, answers }: ScriptChoices,
  { perform, supply, payload, isShared }: Handlers,
  buffered: readonly BufferedSignal[],
): Script {
  return {
    ending: (call) => {
      const { path, role, attempt } = call;
      const drawn = endings[numberOf(`${path} ${role} ${attempt}`) % endings.length] ?? { kind: 'success' };
      return 'person' in drawn && !mayBe(drawn, call) ? { ...drawn, person: 'looks' } : drawn;
    },
    perform,
    buffered,
    answer: (path, signal) => {
      const number = numberOf(path);
      return answers[number % answers.length] === true ? payload(signal, number % 100) : undefined;
    },
    late: (path, address) => {
      const number = numberOf(`late for ${path}`);
      return isShared(address) && number % 2 === 0 ? payload(address.signal, number % 100) : undefined;
    },
    supply,
  };
}

function mayBe({ person }: Loss, { role, attempt }: Call): boolean {
  if (person === 'fails') return role === 'forward';
  return attempt <= REPEATED_UP_TO;
}

/** FNV-1a, mixed once more because its low bits are poor. */
function numberOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619) >>> 0;
  }
  return Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 0;
}
