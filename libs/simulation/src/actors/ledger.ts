/**
 * The outside world that activities act on, and its own account of what happened. It repeats nothing under one key where
 * it is asked to be idempotent, and refuses what comes after the deadline it was given, or after it has answered that
 * nothing has happened and nothing will.
 */
import type { EffectKey } from '@graphrun/domain';

export interface Effect {
  readonly key: EffectKey;
  readonly activity: string;
  /** Calls that came, whatever became of them. */
  physical: number;
  /** Times that something has really happened. */
  logical: number;
  /** True time at which the provider said for the last time that it has not happened. */
  deniedAt: number;
}

export interface Call {
  readonly key: EffectKey;
  readonly activity: string;
  readonly idempotent: boolean;
  /** True time at which the worker began. */
  readonly begunAt: number;
  /** Engine time until which the call is wanted, null where nobody said. */
  readonly deadline: number | null;
}

export class Ledger {
  readonly effects = new Map<EffectKey, Effect>();

  constructor(
    readonly now: () => number,
    readonly happened: (effect: Effect) => void,
  ) {}

  /** False when the provider refused. */
  call({ key, activity, idempotent, begunAt, deadline }: Call): boolean {
    const effect = this.#effect(key, activity);
    effect.physical += 1;
    if ((deadline !== null && this.now() > deadline) || begunAt <= effect.deniedAt) return false;
    if (idempotent && effect.logical > 0) return true;
    effect.logical += 1;
    this.happened(effect);
    return true;
  }

  /** What a reconciler or a person finds out: conclusive, because whatever is still on its way is refused from now on. */
  ask(key: EffectKey, activity: string): 'applied' | 'not_applied' {
    const effect = this.#effect(key, activity);
    if (effect.logical > 0) return 'applied';
    effect.deniedAt = this.now();
    return 'not_applied';
  }

  #effect(key: EffectKey, activity: string): Effect {
    const effect = this.effects.get(key) ?? { key, activity, physical: 0, logical: 0, deniedAt: 0 };
    this.effects.set(key, effect);
    return effect;
  }
}
