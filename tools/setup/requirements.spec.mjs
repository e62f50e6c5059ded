import { describe, expect, it } from '@jest/globals';
import { checkRequirements, npmCommand } from './requirements.mjs';

const thisNode = { command: process.execPath, args: [] };

describe('requirements of the set-up', () => {
  it.each(['18.20.4', '20.18.3', '16.0.0'])('refuses Node %s in one sentence that says what to install', (version) => {
    expect(() => checkRequirements(version, thisNode)).toThrow(
      `Graphrun needs Node.js 20.19 or newer and this is ${version}: install a newer one from https://nodejs.org (or with nvm) and run the command again.`,
    );
  });

  it.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('takes Node %s', (version) => {
    expect(() => checkRequirements(version, thisNode)).not.toThrow();
  });

  it('says how to get npm when it is missing', () => {
    expect(() => checkRequirements('22.0.0', { command: '/no/such/npm', args: [] })).toThrow(
      'npm is missing or broken: install it (on Debian: apt-get install npm) and run the command again.',
    );
  });

  it('calls the npm that runs it, or else the one in PATH', () => {
    expect(npmCommand('/opt/npm/bin/npm-cli.js')).toEqual({
      command: process.execPath,
      args: ['/opt/npm/bin/npm-cli.js'],
    });
    expect(npmCommand('/opt/pnpm/bin/pnpm')).toEqual({ command: 'npm', args: [] });
    expect(npmCommand('')).toEqual({ command: 'npm', args: [] });
  });
});
