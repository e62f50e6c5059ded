import { describe, expect, it } from '@jest/globals';
import { catalogFromEntries } from './catalog/catalog.js';
import { LIMITS } from './limits.js';
import {
  artifactOf,
  BUMP,
  CATALOG,
  catalogOf,
  compile,
  documentOf,
  faultsOf,
  ORDER_CATALOG,
} from './testing/order-catalog.js';

const RESERVE = `dsl: graphrun/v1
id: reserve
version: 3
input_schema: order/v1
output_schema: reservation/v1
run_timeout: 2d
start: reserve
nodes:
  reserve:
    kind: activity
    activity: {name: inventory.reserve, version: 1}
    input:
      object:
        order_id: {from: workflow.input, path: /order_id}
        amount: {from: workflow.input, path: /amount}
        note: {from: workflow.input, path: /note, default: none}
        lines: {array: [{object: {sku: {literal: a}}}, {object: {sku: {literal: b}}}]}
    timeout: 90s
    retry: {errors: [busy], max_attempts: 3, backoff: {initial: 250ms, multiplier: 1.5, max: 10s}}
    next: done
  done: {kind: complete, output: {from: nodes.reserve.output}}
`;

describe('the normal form', () => {
  it('expands every default and drops positions, descriptions and labels', () => {
    const source = BUMP.replace('id: bump', 'id: bump\ndescription: counts\nlabels: {team: a, tier: 1}').replace(
      '    next: done',
      '    next: done\n    description: one more\n    labels: {x: y}',
    );
    expect(artifactOf(source).definition).toEqual({
      dsl: 'graphrun/v1',
      id: 'bump',
      version: 1,
      runTimeoutMs: null,
      root: {
        inputSchema: 'counter/v1',
        outputSchema: 'counter/v1',
        start: 'inc',
        nodes: {
          inc: {
            kind: 'activity',
            activity: { name: 'counter.increment', version: 1 },
            input: { from: 'workflow.input' },
            timeoutMs: 300_000,
            retry: { errors: [], maxAttempts: 5, backoff: { initialMs: 1_000, multiplier: 2, maxMs: 60_000 } },
            next: 'done',
          },
          done: { kind: 'complete', output: { from: 'nodes.inc.output' } },
        },
      },
    });
  });

  it('keeps what is written', () => {
    const { definition } = artifactOf(RESERVE);
    expect(definition.runTimeoutMs).toBe(172_800_000);
    expect(definition.root.nodes['reserve']).toMatchObject({
      timeoutMs: 90_000,
      retry: { errors: ['busy'], maxAttempts: 3, backoff: { initialMs: 250, multiplier: 1.5, maxMs: 10_000 } },
      input: { object: { note: { from: 'workflow.input', path: '/note', default: 'none' } } },
    });
  });

  it('carries the contracts and schemas that are used, and no others', () => {
    const artifact = artifactOf(RESERVE);
    expect(Object.keys(artifact.contracts)).toEqual(['inventory.reserve/v1']);
    expect(Object.keys(artifact.schemas)).toEqual(['order/v1', 'reservation/v1']);
  });

  it('carries the built-in schemas that are used', () => {
    const source = documentOf({
      output: '{array: string/v1}',
      nodes: '  first:\n    kind: complete\n    output: {array: [{from: scope.id}]}\n',
    });
    expect(Object.keys(artifactOf(source).schemas)).toEqual(['counter/v1', 'string/v1']);
  });

  it('has nothing left of an empty path', () => {
    expect(artifactOf(BUMP.replace('workflow.input', 'workflow.input, path: ""')).digest).toBe(artifactOf(BUMP).digest);
  });

  it('lets pure work retry what its handler throws', () => {
    const source = BUMP.replace('    next: done', '    retry: {errors: [activity.unhandled]}\n    next: done');
    expect(artifactOf(source).definition.root.nodes['inc']).toMatchObject({
      retry: { errors: ['activity.unhandled'] },
    });
  });

  it('accepts node keys that objects inherit', () => {
    const source = BUMP.replaceAll('inc:', 'constructor:')
      .replace('start: inc', 'start: constructor')
      .replace('.inc.', '.constructor.');
    expect(Object.keys(artifactOf(source).definition.root.nodes)).toEqual(['constructor', 'done']);
  });
});

describe('the digest', () => {
  it('is stable over releases', () => {
    expect(artifactOf(BUMP).digest).toBe('87cdc71ebf7232564f20cd57b7c823a26e07bf53d60c1cc55b9881e1937cae07');
    expect(artifactOf(RESERVE).digest).toBe('6842c304336979f2632d6c94f1fca1b6457346573bbb5e963a7082217deb036a');
  });

  it('does not depend on formatting, comments, key order or annotations', () => {
    const digest = artifactOf(BUMP).digest;
    const reordered = `# counts
nodes: {"done": {output: {from: nodes.inc.output}, kind: complete},
  inc: {next: done, labels: {a: b}, timeout: 300s, input: {from: "workflow.input"}, activity: {version: 1, name: counter.increment}, kind: 'activity',
    retry: {backoff: {max: 1m, initial: 1000ms, multiplier: 2.0}, max_attempts: 5, errors: []}}}
start: inc
output_schema: "counter/v1"
input_schema: counter/v1
version: 1
description: the same
id: bump
dsl: graphrun/v1
`;
    expect(artifactOf(reordered).digest).toBe(digest);
    expect(artifactOf(BUMP.replaceAll('\n', '\r\n')).digest).toBe(digest);
    expect(artifactOf(JSON.stringify({ ...toDocument() }, null, 1)).digest).toBe(digest);
  });

  it('does not depend on the order of the catalog or on what else is in it', () => {
    const catalog = JSON.parse(ORDER_CATALOG) as { schemas: object; activities: object[] };
    const schemas = Object.fromEntries(Object.entries(catalog.schemas).toReversed());
    const more = { ...catalog, schemas: { ...schemas, 'extra/v1': {} }, activities: catalog.activities.toReversed() };
    expect(artifactOf(RESERVE, catalogOf(JSON.stringify(more))).digest).toBe(artifactOf(RESERVE).digest);
  });

  it.each([
    ['id: reserve', 'id: reserve2'],
    ['version: 3', 'version: 4'],
    ['run_timeout: 2d', 'run_timeout: 3d'],
    ['run_timeout: 2d\n', ''],
    ['/amount}', '/amount, default: 1}'],
    ['path: /note, default: none', 'path: /note, default: "null"'],
    ['path: /note, default: none', 'path: /note, default: null'],
    ['path: /note, default: none', 'path: /note'],
    ['literal: b', 'literal: c'],
    ['{sku: {literal: a}}}, {object: {sku: {literal: b}}}', '{sku: {literal: b}}}, {object: {sku: {literal: a}}}'],
    ['timeout: 90s', 'timeout: 91s'],
    ['errors: [busy]', 'errors: []'],
    ['max_attempts: 3', 'max_attempts: 4'],
    ['initial: 250ms', 'initial: 251ms'],
    ['multiplier: 1.5', 'multiplier: 1.6'],
    ['max: 10s', 'max: 11s'],
    ['nodes.reserve.output}', 'nodes.reserve.output, default: {reservation_id: x}}'],
    ['done', 'ready'],
  ])('changes when %j becomes %j', (from, to) => {
    expect(RESERVE).toContain(from);
    expect(artifactOf(RESERVE.replaceAll(from, to)).digest).not.toBe(artifactOf(RESERVE).digest);
  });

  it.each([
    [
      'a schema',
      '"reservation_id": {\n          "type": "string"',
      '"reservation_id": {\n          "minLength": 1, "type": "string"',
    ],
    ['an annotation of a schema', '"rate": {', '"rate": { "title": "x",'],
    [
      'a contract',
      '"code": "busy",\n          "retryable": true',
      '"code": "busy",\n          "retryable": true }, { "code": "e", "retryable": false',
    ],
  ])('changes with %s', (_what, from, to) => {
    expect(ORDER_CATALOG).toContain(from);
    expect(artifactOf(RESERVE, catalogOf(ORDER_CATALOG.replace(from, to))).digest).not.toBe(artifactOf(RESERVE).digest);
  });

  it('is the same for a catalog from stored entries', () => {
    const { schemas, contracts } = CATALOG;
    expect(artifactOf(RESERVE, catalogFromEntries({ schemas, contracts })).digest).toBe(artifactOf(RESERVE).digest);
  });
});

function toDocument(): object {
  return {
    dsl: 'graphrun/v1',
    id: 'bump',
    version: 1,
    input_schema: 'counter/v1',
    output_schema: 'counter/v1',
    start: 'inc',
    nodes: {
      inc: {
        kind: 'activity',
        activity: { name: 'counter.increment', version: 1 },
        input: { from: 'workflow.input' },
        next: 'done',
      },
      done: { kind: 'complete', output: { from: 'nodes.inc.output' } },
    },
  };
}

describe('warnings', () => {
  it('do not stop a compilation', () => {
    const result = compile(BUMP.replace('nodes.inc.output', 'nodes.inc.output, default: {value: 1}'));
    expect(result).toMatchObject({
      ok: true,
      warnings: [{ code: 'GR1308', severity: 'warning', line: 15, column: 47, endColumn: 57 }],
    });
    expect(compile(BUMP)).toMatchObject({ ok: true, warnings: [] });
  });
});

describe('limits', () => {
  const chain = (count: number, literal = 'x'): string =>
    documentOf({
      start: 'n0',
      nodes: Array.from({ length: count }, (_, index) =>
        index === count - 1
          ? `  n${index}:\n    kind: fail\n    error: {code: end, message: ${literal}}\n`
          : `  n${index}:\n    kind: activity\n    activity: {name: counter.increment, version: 1}\n    input: {from: workflow.input}\n    next: n${index + 1}\n`,
      ).join(''),
    });

  it('allow 512 nodes and not 513', () => {
    expect(compile(chain(LIMITS.nodesPerDefinition)).ok).toBe(true);
    expect(faultsOf(chain(LIMITS.nodesPerDefinition + 1))).toEqual(['7:1 GR1113']);
  });

  it('refuse a small document whose normal form is large, at its id', () => {
    // Six bytes of JSON for each two of YAML.
    const source = documentOf({
      output: 'string/v1',
      nodes: `  first:\n    kind: complete\n    output: {literal: "${'\\a'.repeat(60_000)}"}\n`,
    });
    expect(faultsOf(source)).toEqual(['10:23 GR1307']);
    const split = documentOf({
      output: '{array: string/v1}',
      nodes: `  first:\n    kind: complete\n    output: {array: [${Array(3)
        .fill(`{literal: "${'\\a'.repeat(16_000)}"}`)
        .join(', ')}]}\n`,
    });
    expect(faultsOf(split)).toEqual(['2:5 GR1113']);
  });
});
