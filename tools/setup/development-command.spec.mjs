import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { developmentCommand } from './development-command.mjs';
import { checkPort } from './port.mjs';
import { root } from './project.mjs';

const main = join(root, 'apps/cli/dist/main.js');

describe('npm start', () => {
  it('serves the embedded suite on the loopback address and runs the order example', () => {
    expect(developmentCommand([])).toEqual({
      host: '127.0.0.1',
      port: 7070,
      args: [main, 'dev', '--host', '127.0.0.1', '--port', '7070', '--data-dir', '.graphrun/dev', '--example', 'order'],
    });
  });

  it('passes its own options on, and lets them win', () => {
    expect(developmentCommand(['--once', '--port', '7171', '--data-dir=/tmp/d'])).toEqual({
      host: '127.0.0.1',
      port: 7171,
      args: [main, 'dev', '--host', '127.0.0.1', '--example', 'order', '--once', '--port', '7171', '--data-dir=/tmp/d'],
    });
  });

  it('refuses a port that is none', () => {
    expect(() => developmentCommand(['--port', '70700'])).toThrow(
      '"70700" is no port: give a number from 0 to 65535, as in "npm start -- --port 7071".',
    );
  });

  it('says which port is taken and how to choose another one', async () => {
    const server = createServer();
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address();
    try {
      await expect(checkPort('127.0.0.1', port)).rejects.toThrow(
        `Port ${port} on 127.0.0.1 is in use: end the program that listens there, or choose another port with "npm start -- --port ${port + 1}".`,
      );
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
    await expect(checkPort('127.0.0.1', port)).resolves.toBeUndefined();
  });
});
