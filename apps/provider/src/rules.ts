/** What tests have asked for: the oldest rule that matches a request decides what it meets. */
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@graphrun/dsl';
import type { Behaviour, Match, Rule } from '@graphrun/testing';

interface Asked {
  readonly key: string;
  readonly activity: string;
  readonly input: Json;
}

/** Kept in memory: a test writes them anew for a provider that it has started again. */
export class Rules {
  #rules: readonly Rule[] = [];

  add(rule: Rule): void {
    this.#rules = [...this.#rules, rule];
  }

  clear(): void {
    this.#rules = [];
  }

  /** The behaviour for a request, which counts for its rule; null for the ordinary one. */
  take(asked: Asked): Behaviour | null {
    const rule = this.#rules.find(({ match }) => matches(match, asked));
    if (rule === undefined) return null;
    const left = { ...rule, times: rule.times - 1 };
    this.#rules = this.#rules.flatMap((other) => (other !== rule ? [other] : left.times > 0 ? [left] : []));
    return rule.behaviour;
  }
}

export function matches(match: Match, { key, activity, input }: Asked): boolean {
  if (match.activity !== undefined && match.activity !== activity) return false;
  if (match.key !== undefined && !key.endsWith(match.key)) return false;
  const members = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, Json>>) : {};
  return Object.entries(match.input ?? {}).every(([name, value]) => isDeepStrictEqual(members[name], value));
}
