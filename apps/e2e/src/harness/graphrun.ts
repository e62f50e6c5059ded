/** The `graphrun` command, as an operator types it. */
import { startProcess } from '@graphrun/testing';
import { built } from './built.js';

/** Runs it against a server and returns what it printed. Throws Error with all of its output unless it ends with 0. */
export async function graphrun(server: string, ...args: readonly string[]): Promise<string> {
  const running = await startProcess({
    name: `graphrun ${args[0]}`,
    args: [built('apps/cli/dist/main.js'), ...args],
    env: { GRAPHRUN_SERVER: server },
  });
  const { code } = await running.exited;
  if (code !== 0) throw new Error(`graphrun ${args.join(' ')} ended with ${code}:\n${running.tail()}`);
  return running.stdout.join('\n');
}
