import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.js';
import { GUARDIAN_SCRIPT, guard } from './guardian.js';
import { isRunning, signalProcess } from './process-tree.js';
import { startProcess } from './process.js';
import { tempDir } from './temp-dir.js';

const FOR_EVER = 'setInterval(() => {}, 1000);';

/** A test process in miniature: it guards a process that is not its own and then waits to be killed. */
const HARNESS = `
const [script, pid, dir] = process.argv.slice(1);
require('node:child_process').spawn('/bin/sh', ['-c', script, 'guardian', pid, dir], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
console.log('guarding');
${FOR_EVER}`;

describe('the guardian of a server', () => {
  it('ends the server and removes its directory after kill -9 of the test process', async () => {
    const dir = await tempDir('guarded');
    writeFileSync(join(dir, 'file'), 'x');
    const server = spawn(process.execPath, ['-e', FOR_EVER], { stdio: 'ignore' });
    const pid = await eventually('the server runs', () => server.pid);
    const harness = await startProcess({
      args: ['-e', HARNESS, GUARDIAN_SCRIPT, String(pid), dir],
      name: 'harness',
      ready: (line) => line === 'guarding',
    });
    expect(isRunning(pid)).toBe(true);
    await harness.kill();
    await eventually('the server is gone', () => !isRunning(pid));
    await eventually('its directory is gone', () => !existsSync(dir));
  });

  it('leaves the server alone once it is released', async () => {
    const server = spawn(process.execPath, ['-e', FOR_EVER], { stdio: 'ignore' });
    const pid = await eventually('the server runs', () => server.pid);
    const guardian = guard(pid);
    guardian.release();
    await guardian.ended;
    expect(isRunning(pid)).toBe(true);
    signalProcess(pid, 'SIGKILL');
  });
});
