import { describe, expect, it } from '@jest/globals';
import { parseOptions } from './options.js';

describe('options', () => {
  it('run everything three times when none is given', () => {
    expect(parseOptions([])).toEqual({
      only: new Set(['floors', 'B1', 'B1x', 'B2', 'B3', 'B4', 'B8', 'B9']),
      repeats: 3,
      quick: false,
      undisturbed: false,
      coordinators: 1,
      partitions: 16,
      profileDir: null,
    });
  });

  it('name benchmarks in any case', () => {
    expect(parseOptions(['--only', 'b1,B2, b1X', '--runs', '5', '--quick', '--undisturbed'])).toEqual({
      only: new Set(['B1', 'B2', 'B1x']),
      repeats: 5,
      quick: true,
      undisturbed: true,
      coordinators: 1,
      partitions: 16,
      profileDir: null,
    });
  });

  it('take a directory for profiles, or the usual one', () => {
    expect(parseOptions(['--profile']).profileDir).toBe('bench-profiles');
    expect(parseOptions(['--profile', '--quick'])).toMatchObject({ profileDir: 'bench-profiles', quick: true });
    expect(parseOptions(['--profile', 'here']).profileDir).toBe('here');
  });

  it('are refused with what is wrong', () => {
    expect(() => parseOptions(['--only', 'B0'])).toThrow('--only knows floors, B1, B1x, B2, B3, B4, B8, B9, not "B0"');
    expect(() => parseOptions(['--runs', '0'])).toThrow('--runs takes a number from 1 to 999, not "0"');
    expect(() => parseOptions(['--fast'])).toThrow("Unknown option '--fast'");
  });
});
