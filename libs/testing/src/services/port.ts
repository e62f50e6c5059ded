import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Ports come from below the range the kernel gives to outgoing connections (32768 and up on Linux). With a port of that
 * range, a service that is down for a restart could find its port taken by somebody's outgoing connection, or a client
 * that reconnects in a loop could even connect to itself.
 *
 * A port is reserved for the life of the process that asked for it, by a file with its pid: a server that is killed and
 * started again must not find that another test run has taken its port meanwhile.
 */
const FIRST_PORT = 20_000;
const PORT_COUNT = 12_000;
const MAX_TRIES = 400;

/** A TCP port on 127.0.0.1 that nobody listens on and that no living process has been given before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = FIRST_PORT + randomInt(PORT_COUNT);
    if (reserve(port) && (await canListen(port))) return port;
  }
  throw new Error(`found no free TCP port between ${FIRST_PORT} and ${FIRST_PORT + PORT_COUNT} in ${MAX_TRIES} tries`);
}

/** Several different free ports. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

/** One directory for each user: nobody can write into another's. */
function reservations(): string {
  const directory = join(tmpdir(), `graphrun-ports-${process.getuid?.() ?? 0}`);
  mkdirSync(directory, { recursive: true });
  return directory;
}

function reserve(port: number): boolean {
  const file = join(reservations(), String(port));
  if (isReserved(file)) return false;
  rmSync(file, { force: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    // Another process was faster by a moment.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isReserved(file: string): boolean {
  let pid: number;
  try {
    pid = Number(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process is there but not ours; or it is gone, and its reservation with it.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
