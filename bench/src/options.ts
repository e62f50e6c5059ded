/** Options of the command line. */
import { parseArgs } from 'node:util';

export const BENCHMARKS = ['floors', 'B1', 'B1x', 'B2', 'B3', 'B4', 'B8', 'B9'] as const;
export type BenchmarkId = (typeof BENCHMARKS)[number];

export interface BenchOptions {
  /** What to run; floors are measured beside what they stand under. */
  readonly only: ReadonlySet<BenchmarkId>;
  /** Repeats of each measurement, of which the median counts. */
  readonly repeats: number;
  /** A quarter of the work: for a look, not for figures. */
  readonly quick: boolean;
  /** Only rounds count beside which other processes took less than a tenth of the cores. */
  readonly undisturbed: boolean;
  readonly coordinators: number;
  readonly partitions: number;
  /** Where CPU profiles of the services go; null records none. */
  readonly profileDir: string | null;
}

export const USAGE = `Usage: npm run bench -- [options]
  --only B1,B2,B8       benchmarks to run (all); "floors" alone measures only the floors
  --runs N              repeats of each measurement, the median counts (3)
  --quick               a quarter of the work: for a look, not for figures
  --undisturbed         wait for quiet moments, and count only rounds that other processes left alone
  --coordinators N      coordinators of the cluster (1)
  --partitions N        partitions of the cluster (16)
  --profile [DIR]       also record CPU profiles of coordinator, control and worker (bench-profiles)
JSON lines on standard output, a table on standard error.`;

/** Throws Error with a sentence for what is wrong. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    // A directory after --profile may be left out, which parseArgs has no word for.
    args: args.map((arg, index) =>
      arg === '--profile' && !hasValue(args[index + 1]) ? '--profile=bench-profiles' : arg,
    ),
    options: {
      only: { type: 'string' },
      runs: { type: 'string' },
      quick: { type: 'boolean' },
      undisturbed: { type: 'boolean' },
      coordinators: { type: 'string' },
      partitions: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  return {
    only: new Set(values.only === undefined ? BENCHMARKS : values.only.split(',').map(benchmarkId)),
    repeats: positive('--runs', values.runs ?? '3'),
    quick: values.quick ?? false,
    undisturbed: values.undisturbed ?? false,
    coordinators: positive('--coordinators', values.coordinators ?? '1'),
    partitions: positive('--partitions', values.partitions ?? '16'),
    profileDir: values.profile ?? null,
  };
}

function hasValue(next: string | undefined): boolean {
  return next !== undefined && !next.startsWith('--');
}

function benchmarkId(text: string): BenchmarkId {
  const id = BENCHMARKS.find((known) => known.toLowerCase() === text.trim().toLowerCase());
  if (id === undefined) throw new Error(`--only knows ${BENCHMARKS.join(', ')}, not ${JSON.stringify(text)}`);
  return id;
}

function positive(option: string, text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text))
    throw new Error(`${option} takes a number from 1 to 999, not ${JSON.stringify(text)}`);
  return Number(text);
}
