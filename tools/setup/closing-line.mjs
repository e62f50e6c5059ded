/** The last line of `npm test`. A test file that could not even be loaded counts as one failure. */
export function closingLine(result) {
  if (result === undefined) return '0 passed, 1 failed';
  return `${result.numPassedTests} passed, ${result.numFailedTests + result.numRuntimeErrorTestSuites} failed`;
}
