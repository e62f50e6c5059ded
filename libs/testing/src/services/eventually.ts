import { inspect } from 'node:util';

/** Thrown when a condition did not come true in time; the message holds what was seen last. */
export class NeverHappened extends Error {
  override readonly name = 'NeverHappened';
}

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Asks `check` again and again until it gives something other than `undefined`, `null` or `false`, and returns that.
 * A check that throws (an assertion, a refused connection) has not come true yet. Tests wait with this and never
 * sleep: a fast machine goes on at once and a slow one gets the whole deadline.
 *
 * @param what names the condition in the error, e.g. `all 200 runs finished`
 * @throws NeverHappened after `timeoutMs`, with the last value or error seen
 */
export async function eventually<T>(
  what: string,
  check: () => T | Promise<T>,
  timeoutMs = 10_000,
): Promise<Exclude<T, undefined | null | false>> {
  const deadline = performance.now() + timeoutMs;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const seen = await attempt(check, deadline);
    if (seen.kind === 'value' && seen.value !== undefined && seen.value !== null && seen.value !== false) {
      return seen.value as Exclude<T, undefined | null | false>;
    }
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) throw neverHappened(what, timeoutMs, seen);
    await new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, leftMs)));
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

type Seen<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'unanswered' };

/** One check, cut off at the deadline: a check that hangs must not hide that the condition is late. */
async function attempt<T>(check: () => T | Promise<T>, deadline: number): Promise<Seen<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Seen<T>>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, deadline - performance.now()), { kind: 'unanswered' });
  });
  const answer = Promise.resolve()
    .then(check)
    .then(
      (value): Seen<T> => ({ kind: 'value', value }),
      (error: unknown): Seen<T> => ({ kind: 'error', error }),
    );
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function neverHappened<T>(what: string, timeoutMs: number, seen: Seen<T>): NeverHappened {
  const prefix = `"${what}" did not come true within ${timeoutMs} ms`;
  switch (seen.kind) {
    case 'value':
      return new NeverHappened(`${prefix}; last seen: ${inspect(seen.value, { depth: 6 })}`);
    case 'error': {
      const { error } = seen;
      const text = error instanceof Error ? error.message : inspect(error);
      return new NeverHappened(`${prefix}; the last check failed: ${text}`, { cause: error });
    }
    case 'unanswered':
      return new NeverHappened(`${prefix}; the last check never answered`);
  }
}
