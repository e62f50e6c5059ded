/** Conditions in words: `scope.input.tier is "gold" and scope.input.total is more than 100`. */
import type { Binding, Condition } from '@graphrun/dsl';
import { bindingWords, projectionWords } from './binding-words.js';

export function conditionWords(condition: Condition): string {
  if ('all' in condition) return joined(condition.all, 'and');
  if ('any' in condition) return joined(condition.any, 'or');
  if ('exists' in condition) return `${projectionWords(condition.exists)} exists`;
  if ('not' in condition) {
    return 'exists' in condition.not
      ? `${projectionWords(condition.not.exists)} does not exist`
      : `not (${conditionWords(condition.not)})`;
  }
  return comparisonWords(condition);
}

type Comparison = Exclude<Condition, { all: unknown } | { any: unknown } | { not: unknown } | { exists: unknown }>;

function comparisonWords(condition: Comparison): string {
  if ('eq' in condition) return between(condition.eq, 'is');
  if ('ne' in condition) return between(condition.ne, 'is not');
  if ('lt' in condition) return between(condition.lt, 'is less than');
  if ('le' in condition) return between(condition.le, 'is at most');
  if ('gt' in condition) return between(condition.gt, 'is more than');
  return between(condition.ge, 'is at least');
}

function between([left, right]: readonly [Binding, Binding], words: string): string {
  return `${bindingWords(left)} ${words} ${bindingWords(right)}`;
}

/** Parentheses around a list inside a list: `a or (b and c)`. */
function joined(conditions: readonly Condition[], word: 'and' | 'or'): string {
  if (conditions.length === 1) return conditions.map(conditionWords).join('');
  return conditions
    .map((inner) => {
      const isList = ('all' in inner && inner.all.length > 1) || ('any' in inner && inner.any.length > 1);
      return isList ? `(${conditionWords(inner)})` : conditionWords(inner);
    })
    .join(` ${word} `);
}
