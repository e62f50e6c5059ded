/** The address that control serves on: off loopback only with authentication, and a sentence for each way it can fail. */
import { createServer } from 'node:net';
import { GraphrunError } from '@graphrun/protocol';
import type { ControlConfig } from './config.js';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Throws `FailedPrecondition` for an address off loopback without API keys. */
export function checkAddress(config: Pick<ControlConfig, 'apiKeys'>, host: string): void {
  if (config.apiKeys.length > 0 || isLoopback(host)) return;
  throw new GraphrunError(
    'FailedPrecondition',
    `Refusing to serve on ${host} without authentication; set GRAPHRUN_API_KEYS=name:token, or serve on 127.0.0.1.`,
  );
}

/**
 * Binds the address for a moment, so that a process with much to start learns first that it cannot serve. Somebody may
 * still take it in between; `listen` then says the same. Throws as `checkAddress`, and `Unavailable` when it is taken.
 */
export async function tryAddress(config: Pick<ControlConfig, 'apiKeys'>, host: string, port: number): Promise<void> {
  checkAddress(config, host);
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (cause) {
    throw addressProblem(cause, host, port);
  }
  await new Promise((resolve) => server.close(resolve));
}

/** The error of a failed listen, in a sentence. */
export function addressProblem(cause: unknown, host: string, port: number): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return new GraphrunError(
        'Unavailable',
        `Port ${port} on ${host} is taken; stop what uses it or choose another with --port or GRAPHRUN_HTTP_PORT.`,
        { cause },
      );
    case 'EACCES':
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new GraphrunError(
        'InvalidArgument',
        `Cannot serve on ${host}:${port} (${code}); choose another host or port.`,
        {
          cause,
        },
      );
    default:
      return cause;
  }
}
