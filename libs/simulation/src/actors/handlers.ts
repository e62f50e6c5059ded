/** What handlers do, drawn from the seed for each attempt alone: the same whatever happens around it. */
import type { ReportOutcome } from '@graphrun/domain';
import type { Offer } from '@graphrun/protocol';
import { Random } from '../core/random.js';

export interface Behaviour {
  /** Whether the effect happens, where the activity has one. */
  readonly effect: boolean;
  readonly beforeMs: number;
  readonly afterMs: number;
  /** Null: it never says anything. */
  readonly outcome: ReportOutcome | null;
}

const UNHANDLED = { kind: 'unhandled', failure: { code: 'activity.unhandled', message: 'cut off' } } as const;

export function behaviourOf(seed: number, offer: Offer): Behaviour {
  const input = offer.input as { readonly id: string; readonly n: number };
  const random = Random.of(seed, `${input.id}/${offer.activation}/${offer.attempt}`);
  const base = { effect: true, beforeMs: random.int(0, 300), afterMs: random.int(0, 300) };
  const success: Behaviour = { ...base, outcome: { kind: 'success', output: offer.input } };
  // Runs of kind 1 go well; what undoes goes well in the end, or few would see it end.
  if (input.n === 1 || random.chance(0.5)) return success;
  const kinds: readonly (readonly [number, Behaviour])[] = [
    [10, success],
    [4, { ...base, effect: false, outcome: { kind: 'error', failure: { code: 'busy', message: 'later' } } }],
    [
      offer.role === 'forward' ? 4 : 1,
      { ...base, effect: false, outcome: { kind: 'error', failure: { code: 'refused', message: 'no' } } },
    ],
    [2, { ...base, effect: random.chance(0.5), outcome: UNHANDLED }],
    [1, { ...base, outcome: { kind: 'success', output: { wrong: true } } }],
    [2, { ...base, afterMs: random.int(1500, 5000), outcome: { kind: 'success', output: offer.input } }],
    [1, { ...base, beforeMs: random.int(1500, 5000), outcome: { kind: 'success', output: offer.input } }],
    [1, { ...base, effect: random.chance(0.5), outcome: null }],
    [1, { ...base, effect: false, outcome: { kind: 'returned', reason: 'no room' } }],
  ];
  return random.weighted(kinds);
}
