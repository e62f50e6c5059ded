import { describe, expect, it } from '@jest/globals';
import { renderDiagnostic } from '../diagnostic.js';
import type { Order } from './testing/shop.js';
import { Approval, counter, Counter, SHOP } from './testing/shop.js';
import { gt, literal, schema, signal, workflow } from './index.js';

describe('a workflow', () => {
  const bump = workflow('bump', 1)
    .input(Counter)
    .output(Counter)
    .body((r) => {
      const bumped = r.activity('inc', counter.increment, r.input, { description: 'Adds one.' });
      return r.complete('done', bumped.output);
    });

  it('is a document of plain data', () => {
    const document = {
      dsl: 'graphrun/v1',
      id: 'bump',
      version: 1,
      input_schema: 'counter/v1',
      output_schema: 'counter/v1',
      start: 'inc',
      nodes: {
        inc: {
          kind: 'activity',
          description: 'Adds one.',
          activity: { name: 'counter.increment', version: 1 },
          input: { from: 'workflow.input' },
          next: 'done',
        },
        done: { kind: 'complete', output: { from: 'nodes.inc.output' } },
      },
    };
    expect(bump.document).toStrictEqual(document);
    expect(JSON.parse(JSON.stringify(bump.document))).toStrictEqual(document);
  });

  it('is that document as YAML', () => {
    expect(bump.text).toBe(`dsl: graphrun/v1
id: bump
version: 1
input_schema: counter/v1
output_schema: counter/v1
start: inc
nodes:
  inc:
    kind: activity
    description: Adds one.
    activity:
      name: counter.increment
      version: 1
    input:
      from: workflow.input
    next: done
  done:
    kind: complete
    output:
      from: nodes.inc.output
`);
  });

  it('knows its name, its version and its schemas', () => {
    const { id, version, inputSchema, outputSchema } = bump;
    expect({ id, version, inputSchema, outputSchema }).toEqual({
      id: 'bump',
      version: 1,
      inputSchema: Counter,
      outputSchema: Counter,
    });
  });

  it('says for people what stands outside of the digest', () => {
    const build = (described: boolean) => {
      const about = (description: string) => (described ? { description, labels: { level: 1, of: description } } : {});
      return workflow('described', 1, about('document'))
        .input(Counter)
        .output(Counter)
        .body((r) => {
          r.delay('delay', '1s', about('delay'));
          r.waitUntil('until', 5, about('until'));
          r.waitSignal('signal', signal('approved', Approval), { key: 'k', timeout: null, ...about('signal') });
          const schemas = { inputSchema: Counter, outputSchema: Counter };
          r.choose('choose', {
            ...about('choose'),
            ...schemas,
            input: r.input,
            cases: [
              {
                name: 'a',
                ...about('case'),
                when: gt(1, 0),
                body: (b) => b.complete('done', b.input, about('inside')),
              },
            ],
            default: (b) => b.fail('no', { code: 'no', message: 'No.' }, about('fail')),
          });
          const branch = r.branch('left', {
            ...about('branch'),
            ...schemas,
            input: r.input,
            body: (b) => b.complete('done', b.input),
          });
          r.parallel('parallel', [branch], about('parallel'));
          return r.continueAsNew('again', r.input, about('again'));
        })
        .compile({ catalog: SHOP });
    };
    const [described, bare] = [build(true), build(false)];
    if (!described.ok || !bare.ok) throw new Error(JSON.stringify([described, bare]));
    const text = (description: string) => ({ description, labels: { level: 1, of: description } });
    expect(described.annotations).toEqual({
      '': text('document'),
      '/root/nodes/delay': text('delay'),
      '/root/nodes/until': text('until'),
      '/root/nodes/signal': text('signal'),
      '/root/nodes/choose': text('choose'),
      '/root/nodes/choose/cases/0': text('case'),
      '/root/nodes/choose/cases/0/body/nodes/done': text('inside'),
      '/root/nodes/choose/default/nodes/no': text('fail'),
      '/root/nodes/parallel': text('parallel'),
      '/root/nodes/parallel/branches/0': text('branch'),
      '/root/nodes/again': text('again'),
    });
    expect(bare.annotations).toEqual({});
    expect(described.artifact.digest).toBe(bare.artifact.digest);
  });

  it('uses nothing beyond the original language that its author did not use', () => {
    const compiled = bump.compile({ catalog: SHOP });
    expect(compiled).toMatchObject({ ok: true, extensions: ['description'] });
  });
});

describe('what types cannot see', () => {
  it('is said by the compiler, at the place in the text', () => {
    const broken = workflow('broken', 1)
      .input(Counter)
      .output(Counter)
      .body((r) => {
        const looped = r.repeat('loop', {
          count: 1,
          state: r.input,
          stateSchema: Counter,
          maxIterations: 5_000,
          body: (b) => b.complete('next', literal({ value: 1.5 })),
        });
        return r.complete('done', looped.output);
      });
    const result = broken.compile({ catalog: SHOP });
    const diagnostics = result.ok ? [] : result.diagnostics;
    expect(diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, broken.text)).join('\n')).toBe(
      `broken.yaml:15:21 GR1110 "max_iterations" is an integer from 1 to 1000; this is 5000
   15 |     max_iterations: 5000
      |                     ^^^^
broken.yaml:25:22 GR1404 the literal is number, but integer is expected here
   25 |               value: 1.5
      |                      ^^^`,
    );
  });

  it('is said in the name of the file that the caller gives', () => {
    const Missing = schema<Order, 'missing/v1'>('missing/v1');
    const broken = workflow('broken', 1)
      .input(Missing)
      .output(Missing)
      .body((r) => r.complete('done', r.input));
    const codes = (file?: string) => {
      const result = broken.compile({ catalog: SHOP, ...(file === undefined ? {} : { file }) });
      return result.ok ? [] : result.diagnostics.map((found) => `${found.file}:${found.line} ${found.code}`);
    };
    expect(codes()).toEqual(['broken.yaml:4 GR1401', 'broken.yaml:5 GR1401']);
    expect(codes('order.ts')).toEqual(['order.ts:4 GR1401', 'order.ts:5 GR1401']);
  });
});
