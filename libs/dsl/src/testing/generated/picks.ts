/**
 * Choices as numbers. A generated definition is a function of a small tree of numbers, so fast-check shrinks numbers and
 * never has to know what a sound definition is: whatever the numbers are, something sound comes out.
 */
import fc from 'fast-check';

/**
 * Reads choices from a list. Zero is always the simplest one. When the list is used up, every choice is the simplest, or
 * the list begins again.
 */
export class Picks {
  readonly #numbers: readonly number[];
  readonly #then: 'simplest' | 'again';
  #at = 0;

  constructor(numbers: readonly number[], then: 'simplest' | 'again' = 'simplest') {
    this.#numbers = numbers;
    this.#then = then;
  }

  /** An integer from 0 to `count - 1`. */
  below(count: number): number {
    if (this.#then === 'again' && this.#at >= this.#numbers.length) this.#at = 0;
    const number = this.#numbers[this.#at] ?? 0;
    this.#at += 1;
    return number % count;
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.below(times) === times - 1;
  }

  /** One of some options, of which the first is the simplest. */
  of<Option>(options: readonly [Option, ...Option[]]): Option {
    return options[this.below(options.length)] ?? options[0];
  }

  /** The items in another order; in their own when the choices are used up. */
  shuffle<Item>(items: readonly Item[]): readonly Item[] {
    const rest = [...items];
    return items.flatMap(() => rest.splice(this.below(rest.length), 1));
  }
}

/** Lists of choices. */
export function arbitraryPicks(maxLength: number): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.nat({ max: 255 }), { maxLength, size: 'max' });
}
