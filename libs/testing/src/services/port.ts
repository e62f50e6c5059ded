import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/*
 * Ports come from below the range the kernel gives to outgoing connections (32768 and up on Linux). With a port of that
 * range, a service that is down for a restart could find its port taken by somebody's outgoing connection, or a client
 * that reconnects in a loop could even connect to itself.
 */
const FIRST_PORT = 20_000;
const PORT_COUNT = 12_000;
const MAX_TRIES = 200;

/** Ports this process has given away already: they may not be listened on yet. */
const given = new Set<number>();

/** A TCP port on 127.0.0.1 that nobody listens on and that this process has not handed out before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = FIRST_PORT + randomInt(PORT_COUNT);
    if (given.has(port) || !(await canListen(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`found no free TCP port between ${FIRST_PORT} and ${FIRST_PORT + PORT_COUNT} in ${MAX_TRIES} tries`);
}

/** Several different free ports. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
