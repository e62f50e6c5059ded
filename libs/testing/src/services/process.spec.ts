import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.js';
import { isRunning } from './process-tree.js';
import { logsMessage, startProcess, type RunningProcess } from './process.js';
import { tempDir } from './temp-dir.js';

const FOR_EVER = 'setInterval(() => {}, 1000);';

describe('a process started by a test', () => {
  const started: RunningProcess[] = [];
  const start = async (script: string, options: Partial<Parameters<typeof startProcess>[0]> = {}) => {
    const running = await startProcess({ name: 'sample', args: ['-e', script], ...options });
    started.push(running);
    return running;
  };

  afterEach(async () => {
    await Promise.all(started.splice(0).map((running) => running.kill()));
  });

  it('is ready when it has logged so', async () => {
    const running = await start(`console.log('{ broken'); console.error('{"level":30,"msg":"ready"}'); ${FOR_EVER}`, {
      ready: logsMessage('ready'),
    });
    expect(running.stdout).toEqual(['{ broken']);
    expect(running.stderr).toEqual(['{"level":30,"msg":"ready"}']);
    expect(running.exit).toBeUndefined();
  });

  it('fails with its own output when it ends before it is ready', async () => {
    const failed = start(`console.error('the database is not there'); process.exit(7);`, {
      ready: logsMessage('ready'),
    });
    await expect(failed).rejects.toThrow(
      'sample ended (code 7) before "ready"; it printed:\nthe database is not there',
    );
  });

  it('fails, and is ended, when it does not become ready in time', async () => {
    const failed = start(`console.log(process.pid); ${FOR_EVER}`, { ready: logsMessage('ready'), readyTimeoutMs: 400 });
    const message = await failed.then(
      () => 'it became ready',
      (error: unknown) => String(error),
    );
    expect(message).toContain('sample printed no line for "ready" within 400 ms');
    expect(isRunning(Number(message.split('\n').at(-1)))).toBe(false);
  });

  it('fails with the reason when the program does not exist', async () => {
    const failed = startProcess({ name: 'nothing', command: '/no/such/program', args: [] });
    await expect(failed).rejects.toThrow('nothing did not start: spawn /no/such/program ENOENT');
  });

  it('sees none of the environment of the developer', async () => {
    process.env['GRAPHRUN_LEAK'] = 'yes';
    try {
      const running = await start(`console.log(process.env.GRAPHRUN_LEAK, process.env.GIVEN)`, {
        env: { GIVEN: 'given' },
      });
      await running.exited;
      expect(running.stdout).toEqual(['undefined given']);
    } finally {
      delete process.env['GRAPHRUN_LEAK'];
    }
  });

  it('ends by SIGTERM with its own exit code', async () => {
    const running = await start(`process.on('SIGTERM', () => process.exit(3)); console.log('up'); ${FOR_EVER}`);
    await running.waitForLine('up', (line) => line === 'up');
    await expect(running.stop()).resolves.toEqual({ code: 3, signal: null });
  });

  it('ends by SIGKILL when it takes no notice of SIGTERM', async () => {
    const running = await start(`process.on('SIGTERM', () => {}); console.log('up'); ${FOR_EVER}`);
    await running.waitForLine('up', (line) => line === 'up');
    await expect(running.stop({ timeoutMs: 100 })).resolves.toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('has ended once kill returns, and may be killed again', async () => {
    const running = await start(FOR_EVER);
    await expect(running.kill()).resolves.toEqual({ code: null, signal: 'SIGKILL' });
    await expect(running.kill()).resolves.toEqual({ code: null, signal: 'SIGKILL' });
    expect(isRunning(running.pid)).toBe(false);
  });

  it('appends its output to a log file', async () => {
    const logFile = join(await tempDir('log'), 'sample.log');
    for (const word of ['one', 'two']) {
      const running = await start(`console.log('${word}')`, { logFile });
      await running.exited;
    }
    await eventually('both lines are written', () => readFileSync(logFile, 'utf8') === 'one\ntwo\n');
  });

  it('says so, and goes on, when it cannot write its log file', async () => {
    const running = await start(`console.log('one')`, { logFile: '/no/such/dir/sample.log' });
    await running.exited;
    const complaint = (line: string): boolean => line.startsWith('[sample: cannot write /no/such/dir/sample.log');
    await eventually('it complained', () => running.stderr.some(complaint));
    expect(running.stdout).toEqual(['one']);
  });
});
