/**
 * Documents and catalogs in the styles of other authors (`testing/compatibility`) compile unchanged, use no extension, and
 * mean what they say. Their digests are kept in `digests.json`: a definition that was published must find itself again.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseCatalog } from './catalog/parse.js';
import { checkArtifact } from './check-artifact.js';
import type { Definition, Node } from './ir.js';
import { LIMITS } from './limits.js';
import { definitionToDocument } from './restore-document.js';
import { artifactOf, catalogOf, compile } from './testing/order-catalog.js';
import { bodiesOf, nodesOf } from './walk.js';

const FOLDER = new URL('./testing/compatibility/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

const CATALOG_TEXT = read('catalog.json');
const CATALOG = catalogOf(CATALOG_TEXT);
const DIGESTS = JSON.parse(read('digests.json')) as Readonly<Record<string, string>>;
const DOCUMENTS = readdirSync(FOLDER).filter((name) => name !== 'catalog.json' && name !== 'digests.json');

const definitionOf = (name: string): Definition => artifactOf(read(name), CATALOG).definition;
const rootNode = (name: string, key: string): Node | undefined => definitionOf(name).root.nodes[key];

/** The node that is reached by these keys, through the only body of each. */
function innerNode(name: string, ...keys: readonly string[]): Node | undefined {
  let { root: region } = definitionOf(name);
  let node: Node | undefined;
  for (const key of keys) {
    node = region.nodes[key];
    const [body] = node === undefined ? [] : bodiesOf(node);
    if (body !== undefined) region = body.region;
  }
  return node;
}

describe('a document of another author', () => {
  it('is one of as many as the page says', () => {
    const page = readFileSync(new URL('../../../docs/compatibility.md', import.meta.url), 'utf8');
    expect(page).toContain(`A test has ${DOCUMENTS.length}\n`);
  });

  it.each(DOCUMENTS)('compiles without a word and uses no extension: %s', (name) => {
    expect(compile(read(name), CATALOG)).toMatchObject({ ok: true, warnings: [], extensions: [] });
  });

  it.each(DOCUMENTS)('has the digest it always had: %s', (name) => {
    expect(artifactOf(read(name), CATALOG).digest).toBe(DIGESTS[name]);
  });

  it.each<[string, (text: string) => string]>([
    ['a byte order mark', (text) => `\uFEFF${text}`],
    ['Windows line ends', (text) => text.replaceAll('\n', '\r\n')],
    ['both', (text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`],
    ['comments and empty lines around it', (text) => `# first\n\n${text}\n\n# last\n`],
    ['no line end at its end', (text) => text.replace(/\n$/, '')],
    ['spaces and tabs at the ends of lines', (text) => text.replaceAll(/([}\]:])\n/g, '$1 \t\n')],
  ])('is the same with %s', (_what, change) => {
    const changed = DOCUMENTS.map((name) => [name, artifactOf(change(read(name)), CATALOG).digest]);
    expect(Object.fromEntries(changed)).toEqual(DIGESTS);
  });

  it('is the same when its normal form is written back as a document, in JSON', () => {
    const written = DOCUMENTS.map((name) => {
      const document = JSON.stringify(definitionToDocument(definitionOf(name)), null, '\t');
      return [name, artifactOf(document, CATALOG).digest];
    });
    expect(Object.fromEntries(written)).toEqual(DIGESTS);
  });

  it('makes an artifact that is taken by itself', () => {
    for (const name of DOCUMENTS) {
      const artifact = artifactOf(read(name), CATALOG);
      expect(checkArtifact(JSON.parse(JSON.stringify(artifact)))).toEqual(artifact);
    }
  });
});

describe('a catalog of another author', () => {
  it('compiles whatever its style, and says built-in schemas again', () => {
    for (const text of [
      CATALOG_TEXT,
      `\uFEFF${CATALOG_TEXT.replaceAll('\n', '\r\n')}`,
      JSON.stringify(JSON.parse(CATALOG_TEXT)),
    ]) {
      expect(parseCatalog(text)).toEqual({ ok: true, catalog: CATALOG });
    }
    expect(CATALOG.schemas['unit/v1']).toEqual({ type: 'null' });
  });

  it('may leave out error codes, and have null for no reconciler', () => {
    expect(CATALOG.contracts.find(({ name, version }) => name === 'far.tally' && version === 2)).toEqual({
      name: 'far.tally',
      version: 2,
      inputSchema: 'tally/v1',
      outputSchema: 'tally/v1',
      execution: 'blocking',
      effects: 'pure',
      recovery: 'RetrySafe',
      errorCodes: [],
      reconciler: null,
    });
  });
});

describe('what a document means', () => {
  it('does not depend on how it is written: a sequence in four styles', () => {
    const names = ['sequence.yaml', 'sequence-reordered.yaml', 'sequence.json', 'sequence-minified.json'];
    expect(new Set(names.map((name) => artifactOf(read(name), CATALOG).digest)).size).toBe(1);
    expect(rootNode('sequence-reordered.yaml', 'book')).toEqual({
      kind: 'activity',
      activity: { name: 'bench.book', version: 1 },
      input: { from: 'workflow.input' },
      timeoutMs: 30_000,
      retry: { errors: ['bench.full'], maxAttempts: 4, backoff: { initialMs: 500, multiplier: 2, maxMs: 10_000 } },
      next: 'bill',
    });
  });

  it('loops: state, guard, limit and body', () => {
    expect(rootNode('while.yaml', 'count')).toMatchObject({
      kind: 'while',
      state: { from: 'workflow.input' },
      stateSchema: 'tally/v1',
      condition: { lt: [{ from: 'loop.state', path: '/n' }, { literal: 3 }] },
      maxIterations: 10,
      body: { inputSchema: 'tally/v1', outputSchema: 'tally/v1', start: 'add' },
      next: 'finish',
    });
    expect(rootNode('do-while.yaml', 'count')).toMatchObject({
      kind: 'do_while',
      condition: {
        all: [
          { le: [{ from: 'loop.state', path: '/n' }, { literal: 100 }] },
          { lt: [{ from: 'loop.index' }, { literal: 7 }] },
        ],
      },
      maxIterations: 1_000,
    });
    expect(rootNode('repeat.yaml', 'again')).toMatchObject({
      kind: 'repeat',
      count: { from: 'workflow.input', path: '/times' },
      state: { object: { n: { from: 'workflow.input', path: '/tally/n' } } },
      maxIterations: 20,
    });
    expect(rootNode('repeat-nothing.yaml', 'again')).toMatchObject({ count: { literal: 0 }, maxIterations: 1 });
  });

  it('foreach: the window as written, or 8', () => {
    expect(rootNode('foreach.yaml', 'each')).toMatchObject({ kind: 'foreach', maxItems: 100, maxConcurrency: 4 });
    expect(rootNode('foreach-places.yaml', 'each')).toMatchObject({ maxItems: 1_000, maxConcurrency: 8 });
    expect(innerNode('foreach-places.yaml', 'each', 'pair')).toEqual({
      kind: 'complete',
      output: { array: [{ from: 'item.index' }, { from: 'scope.input' }] },
    });
  });

  it('parallel: branches in their order', () => {
    const node = rootNode('parallel.yaml', 'quotes');
    expect(node?.kind === 'parallel' && node.branches.map(({ name, body }) => [name, body.outputSchema])).toEqual([
      ['labour', 'labour/v1'],
      ['parts', 'parts/v1'],
    ]);
    expect(rootNode('parallel-of-one.yaml', 'only')).toMatchObject({
      branches: [{ name: 'Only-Branch.1', input: { literal: null } }],
    });
  });

  it('events: what is buffered counts unless it says otherwise, and a timeout has its own way on', () => {
    expect(rootNode('events.yaml', 'wait')).toEqual({
      kind: 'wait_signal',
      signal: 'reply',
      key: { from: 'workflow.input', path: '/key' },
      timeoutMs: 300_000,
      consumeFrom: 'buffered',
      next: 'finish',
      onTimeout: 'late',
    });
    expect(rootNode('events-fresh.yaml', 'wait')).toEqual({
      kind: 'wait_signal',
      signal: 'reply',
      key: { from: 'scope.id' },
      timeoutMs: null,
      consumeFrom: 'after_activation',
      next: 'finish',
    });
    expect(definitionOf('events-fresh.yaml').signals).toEqual({
      reply: { schema: 'reply/v1' },
      never_awaited: { schema: { array: { tuple: ['unit/v1', 'string/v1'] } } },
    });
    expect(innerNode('events-in-foreach.yaml', 'replies', 'wait')).toMatchObject({
      timeoutMs: 43_200_000,
      onTimeout: 'late',
    });
  });

  it('a timeout that joins the tail of the success', () => {
    expect(rootNode('timeout-recovery.yaml', 'ask')).toMatchObject({ next: 'finish', onTimeout: 'recover' });
    expect(rootNode('timeout-recovery.yaml', 'recover')).toMatchObject({ next: 'finish' });
    expect(rootNode('shared-tail.yaml', 'second')).toMatchObject({ next: 'tail', onTimeout: 'tail' });
  });

  it('sagas: compensations with their own defaults', () => {
    expect(innerNode('saga.yaml', 'repair', 'book')).toMatchObject({
      compensation: {
        kind: 'activity',
        activity: { name: 'bench.free', version: 1 },
        input: { from: 'forward.output' },
        timeoutMs: 300_000,
        retry: {
          errors: ['bench.offline'],
          maxAttempts: 10,
          backoff: { initialMs: 1_000, multiplier: 2, maxMs: 300_000 },
        },
      },
    });
    expect(innerNode('saga.yaml', 'repair', 'bill')).toMatchObject({
      compensation: {
        timeoutMs: 120_000,
        retry: {
          errors: ['bill.offline'],
          maxAttempts: 3,
          backoff: { initialMs: 1_000, multiplier: 2, maxMs: 30_000 },
        },
      },
    });
    expect(innerNode('saga-irreversible.yaml', 'tickets', 'guarded', 'horn')).toMatchObject({
      compensation: { kind: 'irreversible', reason: 'A sound cannot be taken back.\nEverybody heard it.\n' },
    });
    // `retry: {}` is no retry at all.
    expect(innerNode('saga-irreversible.yaml', 'tickets', 'guarded', 'book')).toMatchObject({
      compensation: { retry: { errors: ['bench.offline'], maxAttempts: 10 } },
    });
    expect(innerNode('nested-saga.yaml', 'outer', 'inner', 'bill')).toMatchObject({
      compensation: { activity: { name: 'bill.void', version: 1 }, input: { from: 'forward.output' } },
    });
    expect(innerNode('in-the-saga-a-loop.yaml', 'all', 'each', 'pure')).not.toHaveProperty('compensation');
  });

  it('timers: three spellings of a delay, and moments', () => {
    expect(definitionOf('timers.yaml').root.nodes).toMatchObject({
      past: { kind: 'wait_until', at: { literal: 0 } },
      short: { kind: 'delay', duration: { literal: 10 } },
      written_out: { kind: 'delay', duration: { literal: 10 } },
      given: { kind: 'delay', duration: { from: 'workflow.input', path: '/pause_ms' } },
      due: { kind: 'wait_until', at: { from: 'workflow.input', path: '/due' } },
    });
  });

  it('remote activities: exact versions and the longest times', () => {
    expect(definitionOf('remote.yaml').runTimeoutMs).toBe(31_536_000_000);
    expect(rootNode('remote.yaml', 'echo')).toMatchObject({
      activity: { name: 'far.tally', version: 2 },
      timeoutMs: 86_400_000,
    });
    expect(Object.keys(artifactOf(read('remote.yaml'), CATALOG).contracts)).toEqual(['far.tally/v2']);
  });

  it('choices: every operator as it is written', () => {
    const node = rootNode('choice-conditions.yaml', 'grade');
    expect(node?.kind === 'choose' && node.cases.map(({ name, when }) => [name, when])).toEqual([
      [
        'first',
        {
          any: [
            { exists: { from: 'workflow.input' } },
            { not: { exists: { from: 'workflow.input', path: '/grade' } } },
          ],
        },
      ],
      [
        'second',
        {
          all: [
            { ne: [{ from: 'workflow.input', path: '/grade' }, { literal: null }] },
            {
              not: {
                any: [
                  { gt: [{ from: 'workflow.input', path: '/cents' }, { literal: -5 }] },
                  { ge: [{ literal: 10 }, { from: 'workflow.input', path: '/due' }] },
                  {
                    le: [
                      { from: 'workflow.input', path: '/cents' },
                      { from: 'workflow.input', path: '/due' },
                    ],
                  },
                ],
              },
            },
            { eq: [{ from: 'scope.input', path: '/urgent' }, { literal: false }] },
          ],
        },
      ],
    ]);
  });

  it('frames: loop.* and item.* reach into whatever stands inside', () => {
    expect(innerNode('frames.yaml', 'rows', 'counted')).toMatchObject({
      state: { from: 'item.value' },
      condition: { lt: [{ from: 'loop.index' }, { from: 'item.index' }] },
    });
    expect(innerNode('frames.yaml', 'rows', 'counted', 'deeper')).toMatchObject({ input: { from: 'loop.state' } });
    expect(innerNode('nested-controls.yaml', 'items', 'twice')).toMatchObject({ count: { literal: 2 } });
  });

  it('schemas that are put together, and bindings that are', () => {
    const { root } = definitionOf('constructors.yaml');
    expect(root.inputSchema).toEqual({
      tuple: ['tally/v1', { array: { tuple: ['ask/v1', { array: 'string/v1' }] } }],
    });
    expect(root.nodes['finish']).toMatchObject({
      output: {
        array: [
          { array: [{ from: 'workflow.input', path: '/0' }, { literal: { n: 7 } }, { object: { n: { literal: 3 } } }] },
          { from: 'workflow.input', path: '/1/0/0' },
          { from: 'workflow.input', path: '/1/0/1' },
          { object: { 'a/b~c': { literal: { deep: [1, [2, { three: [3] }]], none: null } } } },
          { literal: true },
        ],
      },
    });
  });

  it('texts: what looks like something else and is not', () => {
    const node = rootNode('texts.yaml', 'all_of_them');
    const binding = node?.kind === 'complete' && 'array' in node.output ? node.output.array : [];
    expect(binding.map((item) => ('literal' in item ? item.literal : undefined))).toEqual([
      '2024-01-01',
      'yes',
      '12',
      `it's "quoted"`,
      'tab\t, snow ☃, and a 🚀',
      'folded into one line',
      'ünïcödé → 日本語',
    ]);
    expect(definitionOf('texts.yaml')).toMatchObject({ id: 'Texts-1.2_x', version: 4_294_967_295 });
    expect(rootNode('fail-only.yaml', 'f')).toEqual({
      kind: 'fail',
      error: { code: 'Some-Code.1_x', message: '…and that was that: № 1 {not a map} # not a comment' },
    });
  });

  it('nesting: as deep as it may be', () => {
    const depths = [...nodesOf(definitionOf('eight-deep.yaml'))].map(
      ({ pointer }) => pointer.split('/nodes/').length - 1,
    );
    expect(Math.max(...depths)).toBe(LIMITS.regionNesting);
  });
});
