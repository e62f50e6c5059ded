/**
 * Two keywords that Ajv checks in ways that do not do here. `uniqueItems` compares each item with all others: an array of
 * 256 KiB, which anybody may send, would hold up its owner for ten seconds. And `multipleOf` divides in floating point: 19.99
 * would be no multiple of 0.01.
 */
import type { Ajv } from 'ajv';
import { canonicalize } from '../canonical.js';
import type { Json } from '../value.js';

export function addExactKeywords(ajv: Pick<Ajv, 'removeKeyword' | 'addKeyword'>): void {
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (wanted: boolean, items: readonly Json[]) => !wanted || areUnique(items),
    error: { message: 'must not have equal items' },
  });
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: (divisor: number, value: number) => isMultipleOf(value, divisor),
    error: { message: ({ schema }) => `must be a multiple of ${String(schema)}` },
  });
}

/** Equal are values with the same canonical JSON. */
export function areUnique(items: readonly Json[]): boolean {
  const seen = new Set<string>();
  for (const item of items) seen.add(canonicalize(item));
  return seen.size === items.length;
}

/** Of the decimals that the numbers are written as; `divisor` is above 0. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const dividend = decimalOf(value);
  const by = decimalOf(divisor);
  const scale = Math.max(dividend.scale, by.scale);
  return (dividend.digits * powerOfTen(scale - dividend.scale)) % (by.digits * powerOfTen(scale - by.scale)) === 0n;
}

/** The value is `digits` / 10^`scale`. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), scale: fraction.length - Number(exponent) };
}

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}
