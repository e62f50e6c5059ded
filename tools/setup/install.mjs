import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './problem.mjs';
import { cleanEnvironment, root, runQuietly } from './project.mjs';
import { npmCommand } from './requirements.mjs';

/** Holds the digest of the lock file that node_modules was installed from. */
const STAMP = join('node_modules', '.graphrun-install');

/** Installs the dependencies of the lock file, unless they are the ones that stand here already. */
export async function installDependencies() {
  const digest = lockDigest(root);
  if (isInstalled(root, digest)) return;
  console.log('Installing dependencies (once; a minute or two) ...');
  const { command, args } = npmCommand();
  const options = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await runQuietly(command, [...args, ...options], { env: cleanEnvironment() });
  if (code !== 0) throw new Problem(explainInstallFailure(code, output));
  writeFileSync(join(root, STAMP), `${digest}\n`);
}

/** Names what node_modules must hold: the lock file, and the platform whose binaries are in it. */
export function lockDigest(folder) {
  const lock = readFileSync(join(folder, 'package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex');
}

/** By our stamp, or because `npm install` has brought node_modules to where the lock file is. */
export function isInstalled(folder, digest) {
  const stamp = join(folder, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === digest) return true;
  return npmHasInstalled(folder);
}

/**
 * npm keeps a copy of what it has installed. Optional packages are left out of the comparison: most of them are
 * binaries for other platforms.
 */
function npmHasInstalled(folder) {
  const record = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages ?? {};
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages ?? {};
  return Object.entries(wanted)
    .filter(([path, { optional, link }]) => path.includes('node_modules/') && !optional && !link)
    .every(([path, { integrity }]) => installed[path]?.integrity === integrity);
}

/** One sentence for each way in which `npm ci` fails on a user's machine. */
export function explainInstallFailure(code, output) {
  if (/ENOSPC|no space left/i.test(output)) {
    return 'The disk is full: free at least 1 GB (dependencies and build) and run the command again.';
  }
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return `The dependencies cannot be written to ${join(root, 'node_modules')}: make the folder writable for your user and run the command again.`;
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/.test(output)
  ) {
    return 'The npm registry cannot be reached: connect this machine to the network (or set npm\'s "proxy" and "registry") and run the command again.';
  }
  if (/\b(E401|E403|ENEEDAUTH)\b/.test(output)) {
    return 'The npm registry refuses access: check "npm config get registry" and your login there, and run the command again.';
  }
  if (/EUSAGE/.test(output)) {
    return 'package.json and package-lock.json do not match: run "npm install", and commit the lock file.';
  }
  return `${output.trim()}\n"npm ci" ended with code ${code}: remove what it names above and run the command again.`;
}
