const ROW = /^\|\s*([A-Z]+-\d+)\s*\|(.*)\|\s*$/;
/** The areas of promises; an id names its area and a number. */
const AREAS = [
  'DSL',
  'DOM',
  'BUILD',
  'CODEGEN',
  'EDITOR',
  'GRAPH',
  'STORE',
  'CLUSTER',
  'EVT',
  'LOOP',
  'PAR',
  'SAGA',
  'ACT',
  'LOCAL',
  'REPLAY',
  'SIM',
  'API',
  'PERF',
  'TOOL',
];

/**
 * Compares the promises of docs/verification.md with the tests that ran. A promise without a test that can fail is not
 * kept, so every id must name at least one test, and every named test must exist and have passed.
 *
 * @param markdown rows `| ID | promise | \`test\`, \`test\` | layer |`; a test by its full name, that is describe blocks and
 * title; a name that ends with "…" stands for every test that begins so
 * @param result what `jest --json` wrote
 * @returns one sentence for each problem
 */
export function checkVerification(markdown, result) {
  const tests = testsByName(result);
  const rows = readRows(markdown);
  const problems = rows.length === 0 ? ['it has no rows of the form "| ID | promise | `test` | layer |"'] : [];
  const seen = new Set();
  for (const { id, names } of rows) {
    if (!AREAS.includes(id.split('-')[0])) problems.push(`${id}: the area is none of ${AREAS.join(', ')}`);
    if (seen.has(id)) problems.push(`${id} stands there twice`);
    seen.add(id);
    if (names.length === 0) problems.push(`${id} names no test`);
    for (const name of names) {
      const statuses = statusesOf(name, tests);
      if (statuses.length === 0) problems.push(`${id}: there is no test "${name}"`);
      else if (statuses.some((status) => status !== 'passed'))
        problems.push(`${id}: the test "${name}" did not pass (${statuses.join(', ')})`);
    }
  }
  for (const [name, statuses] of tests) {
    if (statuses.some((status) => status === 'pending' || status === 'todo'))
      problems.push(`the test "${name}" is skipped`);
  }
  return problems;
}

function statusesOf(name, tests) {
  if (!name.endsWith('…')) return tests.get(name) ?? [];
  const beginning = name.slice(0, -1);
  return [...tests].flatMap(([test, statuses]) => (test.startsWith(beginning) ? statuses : []));
}

export function readRows(markdown) {
  return markdown.split('\n').flatMap((line) => {
    const match = ROW.exec(line);
    if (match === null) return [];
    const [, id, rest] = match;
    const [promise = '', tests = '', layer = ''] = rest
      .split(/(?<!\\)\|/)
      .map((cell) => cell.replaceAll('\\|', '|').trim());
    return [{ id, promise, names: [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name), layer }];
  });
}

function testsByName(result) {
  const tests = new Map();
  for (const { assertionResults } of result.testResults) {
    for (const { fullName, status } of assertionResults) tests.set(fullName, [...(tests.get(fullName) ?? []), status]);
  }
  return tests;
}
