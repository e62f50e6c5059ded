/** Summaries of measured values. */

/** The middle value; of an even count the mean of the two in the middle. Throws RangeError for no values. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const upper = Math.floor(sorted.length / 2);
  const lower = sorted.length % 2 === 1 ? upper : upper - 1;
  return (at(sorted, lower) + at(sorted, upper)) / 2;
}

/**
 * The value that `share` (above 0, at most 1) of all values do not exceed: nearest rank, so that it is always a value
 * that was measured. Throws RangeError for no values.
 */
export function percentile(values: readonly number[], share: number): number {
  if (!(share > 0 && share <= 1)) throw new RangeError(`a share is above 0 and at most 1, not ${share}`);
  const sorted = ascending(values);
  return at(sorted, Math.ceil(share * sorted.length) - 1);
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = ascending(values);
  return { median: median(values), min: at(sorted, 0), max: at(sorted, sorted.length - 1) };
}

/** Spreads of the same metrics over repeats. Throws RangeError where a repeat lacks a metric of the first. */
export function spreads(repeats: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, Spread>> {
  const names = Object.keys(repeats[0] ?? {});
  return Object.fromEntries(
    names.map((name) => {
      const values = repeats.map((metrics) => {
        const value = metrics[name];
        if (value === undefined) throw new RangeError(`a repeat has no ${name}`);
        return value;
      });
      return [name, spread(values)];
    }),
  );
}

/** `value` with `digits` significant digits, as a number. */
export function significant(value: number, digits = 4): number {
  return Number(value.toPrecision(digits));
}

function ascending(values: readonly number[]): readonly number[] {
  if (values.length === 0) throw new RangeError('there are no values to summarize');
  return [...values].sort((a, b) => a - b);
}

function at(values: readonly number[], index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError(`there is no value at ${index} of ${values.length}`);
  return value;
}
