import { describe, expect, it } from '@jest/globals';
import type { Definition } from '@graphrun/dsl';
import { DefinitionGraphs } from './definition-graph.js';
import type { GraphOptions } from './definition-graph.js';

const DEFINITION: Definition = {
  dsl: 'graphrun/v1',
  id: 'echo',
  version: 1,
  runTimeoutMs: null,
  root: {
    inputSchema: 'integer/v1',
    outputSchema: 'integer/v1',
    start: 'end',
    nodes: { end: { kind: 'complete', output: { from: 'workflow.input' } } },
  },
};
const SVG: GraphOptions = { format: 'svg', theme: 'auto' };

/** Counts how often a definition is read to be drawn. */
function source() {
  let reads = 0;
  return {
    read: () => {
      reads += 1;
      return Promise.resolve({ definition: DEFINITION, annotations: {} });
    },
    reads: () => reads,
  };
}

describe('pictures of definitions', () => {
  it('are drawn once for each version, format and theme, also when several ask at once', async () => {
    const graphs = new DefinitionGraphs();
    const { read, reads } = source();
    const [first, second] = await Promise.all([1, 2].map(() => graphs.picture('echo', 1, SVG, read)));
    expect(first).toEqual({ mediaType: 'image/svg+xml', text: expect.stringMatching(/^<svg /) });
    expect(second).toBe(first);
    expect(reads()).toBe(1);
    await graphs.picture('echo', 2, SVG, read);
    await graphs.picture('echo', 1, { ...SVG, theme: 'dark' }, read);
    const { mediaType } = await graphs.picture('echo', 1, { ...SVG, format: 'mermaid' }, read);
    expect({ mediaType, reads: reads() }).toEqual({ mediaType: 'text/vnd.mermaid', reads: 4 });
  });

  it('are drawn again after a failure', async () => {
    const graphs = new DefinitionGraphs();
    const failing = graphs.picture('echo', 1, SVG, () => Promise.reject(new Error('the store is away')));
    await expect(failing).rejects.toThrow('the store is away');
    await expect(graphs.picture('echo', 1, SVG, source().read)).resolves.toMatchObject({ mediaType: 'image/svg+xml' });
  });

  it('are forgotten, the oldest first, when there are many', async () => {
    const graphs = new DefinitionGraphs();
    const { read, reads } = source();
    for (let version = 1; version <= 65; version += 1) await graphs.picture('echo', version, SVG, read);
    await graphs.picture('echo', 65, SVG, read);
    expect(reads()).toBe(65);
    await graphs.picture('echo', 1, SVG, read);
    expect(reads()).toBe(66);
  });
});
