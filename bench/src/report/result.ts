/** One line of the report: one measurement, repeated. */
import type { Machine } from '../machine.js';
import { significant } from '../statistics.js';
import type { Spread } from '../statistics.js';

export interface Result {
  readonly id: string;
  readonly variant: string;
  /** What one unit is: `runs`, `commands`. */
  readonly unit: string;
  readonly repeats: number;
  readonly metrics: Readonly<Record<string, Spread>>;
  /** Processor time for each unit by process, ms; all repeats together. */
  readonly cpu_ms: Readonly<Record<string, number>>;
  /** Calls that wrote to sockets and files, for each unit by process. */
  readonly writes: Readonly<Record<string, number>>;
  /** All cores divided by that time: what the machine could carry if it did nothing else and nobody ever waited. 0: unknown. */
  readonly cpu_bound_per_s: number;
  /** Of all cores, 0 to 1: `busy` in total, `others` by processes that do not belong to the benchmark. */
  readonly machine_use: Readonly<Record<string, number>>;
  /** What NATS and PostgreSQL did for each unit: messages, transactions, waits for the disk, bytes of log. */
  readonly traffic: Readonly<Record<string, number>>;
  /** What is measured beside it in the same run. */
  readonly floors: Readonly<Record<string, number>>;
  /** Our rate as a share of floors. */
  readonly ratios: Readonly<Record<string, number>>;
  readonly machine: Machine;
}

/** One line of JSON, with as many digits as mean something. */
export function jsonLine(result: Result): string {
  return JSON.stringify(result, (_key, value: unknown) => (typeof value === 'number' ? significant(value) : value));
}
