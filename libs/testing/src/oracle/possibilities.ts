/** Everything that something nondeterministic may come to, by trying one choice after the other. */
import { Unpredictable } from './failure.js';

/** Chooses one of so many options, from 0. */
export type Choose = (options: number) => number;

/**
 * The results of `attempt` for all its choices. It is run once for each combination, so it must do nothing but compute.
 *
 * @throws Unpredictable when there are more than `most`.
 */
export function possibilities<T>(attempt: (choose: Choose) => T, most = 200): readonly T[] {
  const results: T[] = [];
  /** The choices of the attempt under way: what was taken, and out of how many. */
  const taken: { option: number; readonly options: number }[] = [];
  for (;;) {
    let made = 0;
    const result = attempt((options) => {
      if (made === taken.length) taken.push({ option: 0, options });
      made += 1;
      return taken[made - 1]?.option ?? 0;
    });
    if (results.length === most) throw new Unpredictable(`it may go in more than ${most} ways`);
    results.push(result);
    let last = taken.at(-1);
    while (last !== undefined && isLastOf(last)) {
      taken.pop();
      last = taken.at(-1);
    }
    if (last === undefined) return results;
    last.option += 1;
  }
}

interface Choice {
  readonly option: number;
  readonly options: number;
}

function isLastOf({ option, options }: Choice): boolean {
  return option + 1 === options;
}
