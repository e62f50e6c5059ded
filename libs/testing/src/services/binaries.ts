import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian's postgresql-common keeps each major version. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
/** Debian installs servers here; it is often missing from an ordinary user's PATH. */
const SYSTEM_PATHS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin'];

/** A program the harness needs is not installed; the message says how to get it. */
export class MissingBinary extends Error {
  override readonly name = 'MissingBinary';
}

/** Full path of `nats-server`. @throws MissingBinary */
export function natsServerBinary(): string {
  const found = onPath('nats-server');
  if (found === undefined) {
    throw new MissingBinary('nats-server is not installed; on Debian run: apt-get install nats-server');
  }
  return found;
}

/** The directory with `postgres`, `initdb` and `pg_isready` of the newest PostgreSQL here. @throws MissingBinary */
export function postgresBinDir(): string {
  const versions = debianVersions().map((version) => join(DEBIAN_POSTGRES, version, 'bin'));
  const others = searchPath();
  const found = [...versions, ...others].find((dir) => isExecutable(join(dir, 'postgres')));
  if (found === undefined) {
    throw new MissingBinary('PostgreSQL is not installed; on Debian run: apt-get install postgresql');
  }
  return found;
}

function debianVersions(): readonly string[] {
  try {
    return readdirSync(DEBIAN_POSTGRES).sort((a, b) => Number(b) - Number(a));
  } catch {
    return []; // not a Debian layout: PATH decides
  }
}

function onPath(name: string): string | undefined {
  return searchPath()
    .map((dir) => join(dir, name))
    .find(isExecutable);
}

function searchPath(): readonly string[] {
  return [...(process.env.PATH ?? '').split(delimiter).filter((dir) => dir !== ''), ...SYSTEM_PATHS];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
