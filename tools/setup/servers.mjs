import { spawnSync } from 'node:child_process';
import { Problem } from './problem.mjs';
import { runQuietly } from './project.mjs';

/*
 * Debian's packages start their servers on installation. The tests run their own ones and leave the system's alone, so
 * while the packages are installed a policy-rc.d (Debian policy 9.3.3) forbids that, unless the machine has one already.
 * The package lists have a lock that apt does not wait for by itself, hence the loop; a stale list is good enough, so
 * only the installation decides.
 */
const INSTALL_SCRIPT = `
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\\nexit 101\\n' >"$policy" && chmod 755 "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
tries=0
while ! out=$(apt-get -q update 2>&1); do
  printf '%s\\n' "$out"
  case "$out" in *"Could not get lock"*|*"Unable to lock"*) ;; *) break ;; esac
  tries=$((tries + 1)); [ "$tries" -lt 60 ] || break
  sleep 2
done
apt-get -q -y -o DPkg::Lock::Timeout=120 install --no-install-recommends "$@"
`;

/**
 * Installs the Debian packages of the servers that the tests run, where they are missing.
 * @param harness the built `libs/testing/dist/services/binaries.js`, which knows where servers are found
 */
export async function installServers(harness) {
  const missing = missingPackages(harness);
  if (missing.length === 0) return;
  const byHand = `apt-get update && apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (!works('apt-get', ['--version'])) {
    throw new Problem(
      `The tests need ${missing.join(' and ')} in PATH and there is no apt-get here: install them with your system's package manager and run the command again.`,
    );
  }
  const asRoot = process.getuid() === 0 ? [] : ['sudo', '-n'];
  if (asRoot.length > 0 && !works('sudo', ['-n', 'true'])) {
    throw new Problem(
      `The tests need ${missing.join(' and ')} and only root can install them: run "sudo sh -c '${byHand}'" and then the command again.`,
    );
  }
  console.log(`Installing ${missing.join(' and ')} from Debian's packages ...`);
  const [command, ...args] = [...asRoot, 'sh', '-c', INSTALL_SCRIPT, 'install-servers', ...missing];
  const { code, output } = await runQuietly(command, args);
  if (code === 0 && missingPackages(harness).length === 0) return;
  throw new Problem(explainAptFailure(output, byHand));
}

function missingPackages({ natsServerBinary, postgresBinDir }) {
  const packages = [
    ['nats-server', natsServerBinary],
    ['postgresql', postgresBinDir],
  ];
  return packages.filter(([, find]) => !finds(find)).map(([name]) => name);
}

function finds(find) {
  try {
    find();
    return true;
  } catch (error) {
    if (error.name === 'MissingBinary') return false;
    throw error;
  }
}

export function explainAptFailure(output, byHand) {
  if (/No space left/i.test(output)) {
    return 'The disk is full: free at least 1 GB (servers and their data) and run the command again.';
  }
  if (/Could not get lock|Unable to (lock|acquire)/.test(output)) {
    return 'Another program has held the lock of apt for two minutes: wait until it has finished and run the command again.';
  }
  if (
    /Could not resolve|Temporary failure resolving|Could not connect|Connection (failed|timed out)|Network is unreachable/.test(
      output,
    )
  ) {
    return `Debian's package archive cannot be reached: connect this machine to the network, or run "${byHand}" where it is, and run the command again.`;
  }
  return `${output.trim()}\nThe servers for the tests were not installed: run "${byHand}" as root, correct what it reports, and run the command again.`;
}

function works(command, args) {
  const { error, status } = spawnSync(command, args, { stdio: 'ignore' });
  return !error && status === 0;
}
