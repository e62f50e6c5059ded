/** Choices as a list of numbers; when it is used up, the first option is taken. */
export class Picks {
  #at = 0;

  constructor(private readonly numbers: readonly number[]) {}

  get isUsedUp(): boolean {
    return this.#at >= this.numbers.length;
  }

  /** An integer from 0 to `count - 1`. */
  below(count: number): number {
    const number = this.numbers[this.#at] ?? 0;
    this.#at += 1;
    return number % count;
  }

  of<T>(options: readonly [T, ...T[]]): T {
    const [first, ...others] = options;
    const index = this.below(options.length);
    // Null is an option, too.
    return index === 0 ? first : (others[index - 1] as T);
  }
}
