import { readFileSync } from 'node:fs';

/** The account a server process runs as; undefined means: as ourselves. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root, so that a hole in it is not a hole in the machine. When we are root it runs as
 * `postgres`, which Debian's package creates, or else as `nobody`.
 */
export function postgresAccount(): ServerAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = accounts.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error(
    'PostgreSQL does not run as root and there is no user postgres or nobody; create one: adduser --system postgres',
  );
}
