/** Generated choices, parallel branches, items and sagas. */
import type { ChooseNode, ForeachNode, Node, ParallelBranch, ParallelNode, Region, SagaNode } from '../../ir.js';
import { POLICIES } from '../../limits.js';
import { bodiesOf as bodiesIn } from '../../walk.js';
import { bindingOf } from './bindings.js';
import { SCHEMAS } from './catalog.js';
import { conditionOf } from './conditions.js';
import type { Frame } from './draft.js';
import type { RegionSchemas, Site } from './site.js';

const NAMES = ['first', 'Second', '3rd.way', 'last-one'] as const;

export function chooseOf(site: Site): ChooseNode {
  const { picks, places, next } = site;
  const schemas = { input: picks.of(SCHEMAS), output: picks.of(SCHEMAS) };
  const input = bindingOf(schemas.input, places, picks);
  const bodies = bodiesOf(site, () => schemas, {});
  const cases = bodies.slice(1).map(({ body }, index) => ({
    name: NAMES[index] ?? `case${index}`,
    when: conditionOf(places, picks),
    body,
  }));
  const [first] = bodies;
  if (first === undefined) throw new Error('A choice has at least two bodies');
  return { kind: 'choose', input, cases, default: first.body, next };
}

export function parallelOf(site: Site): ParallelNode {
  const { picks, places, next, frame } = site;
  const beside = frame.beside === 'items' ? 'items' : 'branches';
  const bodies = bodiesOf(site, () => ({ input: picks.of(SCHEMAS), output: picks.of(SCHEMAS) }), { beside });
  const branches = bodies.map(({ body, schemas }, index): ParallelBranch => ({
    name: NAMES[index] ?? `branch${index}`,
    input: bindingOf(schemas.input, places, picks),
    body,
  }));
  return { kind: 'parallel', branches, next };
}

interface Body {
  readonly schemas: RegionSchemas;
  readonly body: Region;
}

/** Bodies of a node with several; now and then one is the same as the one before it. */
function bodiesOf(site: Site, schemasOf: () => RegionSchemas, frame: Partial<Frame>): readonly Body[] {
  const bodies: Body[] = [];
  for (let index = 0; index < site.bodies; index += 1) {
    const before = bodies.at(-1);
    if (before !== undefined && site.picks.once(4) && maySeeAgain(before.body, site)) bodies.push(before);
    else {
      const schemas = schemasOf();
      bodies.push({ schemas, body: site.body(index, schemas, frame) });
    }
  }
  return bodies;
}

/** Two waits with the same key must not be under way at once, and all nodes count. */
function maySeeAgain(body: Region, { draft }: Site): boolean {
  const nodes = nodesIn(body);
  // One node of each body has been set aside already.
  return nodes.every(({ kind }) => kind !== 'wait_signal') && draft.take(nodes.length - 1);
}

function nodesIn({ nodes }: Region): readonly Node[] {
  return Object.values(nodes).flatMap((node) => [node, ...bodiesIn(node).flatMap(({ region }) => nodesIn(region))]);
}

export function foreachOf(site: Site): ForeachNode {
  const { picks, places, next, draft, frame } = site;
  const itemSchema = picks.of(SCHEMAS);
  const maxItems = draft.repeats(frame, picks);
  const schemas = { input: itemSchema, output: picks.of(SCHEMAS) };
  return {
    kind: 'foreach',
    items: bindingOf({ array: itemSchema }, places, picks),
    itemSchema,
    maxItems,
    maxConcurrency: picks.of([POLICIES.foreachConcurrency, 1, 2, 32]),
    body: site.body(0, schemas, { itemValue: itemSchema, repeats: frame.repeats * maxItems, beside: 'items' }),
    next,
  };
}

export function sagaOf(site: Site): SagaNode {
  const { picks, places, next } = site;
  const schemas = { input: picks.of(SCHEMAS), output: picks.of(SCHEMAS) };
  return {
    kind: 'saga',
    input: bindingOf(schemas.input, places, picks),
    body: site.body(0, schemas, { insideSaga: true }),
    next,
  };
}
