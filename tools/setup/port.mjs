import { createServer } from 'node:net';
import { Problem } from './problem.mjs';

/** @throws Problem when somebody listens on that address already, or we may not */
export async function checkPort(host, port) {
  const error = await listenError(host, port);
  if (error === undefined) return;
  if (error.code === 'EADDRINUSE') {
    throw new Problem(
      `Port ${port} on ${host} is in use: end the program that listens there, or choose another port with "npm start -- --port ${port + 1}".`,
    );
  }
  throw new Problem(
    `Cannot listen on ${host} port ${port} (${error.code}): choose another address with "npm start -- --host 127.0.0.1 --port 7070".`,
  );
}

/** Why nobody may listen there; undefined when it is free. */
export function listenError(host, port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
