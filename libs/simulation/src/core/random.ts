/** Random numbers that follow from a seed alone. */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A stream of its own, which does not move when this one is asked more often. */
  static of(seed: number, name: string): Random {
    let hash = seed ^ 0x811c9dc5;
    for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    const random = new Random(hash);
    random.next();
    return random;
  }

  /** From 0 to 2^32-1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** From `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + (this.next() % (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability * 2 ** 32;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.next() % list.length];
    if (picked === undefined) throw new Error('there is nothing to pick from');
    return picked;
  }

  /** Picks by weight. */
  weighted<T>(choices: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.int(
      1,
      choices.reduce((sum, [weight]) => sum + weight, 0),
    );
    for (const [weight, value] of choices) {
      left -= weight;
      if (left <= 0) return value;
    }
    throw new Error('there is nothing to pick from');
  }
}
