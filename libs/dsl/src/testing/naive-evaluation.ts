/**
 * Bindings and conditions evaluated a second time, by other means: tests hold the evaluator against this. It is slow and
 * says no more than `missing` or `kind` where something fails.
 */
import type { Binding, Condition } from '../ir.js';
import type { Json } from '../value.js';

/** Values by reference. */
export type Values = { readonly [reference: string]: Json };
export type Answer = { readonly value: Json } | { readonly fails: 'missing' | 'kind' };

class Failure extends Error {
  readonly kind: 'missing' | 'kind';

  constructor(kind: 'missing' | 'kind') {
    super(kind);
    this.kind = kind;
  }
}

export function naiveValue(binding: Binding, values: Values): Answer {
  return answer(() => valueOf(binding, values));
}

export function naiveTruth(condition: Condition, values: Values): Answer {
  return answer(() => truthOf(condition, values));
}

function answer(ask: () => Json): Answer {
  try {
    return { value: ask() };
  } catch (failure) {
    if (failure instanceof Failure) return { fails: failure.kind };
    throw failure;
  }
}

/** All places of a value by their pointer, as text: what is not in the list is not there. */
export function placesOf(value: Json, at = ''): ReadonlyMap<string, Json> {
  const places = new Map<string, Json>([[at, value]]);
  if (value === null || typeof value !== 'object') return places;
  for (const [key, inner] of Object.entries<Json>(value)) {
    const below = `${at}/${key.split('~').join('~0').split('/').join('~1')}`;
    for (const [pointer, found] of placesOf(inner, below)) places.set(pointer, found);
  }
  return places;
}

function valueOf(binding: Binding, values: Values): Json {
  if ('literal' in binding) return binding.literal;
  if ('array' in binding) return binding.array.map((item) => valueOf(item, values));
  if ('object' in binding) {
    return Object.fromEntries(Object.entries(binding.object).map(([key, item]) => [key, valueOf(item, values)]));
  }
  const found = placesOf(values[binding.from] ?? null).get(binding.path ?? '');
  if (found === undefined && binding.default === undefined) throw new Failure('missing');
  return found ?? (found === null ? null : (binding.default ?? null));
}

const kindOf = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

function truthOf(condition: Condition, values: Values): boolean {
  const [[operator, operands]] = Object.entries(condition) as [[string, never]];
  switch (operator) {
    case 'all':
      return !(operands as Condition[]).some((inner) => !truthOf(inner, values));
    case 'any':
      return (operands as Condition[]).some((inner) => truthOf(inner, values));
    case 'not':
      return !truthOf(operands, values);
    case 'exists': {
      const { from, path = '' } = operands as { from: string; path?: string };
      return placesOf(values[from] ?? null).has(path);
    }
    default: {
      const [left, right] = (operands as Binding[]).map((operand) => valueOf(operand, values)) as [Json, Json];
      return compare(operator, left, right);
    }
  }
}

function compare(operator: string, left: Json, right: Json): boolean {
  const kinds = [kindOf(left), kindOf(right)];
  if (kinds.includes('array') || kinds.includes('object')) throw new Failure('kind');
  const [first, second] = kinds;
  if (operator === 'eq' || operator === 'ne') {
    if (first !== second && !kinds.includes('null')) throw new Failure('kind');
    return (JSON.stringify(left) === JSON.stringify(right)) === (operator === 'eq');
  }
  if (first !== 'number' || second !== 'number') throw new Failure('kind');
  const sign = Math.sign(Number(left) - Number(right));
  return { lt: [-1], le: [-1, 0], gt: [1], ge: [1, 0] }[operator]?.includes(sign) ?? false;
}
