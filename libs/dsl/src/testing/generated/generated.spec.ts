import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NAMED_REFERENCES } from '../../bindings/reference.js';
import { compileYaml } from '../../compile.js';
import type { Region } from '../../ir.js';
import { loadProgram } from '../../load.js';
import { NODE_KINDS } from '../../nodes/index.js';
import { bodiesOf, nodesOf } from '../../walk.js';
import { arbitraryDefinition, arbitraryValue, CONTRACTS, performOf, SHOP, waitsOf } from './index.js';

describe('a generated definition', () => {
  it('compiles to itself, without a warning', () => {
    fc.assert(
      fc.property(arbitraryDefinition(), (generated) => {
        const result = compileYaml(String(generated), { catalog: SHOP });
        if (!result.ok) throw new Error(result.diagnostics.map((d) => `${d.line}:${d.column} ${d.message}`).join('\n'));
        expect(result.artifact.digest).toBe(generated.artifact.digest);
        expect(result.artifact.definition).toEqual(generated.definition);
        expect(result.warnings).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('has an input that fits', () => {
    fc.assert(
      fc.property(arbitraryDefinition({ maxNodes: 8 }), ({ artifact, definition, input }) => {
        expect(loadProgram(artifact).validate(definition.root.inputSchema, input)).toBeNull();
      }),
      { numRuns: 50 },
    );
  });

  it('keeps within its limits, so that a run of it ends', () => {
    const limits = { maxNodes: 30, maxDepth: 4, maxRepeats: 12 };
    fc.assert(
      fc.property(arbitraryDefinition(limits), ({ definition }) => {
        expect([...nodesOf(definition)].length).toBeLessThanOrEqual(limits.maxNodes);
        const { depth, repeats } = extentOf(definition.root, 1, 1);
        expect(depth).toBeLessThanOrEqual(limits.maxDepth);
        expect(repeats).toBeLessThanOrEqual(limits.maxRepeats);
      }),
      { numRuns: 100 },
    );
  });

  it('waits for each key at one node', () => {
    fc.assert(
      fc.property(arbitraryDefinition(), ({ definition }) => {
        const keys = waitsOf(definition).flatMap(({ key }) => ('literal' in key ? [key.literal] : []));
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 100 },
    );
  });

  it('is any of those that can be written', () => {
    // Many at once, always the same: what is missing here would never be tested.
    const samples = fc.sample(arbitraryDefinition(), { numRuns: 600, seed: 7 });
    const text = samples.map(({ definition }) => JSON.stringify(definition)).join('\n');
    const missing = [
      ...[...NODE_KINDS.keys()].map((kind) => `"kind":"${kind}"`),
      ...NAMED_REFERENCES.map((name) => `"from":"${name}"`),
      ...['path', 'default', 'literal', 'object', 'array'].map((form) => `"${form}":`),
      ...['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'all', 'any', 'not', 'exists'].map((operator) => `"${operator}":`),
      ...['onTimeout', 'onError', 'compensation', 'searchAttributes', 'signals'].map((name) => `"${name}":`),
      ...['"kind":"irreversible"', '"codes":"any"', '"runTimeoutMs":86400000', '"consumeFrom":"after_activation"'],
    ].filter((part) => !text.includes(part));
    expect(missing).toEqual([]);
    expect(text).toMatch(/"from":"nodes\.[a-z_0-9]+\.output"/);
    expect(text).toMatch(/"from":"nodes\.[a-z_0-9]+\.error","path":"\/code"/);
  });
});

/** The deepest nesting of regions, and how often the innermost one may run. */
function extentOf(
  region: Region,
  depth: number,
  repeats: number,
): { readonly depth: number; readonly repeats: number } {
  const inner = Object.values(region.nodes).flatMap((node) => {
    const times = 'maxIterations' in node ? node.maxIterations : node.kind === 'foreach' ? node.maxItems : 1;
    return bodiesOf(node).map((body) => extentOf(body.region, depth + 1, repeats * times));
  });
  return {
    depth: Math.max(depth, ...inner.map((extent) => extent.depth)),
    repeats: Math.max(repeats, ...inner.map((extent) => extent.repeats)),
  };
}

describe('the activities of generated definitions', () => {
  it.each(CONTRACTS.map((contract) => [contract.name, contract] as const))(
    'answer what fits: %s',
    (_name, contract) => {
      const [generated] = fc.sample(arbitraryDefinition(), 1);
      if (generated === undefined) throw new Error('nothing was generated');
      const program = loadProgram({ ...generated.artifact, schemas: SHOP.schemas });
      fc.assert(
        fc.property(arbitraryValue(contract.inputSchema), (input) => {
          expect(program.validate(contract.inputSchema, input)).toBeNull();
          const performed = performOf(contract, input);
          if ('output' in performed) expect(program.validate(contract.outputSchema, performed.output)).toBeNull();
          else expect(contract.errorCodes.map(({ code }) => code)).toContain(performed.error.code);
        }),
        { numRuns: 50 },
      );
    },
  );
});
