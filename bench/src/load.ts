/** A closed loop: a fixed number of requests in flight, the next one sent when one is answered. */
import { percentile } from './statistics.js';

export interface LoadResult {
  readonly seconds: number;
  /** One for each request, ms, in the order of their ends. */
  readonly latenciesMs: readonly number[];
}

/** Calls `request` with 0 to count-1, `inFlight` at once. The first failure ends the load and is thrown. */
export async function closedLoop(
  count: number,
  inFlight: number,
  request: (index: number) => Promise<void>,
): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  let next = 0;
  let failed = false;
  const loop = async (): Promise<void> => {
    while (next < count && !failed) {
      const index = next;
      next += 1;
      const sentAt = performance.now();
      try {
        await request(index);
      } catch (error) {
        failed = true; // the other loops stop after their request
        throw error;
      }
      latenciesMs.push(performance.now() - sentAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: Math.min(inFlight, count) }, loop));
  return { seconds: (performance.now() - startedAt) / 1000, latenciesMs };
}

/** How long each of `count` calls takes, ms. */
export function timed(count: number, work: () => unknown): readonly number[] {
  return Array.from({ length: count }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
}

export interface Rate {
  readonly [metric: string]: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
}

export function rateOf({ seconds, latenciesMs }: LoadResult): Rate {
  return {
    per_second: latenciesMs.length / seconds,
    p50_ms: percentile(latenciesMs, 0.5),
    p95_ms: percentile(latenciesMs, 0.95),
    p99_ms: percentile(latenciesMs, 0.99),
  };
}
