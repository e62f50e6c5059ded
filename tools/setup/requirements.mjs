// Read by any Node that knows ES modules, also by one that is too old: no newer syntax here.
import { spawnSync } from 'node:child_process';
import { Problem } from './problem.mjs';

const OLDEST_NODE = [20, 19];

/** @throws Problem when this Node is too old or npm is missing */
export function checkRequirements(nodeVersion = process.versions.node, npm = npmCommand()) {
  const [major, minor] = nodeVersion.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new Problem(
      `Graphrun needs Node.js ${OLDEST_NODE.join('.')} or newer and this is ${nodeVersion}: install a newer one from https://nodejs.org (or with nvm) and run the command again.`,
    );
  }
  const { error, status } = spawnSync(npm.command, [...npm.args, '--version'], { stdio: 'ignore' });
  if (error || status !== 0) {
    throw new Problem(
      'npm is missing or broken: install it (on Debian: apt-get install npm) and run the command again.',
    );
  }
}

/** How to call npm: the very one that runs us if there is one, else the one in PATH. */
export function npmCommand(execPath = process.env.npm_execpath) {
  if (execPath && /\.c?js$/.test(execPath)) return { command: process.execPath, args: [execPath] };
  return { command: 'npm', args: [] };
}
