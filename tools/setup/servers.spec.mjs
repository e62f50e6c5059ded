import { describe, expect, it } from '@jest/globals';
import { explainAptFailure } from './servers.mjs';

const BY_HAND = 'apt-get update && apt-get install -y --no-install-recommends nats-server';

describe('installation of the servers for the tests', () => {
  it.each([
    [
      'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt)',
      'Another program has held the lock of apt',
    ],
    ['E: You do not have enough free space: No space left on device', 'The disk is full: free at least 1 GB'],
    [
      "W: Failed to fetch http://deb.debian.org/  Temporary failure resolving 'deb.debian.org'",
      "Debian's package archive cannot be reached",
    ],
  ])('explains "%s" in one sentence', (output, sentence) => {
    const explained = explainAptFailure(output, BY_HAND);
    expect(explained.startsWith(sentence)).toBe(true);
    expect(explained).not.toContain('\n');
  });

  it('shows what apt said, and the command to run by hand, when it does not know the reason', () => {
    expect(explainAptFailure('E: Unable to locate package nats-server\n', BY_HAND)).toBe(
      `E: Unable to locate package nats-server\nThe servers for the tests were not installed: run "${BY_HAND}" as root, correct what it reports, and run the command again.`,
    );
  });
});
