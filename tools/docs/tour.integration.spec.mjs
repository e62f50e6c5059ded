import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, startProcess, tempDir } from '@graphrun/testing';
import { root } from '../setup/project.mjs';

/** The commands of the README's tour, in order: its blocks marked `sh tour`. */
function tourCommands() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```sh tour\n(.*?)^```/gms)].flatMap(([, block]) => block.trim().split('\n'));
}

describe('the tour of the README', () => {
  let dev;
  let url;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const args = [join(root, 'apps/cli/dist/main.js'), 'dev', '--port', String(port)];
    dev = await startProcess({
      name: 'graphrun dev',
      args: [...args, '--data-dir', await tempDir('tour')],
      ready: (line) => line.includes(`ready at ${url}`),
    });
  });
  afterAll(() => dev.stop());

  /** Gives standard output; fails with all that was printed when the exit code is not 0. */
  function shell(command) {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, GRAPHRUN_SERVER: url };
    return new Promise((resolve, reject) => {
      execFile('/bin/sh', ['-c', command], { cwd: root, env }, (error, stdout, stderr) => {
        if (error) reject(new Error(`${command}: exit code ${error.code}\n${stdout}${stderr}`));
        else resolve(stdout);
      });
    });
  }

  it('works as it is written', async () => {
    const outputs = new Map();
    let run;
    for (const line of tourCommands()) {
      const command = line.replaceAll('RUN', run ?? 'RUN').replaceAll('http://127.0.0.1:7070', url);
      const output = await shell(command);
      run ??= /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(output)?.[0];
      outputs.set(line, [...(outputs.get(line) ?? []), output]);
    }
    const [first, second] = outputs.get(
      'bin/graphrun start order --input examples/order.json --start-key order-1 --wait 30s',
    );
    expect(first).toContain(run);
    expect(second).toBe(first);
    const [inspected] = outputs.get('bin/graphrun inspect RUN --json');
    expect(JSON.parse(inspected)).toMatchObject({
      run,
      workflow: 'order',
      version: 1,
      status: 'succeeded',
      output: { order_id: 'o-1', amount: 1000, payment_id: 'pay-1' },
    });
  });
});
