/* eslint-disable @typescript-eslint/no-unsafe-assignment --
   what comes back as JSON is examined member by member */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { embeddedControl } from '../spec/embedded-control.js';
import type { EmbeddedControl } from '../spec/embedded-control.js';
import { ask } from '../spec/request.js';
import { PROBLEMS } from './problem.js';

const PAGE = new URL('../../../../docs/http-api.md', import.meta.url);

interface Exchange {
  readonly request: string;
  readonly status: number;
  readonly expected: string;
}

/** A request block and the answer block behind it. */
function exchangesOf(page: string): readonly Exchange[] {
  return [...page.matchAll(/^```http\n(.*?)^```\n+```json (\d+)\n(.*?)^```/gms)].map((match) => ({
    request: match[1] ?? '',
    status: Number(match[2]),
    expected: match[3] ?? '',
  }));
}

/** What is the same throughout the page; times, sentences and lists are only there. */
const IDENTITIES: ReadonlySet<string> = new Set(['<run>', '<workflow_id>', '<approval>', '<approval_id>']);

/** Finds the value behind each `"<name>"` of the documented answer. */
function placeholders(expected: unknown, actual: unknown, found: Map<string, unknown>): void {
  if (typeof expected === 'string' && /^<\w+>$/.test(expected)) {
    if (!found.has(expected)) found.set(expected, actual);
    return;
  }
  if (typeof expected !== 'object' || expected === null) return;
  for (const [key, value] of Object.entries(expected)) {
    placeholders(value, (actual as Readonly<Record<string, unknown>> | null)?.[key], found);
  }
}

/** The documented answer with what differs each time filled in. */
function filled(expected: unknown, actual: unknown, found: ReadonlyMap<string, unknown>): unknown {
  if (typeof expected === 'string' && expected.startsWith('<')) {
    return IDENTITIES.has(expected) ? found.get(expected) : actual;
  }
  if (Array.isArray(expected))
    return expected.map((item, index) => filled(item, (actual as readonly unknown[])[index], found));
  if (typeof expected !== 'object' || expected === null) return expected;
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [
      key,
      filled(value, (actual as Readonly<Record<string, unknown>> | undefined)?.[key], found),
    ]),
  );
}

describe('docs/http-api.md', () => {
  let system: EmbeddedControl;
  let page: string;

  beforeAll(async () => {
    system = await embeddedControl();
    page = await readFile(PAGE, 'utf8');
  }, 60_000);

  afterAll(() => system.close());

  it('shows exchanges that happen as they are written', async () => {
    const exchanges = exchangesOf(page);
    expect(exchanges).toHaveLength([...page.matchAll(/^```http$/gm)].length);
    const found = new Map<string, unknown>();
    for (const { request, status, expected } of exchanges) {
      const [head = '', ...rest] = request.replaceAll(/<\w+>/g, (name) => String(found.get(name))).split('\n\n');
      const [line = '', ...headerLines] = head.trim().split('\n');
      const [method = '', path = ''] = line.split(' ');
      const headers = Object.fromEntries(
        headerLines.map((header) => {
          const [name = '', value = ''] = header.split(': ');
          return [name.toLowerCase(), value];
        }),
      );
      const content = rest.join('\n\n').trim();
      const answer = await ask(system.url, path, { method, headers, ...(content !== '' && { text: content }) });
      const documented: unknown = JSON.parse(expected);
      placeholders(documented, answer.body, found);
      expect({ line, status: answer.status, body: answer.body }).toEqual({
        line,
        status,
        body: filled(documented, answer.body, found),
      });
    }
  }, 60_000);

  it('lists every code with its status', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (\d{3})/gm)].map((match) => [match[1], Number(match[2])]);
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status])),
    );
  });
});
