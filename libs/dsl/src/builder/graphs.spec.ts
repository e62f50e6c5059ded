/** Tails make every graph possible: any region without cycles can be built, edge for edge. */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { artifactOf, artifactOfYaml } from './testing/compare.js';
import { counter, Counter } from './testing/shop.js';
import { signal, workflow, type Ended, type Tail } from './index.js';

/** A node leads to later ones, by how far they are away. */
interface Plan {
  readonly kind: 'activity' | 'delay' | 'wait';
  readonly next: number;
  readonly other: number;
}

const far = fc.integer({ min: 1, max: 4 });
const plans = fc.array(
  fc.record({ kind: fc.constantFrom('activity' as const, 'delay' as const, 'wait' as const), next: far, other: far }),
  { minLength: 1, maxLength: 12 },
);

const bump = signal('bump', Counter);

/** The nodes that the first leads to; the one after the last plan ends the region. */
function reachable(nodes: readonly Plan[]): ReadonlySet<number> {
  const found = new Set([0]);
  for (const [index, { kind, next, other }] of nodes.entries()) {
    if (!found.has(index)) continue;
    for (const distance of kind === 'delay' ? [next] : [next, other]) {
      found.add(Math.min(index + distance, nodes.length));
    }
  }
  return found;
}

function written(nodes: readonly Plan[]): string {
  const key = (from: number, distance: number): string => `n${Math.min(from + distance, nodes.length)}`;
  const fields = (index: number): string => {
    const node = nodes[index];
    if (node === undefined) return 'kind: complete, output: {from: workflow.input}';
    const next = `next: ${key(index, node.next)}`;
    const other = key(index, node.other);
    switch (node.kind) {
      case 'delay':
        return `kind: delay, duration: 1s, ${next}`;
      case 'wait':
        return `kind: wait_signal, signal: bump, key: {literal: k}, timeout: 1m, ${next}, on_timeout: ${other}`;
      case 'activity':
        return `kind: activity, activity: {name: counter.increment, version: 1}, input: {from: workflow.input}, ${next}, on_error: [{codes: any, next: ${other}}]`;
    }
  };
  const entries = [...reachable(nodes)].map((index) => `n${index}: {${fields(index)}}`);
  const header =
    'dsl: graphrun/v1, id: graph, version: 1, input_schema: counter/v1, output_schema: counter/v1, start: n0';
  return `{${header}, signals: {bump: {schema: counter/v1}}, nodes: {${entries.join(', ')}}}`;
}

it('every graph can be built: the same digest as its YAML', () => {
  type Root = Tail<typeof Counter, 'plain', typeof Counter>;
  fc.assert(
    fc.property(plans, (nodes) => {
      const built = workflow('graph', 1, { signals: [bump] })
        .input(Counter)
        .output(Counter)
        .body((r) => {
          // One tail for each node: what leads to the node goes there, and the node is put on it in its turn.
          const tails: readonly Root[] = [...nodes, null].map(() => r.tail());
          const [first] = tails;
          const last = tails.at(-1);
          if (first === undefined || last === undefined) throw new Error('There is a tail for the end at least');
          r.goTo(first);
          for (const index of [...reachable(nodes)].toSorted((a, b) => a - b)) {
            const node = nodes[index];
            const path = tails[index];
            if (node === undefined || path === undefined) continue;
            const lead = (from: Pick<Root, 'goTo'>, distance: number): Ended =>
              from.goTo(tails[index + distance] ?? last);
            switch (node.kind) {
              case 'delay':
                path.delay(`n${index}`, '1s');
                lead(path, node.next);
                break;
              case 'wait':
                path.waitSignal(`n${index}`, bump, {
                  key: 'k',
                  timeout: '1m',
                  onSignal: (signalled) => lead(signalled, node.next),
                  onTimeout: (late) => lead(late, node.other),
                });
                break;
              case 'activity':
                path.activity(`n${index}`, counter.increment, r.input, {
                  onSuccess: (done) => lead(done, node.next),
                  onError: [{ codes: 'any', then: (failed) => lead(failed, node.other) }],
                });
            }
          }
          return last.complete(`n${nodes.length}`, r.input);
        });
      expect(artifactOf(built).digest).toBe(artifactOfYaml(written(nodes)).digest);
    }),
    { numRuns: 100 },
  );
});
