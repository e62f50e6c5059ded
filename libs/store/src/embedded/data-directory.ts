/**
 * The data directory of embedded mode: `lock` (who has it), `identity.json` (what it is), `db` (the database).
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GraphrunError } from '@graphrun/protocol';
import { DirectoryLock } from './directory-lock.js';

/** Format of the directory: raised when an older program must not open it. */
const DIRECTORY_FORMAT = 1;
/** Major version of the PostgreSQL that PGlite contains: it reads only files of its own major version. */
const POSTGRES_MAJOR = '18';

interface Identity {
  readonly format: number;
  readonly id: string;
  readonly postgres: string;
  readonly created_at: string;
}

export class DataDirectory {
  private constructor(
    readonly path: string,
    /** Identity of this directory, stable over restarts. */
    readonly id: string,
    private readonly lock: DirectoryLock,
  ) {}

  /** Creates the directory if needed and locks it. Throws `FailedPrecondition` when it is in use or of a newer format. */
  static open(dataDir: string): DataDirectory {
    const path = resolve(dataDir);
    try {
      mkdirSync(path, { recursive: true });
    } catch (error) {
      throw new GraphrunError(
        'FailedPrecondition',
        `The data directory ${path} cannot be created: check the path and its permissions.`,
        { cause: error },
      );
    }
    const lock = DirectoryLock.acquire(path);
    try {
      return new DataDirectory(path, readOrCreateIdentity(path).id, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  get databasePath(): string {
    return join(this.path, 'db');
  }

  hasDatabase(): boolean {
    return existsSync(this.databasePath);
  }

  close(): void {
    this.lock.release();
  }
}

function readOrCreateIdentity(directory: string): Identity {
  const path = join(directory, 'identity.json');
  if (existsSync(path)) return readIdentity(path);
  const identity: Identity = {
    format: DIRECTORY_FORMAT,
    id: randomUUID(),
    postgres: POSTGRES_MAJOR,
    created_at: new Date().toISOString(),
  };
  writeFileSync(`${path}.new`, `${JSON.stringify(identity, null, 2)}\n`);
  renameSync(`${path}.new`, path);
  return identity;
}

function readIdentity(path: string): Identity {
  let identity: Partial<Identity>;
  try {
    identity = JSON.parse(readFileSync(path, 'utf8')) as Partial<Identity>;
  } catch (error) {
    throw new GraphrunError(
      'FailedPrecondition',
      `${path} cannot be read: restore it from a backup of the directory.`,
      {
        cause: error,
      },
    );
  }
  const { format, id, postgres, created_at } = identity;
  if (typeof format !== 'number' || typeof id !== 'string' || typeof postgres !== 'string') {
    throw new GraphrunError(
      'FailedPrecondition',
      `${path} is not the identity of a Graphrun data directory: choose another directory.`,
    );
  }
  if (format > DIRECTORY_FORMAT) {
    throw new GraphrunError(
      'FailedPrecondition',
      `The data directory has format ${format}, this version of Graphrun reads up to ${DIRECTORY_FORMAT}: use the newer version.`,
      { details: { format, supported: DIRECTORY_FORMAT } },
    );
  }
  if (postgres !== POSTGRES_MAJOR) {
    throw new GraphrunError(
      'FailedPrecondition',
      `The data directory holds files of PostgreSQL ${postgres}, this version of Graphrun contains PostgreSQL ` +
        `${POSTGRES_MAJOR}: make a backup with the version that wrote it and restore it into a new directory.`,
      { details: { postgres, supported: POSTGRES_MAJOR } },
    );
  }
  return { format, id, postgres, created_at: created_at ?? '' };
}
