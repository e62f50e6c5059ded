/** Values of bindings and truth of conditions (spec 01), a second time and as plainly as possible. */
import type { Binding, Condition, Json, Projection, Reference } from '@graphrun/dsl';
import { engineFailure, Fails, isWords, Unpredictable } from './failure.js';

/** The value of a reference. */
export type Read = (reference: Reference) => Json;

/** @throws Fails with `binding.missing`. */
export function valueOf(binding: Binding, read: Read): Json {
  if ('literal' in binding) return binding.literal;
  if ('array' in binding) return binding.array.map((item) => valueOf(item, read));
  if ('object' in binding) {
    return Object.fromEntries(Object.entries(binding.object).map(([name, member]) => [name, valueOf(member, read)]));
  }
  const found = lookUp(binding, read);
  if (found !== undefined) return found;
  if (binding.default !== undefined) return binding.default;
  throw new Fails(engineFailure('binding.missing'));
}

/** What a projection points at; undefined where there is nothing. An explicit null is something. */
function lookUp({ from, path = '' }: Projection, read: Read): Json | undefined {
  let value: Json | undefined = read(from);
  for (const escaped of path.split('/').slice(1)) {
    value = memberOf(value, escaped.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (value === undefined) return undefined;
  }
  return value;
}

function memberOf(value: Json, token: string): Json | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (!isList(value)) return Object.hasOwn(value, token) ? value[token] : undefined;
  return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** @throws Fails with `binding.missing` or `binding.kind`. */
export function truthOf(condition: Condition, read: Read): boolean {
  if ('all' in condition) return condition.all.every((inner) => truthOf(inner, read));
  if ('any' in condition) return condition.any.some((inner) => truthOf(inner, read));
  if ('not' in condition) return !truthOf(condition.not, read);
  if ('exists' in condition) return lookUp(condition.exists, read) !== undefined;
  if ('eq' in condition) return areEqual(condition.eq, read);
  if ('ne' in condition) return !areEqual(condition.ne, read);
  if ('lt' in condition) return difference(condition.lt, read) < 0;
  if ('le' in condition) return difference(condition.le, read) <= 0;
  if ('gt' in condition) return difference(condition.gt, read) > 0;
  return difference(condition.ge, read) >= 0;
}

type Operands = readonly [Binding, Binding];

function areEqual([first, second]: Operands, read: Read): boolean {
  const [left, right] = [valueOf(first, read), valueOf(second, read)];
  if (isComposite(left) || isComposite(right)) throw new Fails(engineFailure('binding.kind'));
  if (left === null || right === null) return left === right;
  if (typeof left !== typeof right) throw new Fails(engineFailure('binding.kind'));
  if (isWords(String(left)) && isWords(String(right))) throw new Unpredictable('words of the engine are compared');
  return left === right;
}

function isComposite(value: Json): value is readonly Json[] | { readonly [name: string]: Json } {
  return value !== null && typeof value === 'object';
}

function difference([first, second]: Operands, read: Read): number {
  const [left, right] = [valueOf(first, read), valueOf(second, read)];
  if (typeof left !== 'number' || typeof right !== 'number') throw new Fails(engineFailure('binding.kind'));
  // Not their difference as a number, which may round to zero or overflow.
  return left === right ? 0 : left < right ? -1 : 1;
}
