import type { ValueTransformer } from 'typeorm';

/** `pg` gives bigint as text. Ours are safe integers: UTC milliseconds, sequences, counters. */
export const safeInteger: ValueTransformer = {
  to: (value: number | null) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};
