import { describe, expect, it } from '@jest/globals';
import { EXIT, exitCodeOfRun } from './exit-codes.js';

describe('the exit code of a run', () => {
  it.each([
    ['succeeded', EXIT.ok],
    ['continued', EXIT.ok],
    ['failed', EXIT.runFailed],
    ['cancelled', EXIT.runFailed],
    ['terminated', EXIT.runFailed],
    ['active', EXIT.waitTimedOut],
    ['stopping', EXIT.waitTimedOut],
    ['blocked', EXIT.waitTimedOut],
  ])('that is %s is %i', (status, expected) => {
    expect(exitCodeOfRun(status)).toBe(expected);
  });
});
