/**
 * Rounds that nobody disturbed. On a machine with other work a rate says more about that work than about the product; so
 * a round may wait for a quiet moment, and does not count when the moment was over before the round.
 */
import { cpus } from 'node:os';
import type { CpuBreakdown } from './cpu/breakdown.js';
import { machineTimes } from './cpu/process-times.js';

/** Most that other processes may take of all cores, 0 to 1. */
const MOST_OTHERS = 0.1;
/** The servers under test take a little of this while they wait. */
const QUIET_BUSY = 0.2;
const LOOK_MS = 700;
/** For one round that counts. */
const PATIENCE_MS = 600_000;

/** Share of all cores that processes outside of the breakdown took. */
export function othersShare({ seconds, processes, machine }: CpuBreakdown, cores = cpus().length): number {
  const ours = Object.values(processes).reduce((sum, { user_s, system_s }) => sum + user_s + system_s, 0);
  return Math.max(0, machine.busy - ours / (seconds * cores));
}

/** Repeats `round` until it was undisturbed. Throws Error when the machine does not become quiet for ten minutes. */
export async function undisturbed<T extends object>(round: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    await becomesQuiet(deadline);
    const result = await round();
    const { cpu } = result as { readonly cpu?: CpuBreakdown };
    // What has no breakdown, the floors, can only be begun in a quiet moment.
    if (cpu === undefined || othersShare(cpu) <= MOST_OTHERS) return result;
  }
}

async function becomesQuiet(deadline: number): Promise<void> {
  for (;;) {
    const before = machineTimes();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const after = machineTimes();
    const busy = after.busy - before.busy;
    const free = after.idle - before.idle + (after.ioWait - before.ioWait);
    if (busy / (busy + free) < QUIET_BUSY) return;
    if (performance.now() > deadline) {
      const minutes = Math.round(PATIENCE_MS / 60_000);
      throw new Error(
        `other processes kept the machine busy for ${minutes} minutes; end them, or leave out --undisturbed`,
      );
    }
  }
}
