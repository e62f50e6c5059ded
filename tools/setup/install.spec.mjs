import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { explainInstallFailure, isInstalled, lockDigest } from './install.mjs';

describe('installation of dependencies', () => {
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'graphrun-install-'));
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package-lock.json'), '{"lockfileVersion":3}');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is not repeated while the lock file is the one it was made from', () => {
    const digest = lockDigest(folder);
    expect(isInstalled(folder, digest)).toBe(false);
    writeFileSync(join(folder, 'node_modules/.graphrun-install'), `${digest}\n`);
    expect(isInstalled(folder, lockDigest(folder))).toBe(true);
    writeFileSync(join(folder, 'package-lock.json'), '{"lockfileVersion":3,"packages":{}}');
    expect(isInstalled(folder, lockDigest(folder))).toBe(false);
  });

  it('is not repeated after npm install has brought node_modules up to the lock file', () => {
    const entry = (integrity, more) => ({ version: '1.0.0', integrity, ...more });
    const lock = {
      '': { name: 'graphrun' },
      'libs/dsl': { name: '@graphrun/dsl' },
      'node_modules/@graphrun/dsl': { resolved: 'libs/dsl', link: true },
      'node_modules/yaml': entry('sha512-new'),
      'node_modules/binary-for-windows': entry('sha512-win', { optional: true }),
    };
    const write = (path, packages) => writeFileSync(join(folder, path), JSON.stringify({ packages }));
    write('package-lock.json', lock);
    write('node_modules/.package-lock.json', { 'node_modules/yaml': entry('sha512-old') });
    expect(isInstalled(folder, lockDigest(folder))).toBe(false);
    write('node_modules/.package-lock.json', { 'node_modules/yaml': entry('sha512-new') });
    expect(isInstalled(folder, lockDigest(folder))).toBe(true);
    write('node_modules/.package-lock.json', {});
    expect(isInstalled(folder, lockDigest(folder))).toBe(false);
  });

  it.each([
    ['npm error code EAI_AGAIN', 'The npm registry cannot be reached: connect this machine to the network'],
    [
      'npm error network request to https://registry.npmjs.org/x failed, reason: connect ECONNREFUSED',
      'The npm registry cannot be reached',
    ],
    ['npm error code ENOSPC', 'The disk is full: free at least 1 GB'],
    [
      "npm error code EACCES\nnpm error Error: EACCES: permission denied, mkdir '/x'",
      'The dependencies cannot be written to',
    ],
    ['npm error code E403', 'The npm registry refuses access'],
    ['npm error code EUSAGE', 'package.json and package-lock.json do not match: run "npm install"'],
  ])('explains "%s" in one sentence', (output, sentence) => {
    const explained = explainInstallFailure(1, output);
    expect(explained.startsWith(sentence)).toBe(true);
    expect(explained).not.toContain('\n');
  });

  it('shows what npm said when it does not know the reason', () => {
    expect(explainInstallFailure(7, 'npm error something new\n')).toBe(
      'npm error something new\n"npm ci" ended with code 7: remove what it names above and run the command again.',
    );
  });
});
