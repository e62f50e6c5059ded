import { readdirSync, readFileSync } from 'node:fs';

/** Sends a signal; false when the process is gone already. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * Whether a process runs. A zombie (ended, not yet collected by its parent) does not run any more, though signal 0
 * still reaches it.
 */
export function isRunning(pid: number): boolean {
  const status = readStatus(pid);
  return status === undefined ? signalProcess(pid, 0) : status.state !== 'Z';
}

/** Ids of the direct children of a process, from /proc; empty on systems without it. */
export function childrenOf(parent: number): readonly number[] {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return []; // no /proc here (macOS): callers then act on the parent alone
  }
  return entries
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => readStatus(pid)?.parent === parent);
}

interface ProcessStatus {
  readonly state: string;
  readonly parent: number;
}

function readStatus(pid: number): ProcessStatus | undefined {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined; // gone between listing and reading, or no /proc
  }
  // The name in parentheses may hold spaces and parentheses: the fields start after the last one.
  const [state, parent] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return state === undefined || parent === undefined ? undefined : { state, parent: Number(parent) };
}
