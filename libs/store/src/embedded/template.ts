/**
 * An empty store to copy. Creating one anew (initdb in WebAssembly, then the migrations) takes about four seconds,
 * copying one a quarter of a second, and `graphrun dev` is to be ready in two. So the first use on a machine leaves a
 * copy in the user's cache directory.
 */
import { randomBytes } from 'node:crypto';
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { migrationsDigest, runMigrations } from '../migrate.js';
import { openEmbeddedSession } from './embedded-session.js';
import { systemErrorCode } from './system-error.js';

/** Puts an empty store at `target`, which must not exist. All or nothing, also under `kill -9`. */
export async function createDatabaseFiles(target: string): Promise<void> {
  const unfinished = `${target}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const template = await prepareEmbeddedTemplate();
  if (template === null) await initialise(unfinished);
  else await cp(template, unfinished, { recursive: true });
  await rename(unfinished, target);
}

/**
 * Makes sure that the template exists, and returns its path; null when the cache directory cannot be written. A build
 * or an image can call it, so that not even the first start on a machine is slow.
 */
export async function prepareEmbeddedTemplate(): Promise<string | null> {
  const migrations = (await migrationsDigest()).slice(0, 16);
  const template = join(cacheDirectory(), `pglite-${pgliteVersion()}-${migrations}`);
  if (await exists(template)) return template;
  const unfinished = `${template}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(dirname(template), { recursive: true });
    await initialise(unfinished);
    await rename(unfinished, template);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process was faster, which is as good; otherwise there is no cache here (a read-only home).
    if (await exists(template)) return template;
    if (systemErrorCode(error) !== null) return null;
    throw error;
  }
  return template;
}

async function initialise(directory: string): Promise<void> {
  const session = await openEmbeddedSession(directory);
  try {
    await runMigrations(session.dataSource);
  } finally {
    await session.close();
  }
}

function cacheDirectory(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'graphrun');
}

function pgliteVersion(): string {
  const require = createRequire(import.meta.url);
  // The package does not export its package.json: it stands above the build that it does export.
  const manifest: unknown = require(join(dirname(require.resolve('@electric-sql/pglite')), '..', 'package.json'));
  return (manifest as { readonly version: string }).version;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== null) return false;
    throw error;
  }
}
