/** Processor time that a process has used, from `/proc`. */
import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second for user programs, on every architecture. */
const TICK_MS = 10;

/** User and system time since the start of the process, ms. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold spaces; `utime` and `stime` are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
