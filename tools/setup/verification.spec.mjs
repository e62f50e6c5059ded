import { describe, expect, it } from '@jest/globals';
import { closingLine } from './closing-line.mjs';
import { checkVerification, readRows } from './verification.mjs';

const resultOf = (...tests) => ({
  testResults: [{ assertionResults: tests.map(([fullName, status]) => ({ fullName, status })) }],
});

describe('the verification matrix', () => {
  it('reads ids, promises, test names and layers from the table', () => {
    const markdown = [
      '| Id | Promise | Tests | Layer |',
      '|---|---|---|---|',
      '| DSL-1 | a \\| b | `x y`, `z` | unit |',
    ];
    expect(readRows(markdown.join('\n'))).toEqual([
      { id: 'DSL-1', promise: 'a | b', names: ['x y', 'z'], layer: 'unit' },
    ]);
  });

  it('finds nothing wrong when every named test has passed', () => {
    expect(checkVerification('| DSL-1 | p | `a` | unit |', resultOf(['a', 'passed'], ['b', 'passed']))).toEqual([]);
  });

  it.each([
    ['an id without a test', '| DSL-1 | p | | unit |', ['DSL-1 names no test']],
    ['a test that does not exist', '| DSL-1 | p | `gone` | unit |', ['DSL-1: there is no test "gone"']],
    ['a test that failed', '| DSL-1 | p | `red` | unit |', ['DSL-1: the test "red" did not pass (failed)']],
    ['an id that stands there twice', '| DSL-1 | p | `a` | u |\n| DSL-1 | p | `a` | u |', ['DSL-1 stands there twice']],
    ['an unknown area', '| FOO-1 | p | `a` | u |', [expect.stringMatching(/^FOO-1: the area is none of DSL, DOM/)]],
    ['an empty table', 'nothing here', ['it has no rows of the form "| ID | promise | `test` | layer |"']],
  ])('reports %s', (_case, markdown, problems) => {
    expect(checkVerification(markdown, resultOf(['a', 'passed'], ['red', 'failed']))).toEqual(problems);
  });

  it('takes a name that ends with three dots for every test that begins so', () => {
    const row = '| DSL-1 | p | `all of …` | unit |';
    expect(checkVerification(row, resultOf(['all of a', 'passed'], ['all of b', 'passed']))).toEqual([]);
    expect(checkVerification(row, resultOf(['all of a', 'passed'], ['all of b', 'failed']))).toEqual([
      'DSL-1: the test "all of …" did not pass (passed, failed)',
    ]);
    expect(checkVerification(row, resultOf(['other', 'passed']))).toEqual(['DSL-1: there is no test "all of …"']);
  });

  it('reports a skipped test, whether a promise names it or not', () => {
    const result = resultOf(['a', 'passed'], ['later', 'pending'], ['some day', 'todo']);
    expect(checkVerification('| DSL-1 | p | `a`, `later` | unit |', result)).toEqual([
      'DSL-1: the test "later" did not pass (pending)',
      'the test "later" is skipped',
      'the test "some day" is skipped',
    ]);
  });
});

describe('the closing line of npm test', () => {
  it('counts a test file that could not be loaded as a failure', () => {
    expect(closingLine({ numPassedTests: 12, numFailedTests: 2, numRuntimeErrorTestSuites: 1 })).toBe(
      '12 passed, 3 failed',
    );
  });

  it('is a failure when there is no result at all', () => {
    expect(closingLine(undefined)).toBe('0 passed, 1 failed');
  });
});
