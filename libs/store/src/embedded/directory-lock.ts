/**
 * One process owns a data directory. Node has no lock that the system frees when a process dies, so the lock is a file
 * that says who holds it, and a lock whose holder is dead is taken over.
 *
 * The difficulty is two processes that find the same dead holder: each would replace the file, and the slower one
 * would replace the faster one's. So taking over a lock needs a lock of its own, named for the one to be replaced;
 * whoever has it looks again before replacing. All steps are links and renames, which a `kill -9` cannot split.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { GraphrunError } from '@graphrun/protocol';
import { systemErrorCode } from './system-error.js';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in ticks since boot: another process may have got the same pid. Null where unknown. */
  readonly startTicks: string | null;
  /** When the lock was taken, for people. */
  readonly since: string;
  readonly nonce: string;
}

export class DirectoryLock {
  private constructor(
    private readonly path: string,
    private readonly nonce: string,
  ) {}

  /** Throws `FailedPrecondition` naming the holder when a living process has the directory. */
  static acquire(directory: string): DirectoryLock {
    const holder: Holder = {
      pid: process.pid,
      host: hostname(),
      startTicks: startTicksOf(process.pid),
      since: new Date().toISOString(),
      nonce: randomBytes(8).toString('hex'),
    };
    const path = join(directory, 'lock');
    const prepared = `${path}.new.${holder.nonce}`;
    writeFileSync(prepared, JSON.stringify(holder));
    try {
      take(directory, path, prepared, holder);
    } finally {
      rmSync(prepared, { force: true });
    }
    return new DirectoryLock(path, holder.nonce);
  }

  release(): void {
    if (readHolder(this.path)?.nonce === this.nonce) unlinkSync(this.path);
  }
}

function take(directory: string, path: string, prepared: string, mine: Holder): void {
  for (;;) {
    if (linked(prepared, path)) return;
    const other = readHolder(path);
    if (other === null) continue;
    if (isAlive(other)) throw heldBy(directory, path, other);

    const turn = `${path}.after.${other.nonce}`;
    take(directory, turn, prepared, mine);
    try {
      if (readHolder(path)?.nonce !== other.nonce) continue;
      const replacement = `${prepared}.take`;
      linkSync(prepared, replacement);
      renameSync(replacement, path);
      return;
    } finally {
      unlinkSync(turn);
    }
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Null when there is no lock. A file that holds no lock (a power loss can empty it) counts as held by nobody. */
function readHolder(path: string): Holder | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const { pid, host, startTicks, since, nonce } = JSON.parse(text) as Partial<Holder>;
    if (typeof pid === 'number' && typeof host === 'string' && typeof nonce === 'string') {
      return { pid, host, startTicks: startTicks ?? null, since: since ?? 'an unknown time', nonce };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { pid: 0, host: hostname(), startTicks: null, since: 'an unknown time', nonce: 'unreadable' };
}

/** Nobody can tell whether a process of another host lives, so it counts as living. */
function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  if (holder.pid <= 0) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    if (systemErrorCode(error) === 'ESRCH') return false;
  }
  const ticks = startTicksOf(holder.pid);
  return ticks === null || holder.startTicks === null || ticks === holder.startTicks;
}

/** Field 22 of /proc/<pid>/stat; null where there is no such file. A zombie holds no files and counts as gone. */
function startTicksOf(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes(systemErrorCode(error) ?? '')) return null;
    throw error;
  }
  // The second field is a name in parentheses that may contain anything; the fields are counted behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? 'zombie' : (fields[19] ?? null);
}

function heldBy(directory: string, path: string, holder: Holder): GraphrunError {
  const elsewhere =
    holder.host === hostname() ? '' : ` If host ${holder.host} no longer runs it, remove ${path} and start again.`;
  return new GraphrunError(
    'FailedPrecondition',
    `The data directory ${directory} is in use by process ${holder.pid} on ${holder.host} since ${holder.since}. ` +
      `Stop that process or use another data directory.${elsewhere}`,
    { details: { directory, pid: holder.pid, host: holder.host, since: holder.since } },
  );
}
