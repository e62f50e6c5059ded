/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access --
   what comes back as JSON is examined member by member */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, removeDir, tempDir } from '@graphrun/testing';
import { embeddedServer } from './spec/embedded-server.js';
import type { EmbeddedServer } from './spec/embedded-server.js';
import { invoke } from './spec/invoke.js';
import { EXIT, Interrupts } from './index.js';

const NO_RUN = '01900000-0000-7000-8000-000000000000';
const { exampleCatalogPath } = await import('@graphrun/examples');

const APPROVAL = `dsl: graphrun/v1
id: approval
version: 1
input_schema: order/v1
output_schema: counter/v1
signals:
  approve: { schema: counter/v1 }
start: wait
nodes:
  wait:
    kind: wait_signal
    signal: approve
    key: { from: workflow.input, path: /order_id }
    timeout: 1h
    on_timeout: late
    next: finish
  late:
    kind: fail
    error: { code: order.late, message: nobody approved it }
  finish:
    kind: complete
    output: { from: nodes.wait.output }
`;

/** Reserves, then fails: the reservation is to be released again, in one attempt. */
const UNDO = `dsl: graphrun/v1
id: undo
version: 1
input_schema: order/v1
output_schema: order/v1
start: order
nodes:
  order:
    kind: saga
    input: { from: workflow.input }
    body:
      input_schema: order/v1
      output_schema: order/v1
      start: reserve
      nodes:
        reserve:
          kind: activity
          activity: { name: inventory.reserve, version: 1 }
          input: { from: scope.input }
          compensation:
            kind: activity
            activity: { name: inventory.release, version: 1 }
            input: { from: forward.output }
            retry: { errors: [], max_attempts: 1, backoff: { initial: 1ms, multiplier: 1, max: 1ms } }
          next: refuse
        refuse:
          kind: fail
          error: { code: order.refused, message: no such thing }
    next: finish
  finish:
    kind: complete
    output: { from: nodes.order.output }
`;

describe('actions on runs', () => {
  let dir: string;
  let running: EmbeddedServer;
  let server: string;
  const on = (...argv: string[]) => invoke([...argv, '--server', server]);
  const json = async (...argv: string[]) => {
    const { code, stdout, stderr } = await on(...argv, '--json');
    expect(stdout.endsWith('\n')).toBe(true);
    return { code, document: JSON.parse(stdout), stderr };
  };
  const file = (name: string) => join(dir, name);

  beforeAll(async () => {
    dir = await tempDir('cli-actions');
    await writeFile(file('approval.yaml'), APPROVAL);
    await writeFile(file('undo.yaml'), UNDO);
    await writeFile(file('order.json'), '{ "order_id": "o-1", "amount": 1000 }');
    await writeFile(file('yes.json'), '{ "value": 7 }');
    await writeFile(file('null.json'), 'null');
    // Nobody can release a reservation here.
    const broken = () => {
      throw new Error('the warehouse does not answer');
    };
    running = await embeddedServer(file('data'), undefined, {
      'inventory.release/v1': { handler: broken, roles: ['forward', 'compensation'] },
    });
    server = running.url;
    expect((await on('publish', file('approval.yaml'), '--catalog', exampleCatalogPath)).code).toBe(EXIT.ok);
    expect((await on('publish', file('undo.yaml'))).code).toBe(EXIT.ok);
  }, 60_000);

  afterAll(async () => {
    await running.close();
    await removeDir(dir);
  });

  async function start(workflow: string, ...more: string[]): Promise<string> {
    return (await json('start', workflow, '--input', file('order.json'), ...more)).document.run as string;
  }

  /** A run whose compensation did not succeed. */
  async function blocked(): Promise<string> {
    const run = await start('undo', '--version', '1');
    await eventually(`run ${run} is blocked`, async () => (await json('inspect', run)).document.status === 'blocked');
    return run;
  }

  it('shows what a run waits for, in the documented shape and in words', async () => {
    const run = await start('approval');
    const { document } = await json('inspect', run);
    expect(document.waits).toMatchObject([{ signal: 'approve', key: 'o-1', deadline: expect.any(Number) }]);
    const { stdout } = await on('inspect', run);
    expect(stdout).toMatch(/^approval version 1 {2}run \S+ {2}active\n/);
    expect(stdout).toMatch(/\n {2}nodes\.wait {2}waits for signal approve with key "o-1" {2}until \d{4}-\S+Z\n/);
  });

  it('sends a signal, watches the run until it ends, and prints it', async () => {
    const run = await start('approval');
    const watching = on('watch', run);
    const signal = ['--name', 'approve', '--key', 'o-1', '--event-id', 'e-1', '--payload', file('yes.json')];
    const sent = await json('signal', '--run', run, ...signal);
    expect(sent).toMatchObject({ code: EXIT.ok, document: { run, accepted: true, event_id: 'e-1' }, stderr: '' });
    const { code, stdout, stderr } = await watching;
    expect({ code, stderr }).toEqual({ code: EXIT.ok, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, -2).map((line) => line.replace(/^ *\d+\.\d{3}s {2}/, ''))).toEqual([
      `run ${run} of approval version 1 is admitted`,
      expect.stringMatching(/^wait waits for signal approve with key "o-1" until \d{4}-\S+Z$/),
      'signal approve with key "o-1" is accepted',
      'wait has its signal',
      'the run succeeded',
    ]);
    expect(lines.slice(-2)).toEqual([`approval version 1  run ${run}  succeeded`, 'output: {"value":7}']);
    const again = await json('watch', run);
    expect(again).toMatchObject({ code: EXIT.ok, document: { run, status: 'succeeded', waits: [] }, stderr: '' });
  });

  it('watches until it is interrupted, and says that the run goes on', async () => {
    const run = await start('approval');
    const interrupts = new Interrupts();
    const watched = await invoke(['watch', run, '--server', server, '--json'], {
      interrupts,
      tty: true,
      onOutput: (text) => {
        if (text.includes('waits for signal')) interrupts.take();
      },
    });
    expect(watched.code).toBe(EXIT.waitTimedOut);
    expect(JSON.parse(watched.stdout)).toMatchObject({ run, status: 'active' });
  });

  it('pauses and resumes a run', async () => {
    const run = await start('approval');
    expect(await json('pause', run, '--reason', 'audit')).toMatchObject({ code: EXIT.ok, document: { run } });
    expect((await json('inspect', run)).document).toMatchObject({
      status: 'active',
      paused: { reason: 'audit', by: 'local' },
    });
    const { stdout } = await on('inspect', run);
    expect(stdout).toMatch(/ {2}active, paused\n/);
    expect(stdout).toContain(`resume it: graphrun resume ${run}`);
    expect((await on('resume', run, '--reason', 'done', '--expected-seq', '1')).code).toBe(EXIT.precondition);
    expect(await on('resume', run, '--reason', 'done')).toMatchObject({
      code: EXIT.ok,
      stdout: `run ${run} is not paused; graphrun watch ${run} follows it\n`,
    });
    expect((await json('inspect', run)).document).not.toHaveProperty('paused');
  });

  it('resolves what is blocked, on the state that the run has now', async () => {
    const run = await blocked();
    const { stdout } = await on('inspect', run);
    expect(stdout).toContain('nodes.order  saga  settling');
    const activation = /reserve \((a\d+)\) {2}undone by inventory\.release {2}blocked_execution {2}order 1\n/.exec(
      stdout,
    )?.[1];
    const how = ['--activation', `${activation}c`, '--applied', file('null.json'), '--reason', 'I asked', '--yes'];
    expect(await on('resolve', run, ...how)).toMatchObject({
      code: EXIT.ok,
      stdout: `${activation}c of run ${run} is resolved; graphrun watch ${run} follows the run\n`,
    });
    const ended = await json('watch', run);
    expect(ended).toMatchObject({
      code: EXIT.runFailed,
      document: {
        status: 'failed',
        error: { code: 'order.refused', message: 'no such thing' },
        compensation: { complete: true, irreversible: [], unresolved: [] },
      },
    });
    expect((await on('inspect', run)).stdout).toContain('compensation: everything that was done is undone\n');
  });

  it('refuses to resolve on another state than the given one', async () => {
    const run = await blocked();
    const how = ['--activation', 'a2c', '--not-applied', '--reason', 'I asked', '--yes', '--expected-seq', '2'];
    const { code, stderr } = await on('resolve', run, ...how);
    expect(code).toBe(EXIT.precondition);
    expect(stderr).toMatch(/^error: run \S+ is at event \d+, not at 2; look at it again before you decide\n$/);
  });

  it('abandons what a run owes, and names it', async () => {
    const run = await blocked();
    expect(await json('abandon', run, '--reason', 'written off', '--yes')).toMatchObject({
      code: EXIT.ok,
      document: { run, accepted: true },
    });
    const { code, stdout } = await on('watch', run);
    expect(code).toBe(EXIT.runFailed);
    expect(stdout).toContain('order.reserve is not undone: local gives up (written off)\n');
    expect(stdout).toMatch(
      /\ncompensation: not everything that was done is undone\n {2}unresolved: reserve \(a\d+\), to be undone by inventory\.release\/v1: /,
    );
  });

  it('opens a failed run again, with another version where its own would only fail again', async () => {
    const run = await blocked();
    const how = ['--activation', 'a2c', '--applied', file('null.json'), '--reason', 'I asked', '--yes'];
    expect((await on('resolve', run, ...how)).code).toBe(EXIT.ok);
    expect((await on('watch', run)).code).toBe(EXIT.runFailed);
    const refused = await on('reopen', run, '--reason', 'it is there now', '--yes');
    expect(refused.code).toBe(EXIT.precondition);
    expect(refused.stderr).toContain('was failed by its definition, at nodes.order.nodes.refuse (order.refused)');
    const failing = 'kind: fail\n          error: { code: order.refused, message: no such thing }';
    const repaired = UNDO.replace('version: 1\ninput', 'version: 2\ninput').replace(
      failing,
      'kind: complete\n          output: { from: scope.input }',
    );
    await writeFile(file('undo-2.yaml'), repaired);
    expect((await on('publish', file('undo-2.yaml'))).code).toBe(EXIT.ok);
    expect(await on('reopen', run, '--reason', 'it is there now', '--yes', '--version', '2')).toMatchObject({
      code: EXIT.ok,
      stdout: `run ${run} is open again; graphrun watch ${run} follows it\n`,
    });
    expect(await json('watch', run)).toMatchObject({ code: EXIT.ok, document: { status: 'succeeded', version: 2 } });
    expect((await on('history', run)).stdout).toMatch(/ {2}run_reopened {2}\{"reason":"it is there now"/);
  });

  it('terminates a run', async () => {
    const run = await start('approval');
    expect((await on('terminate', run, '--reason', 'no time', '--yes')).code).toBe(EXIT.ok);
    expect(await json('watch', run)).toMatchObject({
      code: EXIT.runFailed,
      document: { status: 'terminated', error: { code: 'run.cancelled', message: 'no time' } },
    });
    expect((await json('list', '--status', 'terminated')).document.runs).toMatchObject([{ run }]);
  });

  it('names the effects that a terminated run leaves unresolved', async () => {
    const run = await blocked();
    expect((await on('terminate', run, '--reason', 'no time', '--yes')).code).toBe(EXIT.ok);
    expect((await json('inspect', run)).document.unresolved).toMatchObject([
      { activation: 'a2c', path: 'nodes.order.nodes.reserve', handler: 'inventory.release/v1' },
      { activation: 'a2', path: 'nodes.order.nodes.reserve', handler: 'inventory.release/v1' },
    ]);
    expect((await on('inspect', run)).stdout).toContain(
      'unresolved: the run was ended without settling these effects\n  nodes.order.nodes.reserve (a2c) (inventory.release/v1): nobody knows whether it has happened: activity.unhandled, ',
    );
  });

  it.each<[string, string[], string]>([
    ['a signal without a name', ['signal', NO_RUN, '--key', 'k'], 'A signal needs --name'],
    ['a signal without a key', ['signal', NO_RUN, '--name', 'n'], 'A signal needs --key'],
    ['a pause without a reason', ['pause', NO_RUN], 'A pause needs --reason: it stands in the history.'],
    ['a resolve of nothing', ['resolve', NO_RUN, '--reason', 'r', '--yes'], 'A resolve needs --activation'],
    ...['resolve', 'abandon', 'terminate', 'reopen'].flatMap((command): [string, string[], string][] => {
      const what = `${command === 'abandon' ? 'An' : 'A'} ${command}`;
      const argv = [command, NO_RUN, ...(command === 'resolve' ? ['--activation', 'a1', '--not-applied'] : [])];
      return [
        [`${what} without a reason`, [...argv, '--yes'], `${what} needs --reason: it stands in the history.`],
        [
          `${what} that is not meant`,
          [...argv, '--reason', 'r'],
          `${what} cannot be taken back; say that you mean it with --yes.`,
        ],
        [
          `a repeat of ${what} on a state that nobody knows`,
          [...argv, '--reason', 'r', '--yes', '--command-id', 'c-1'],
          '--command-id repeats a command as it was sent; give the --expected-seq that it was sent with.',
        ],
      ];
    }),
    ...[[], ['--not-applied', '--retry', '1'], ['--fail', 'x', '--message', 'm', '--not-applied']].map(
      (ways): [string, string[], string] => [
        `a resolve with ${ways.length === 0 ? 'nothing said' : ways.join(' ')}`,
        ['resolve', NO_RUN, '--activation', 'a1', '--reason', 'r', '--yes', ...ways],
        'Say exactly one of --applied, --not-applied, --retry, --fail and --input.',
      ],
    ),
    [
      'a failure without its message',
      ['resolve', NO_RUN, '--activation', 'a1', '--reason', 'r', '--yes', '--fail', 'x'],
      '--fail and --message go together.',
    ],
    [
      'a message without a failure',
      ['resolve', NO_RUN, '--activation', 'a1', '--reason', 'r', '--yes', '--not-applied', '--message', 'm'],
      '--fail and --message go together.',
    ],
    ['attempts that are no number', ['resolve', NO_RUN, '--retry', 'often'], 'often is not a positive integer.'],
  ])('refuses %s without asking the server', async (_what, argv, sentence) => {
    const { code, stdout, stderr } = await invoke([...argv, '--server', 'http://127.0.0.1:2', '--retry-for', '1ms']);
    expect({ code, stdout }).toEqual({ code: EXIT.invalid, stdout: '' });
    expect(stderr).toContain(`error: ${sentence}`);
  });

  it.each(['watch', 'signal', 'terminate'])('ends with 3 for a %s of a run that is not there', async (command) => {
    const more = { watch: [], signal: ['--name', 'n', '--key', 'k'], terminate: ['--reason', 'r', '--yes'] };
    const { code } = await on(command, NO_RUN, ...more[command as keyof typeof more]);
    expect(code).toBe(EXIT.notFound);
  });
});
