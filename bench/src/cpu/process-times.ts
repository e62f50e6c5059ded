/** Processor time of processes, from /proc: benchmarks run on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports times in ticks of 1/100 s to programs, whatever the kernel uses inside. */
const TICKS_PER_SECOND = 100;

export interface ProcessTimes {
  readonly parent: number;
  /** Of the process, seconds. */
  readonly user: number;
  readonly system: number;
  /** Of its children that have ended and were collected, seconds. */
  readonly ended: number;
}

/** Reads a line of `/proc/<pid>/stat`. */
export function parseProcessTimes(line: string): ProcessTimes {
  // The name in parentheses may hold spaces and parentheses: the fields start after the last one.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const number = (index: number): number => Number(fields[index]);
  return {
    parent: number(1),
    user: number(11) / TICKS_PER_SECOND,
    system: number(12) / TICKS_PER_SECOND,
    ended: (number(13) + number(14)) / TICKS_PER_SECOND,
  };
}

/** null when the process is gone. */
export function processTimes(pid: number): ProcessTimes | null {
  try {
    return parseProcessTimes(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH')
      return null;
    throw error;
  }
}

/** Reads the count of write calls from `/proc/<pid>/io`: to files and sockets. */
export function parseWrites(text: string): number {
  return Number(/^syscw: (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Write calls since the process began; 0 when it is gone or belongs to somebody else. */
export function processWrites(pid: number): number {
  try {
    return parseWrites(readFileSync(`/proc/${pid}/io`, 'latin1'));
  } catch {
    return 0; // a benchmark of another user's server still has all other figures
  }
}

/** The process and its direct children, without those of them that have ended. */
export function family(pid: number): readonly number[] {
  const all = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
  return [pid, ...all.filter((other) => processTimes(other)?.parent === pid)];
}

export interface MachineTimes {
  readonly busy: number;
  readonly idle: number;
  /** Idle while a disk was waited for. */
  readonly ioWait: number;
  /** Taken by other machines on the same hardware. */
  readonly steal: number;
}

/** Reads the first line of `/proc/stat`: all cores together, seconds. */
export function parseMachineTimes(text: string): MachineTimes {
  const ticks = text.slice(0, text.indexOf('\n')).split(/ +/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0] = ticks;
  return {
    busy: (user + nice + system + irq + softIrq) / TICKS_PER_SECOND,
    idle: idle / TICKS_PER_SECOND,
    ioWait: ioWait / TICKS_PER_SECOND,
    steal: steal / TICKS_PER_SECOND,
  };
}

export function machineTimes(): MachineTimes {
  return parseMachineTimes(readFileSync('/proc/stat', 'latin1'));
}
