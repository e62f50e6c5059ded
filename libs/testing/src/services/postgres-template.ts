import { execFile } from 'node:child_process';
import { chownSync, lstatSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerAccount } from './server-account.js';

const run = promisify(execFile);

/** Superuser of every cluster the harness makes; also its only role. */
export const POSTGRES_USER = 'graphrun';

/**
 * Makes `dataDir` a fresh PostgreSQL cluster. `initdb` takes one to two seconds here, a copy of its result a tenth of
 * that, so the result is kept as a template beside the temporary directories, one for each version and user.
 */
export async function createCluster(
  binDir: string,
  dataDir: string,
  account: ServerAccount | undefined,
): Promise<void> {
  const template = await ensureTemplate(binDir, account);
  await run('cp', ['-a', `${template}/.`, dataDir], { ...account, cwd: '/' });
}

async function ensureTemplate(binDir: string, account: ServerAccount | undefined): Promise<string> {
  const { stdout } = await run(join(binDir, 'postgres'), ['--version'], { cwd: '/' });
  const version = stdout.trim().replace(/[^A-Za-z0-9.]+/g, '-');
  const uid = account?.uid ?? process.getuid?.() ?? 0;
  const template = join(tmpdir(), `graphrun-template-${version}-${uid}`);
  if (isOurs(template, uid)) return template;

  // Made under another name first: a template that exists is complete, whoever makes it at the same time.
  const draft = mkdtempSync(join(tmpdir(), 'graphrun-template-draft-'));
  try {
    if (account) chownSync(draft, account.uid, account.gid);
    const dir = join(draft, basename(template));
    const options = ['--auth=trust', `--username=${POSTGRES_USER}`, '--encoding=UTF8', '--locale=C', '--no-sync'];
    await run(join(binDir, 'initdb'), ['-D', dir, ...options], { ...account, cwd: draft });
    try {
      renameSync(dir, template);
    } catch (error) {
      if (!isOurs(template, uid)) throw error; // otherwise another process was first, with the same result
    }
    return template;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A directory of that name in the shared temporary directory is used only if our own user made it. */
function isOurs(path: string, uid: number): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return false;
  if (entry.isDirectory() && entry.uid === uid) return true;
  throw new Error(`${path} belongs to another user; remove it, or set TMPDIR to a directory of your own`);
}
