import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileYaml, parseCatalog } from '@graphrun/dsl';
import type { Json } from '@graphrun/dsl';
import type { Ended } from './testing/embedded.js';
import { EmbeddedExamples } from './testing/embedded.js';
import { exampleCatalogText, exampleDefinitionText, exampleInput, exampleNames, ledger } from './index.js';
import type { ExampleName } from './index.js';

const order = { order_id: 'o-1', amount: 1_000 };
const receipt = { ...order, payment_id: 'pay-1' };

describe('the examples in the embedded engine', () => {
  let examples: EmbeddedExamples;
  const workflows = new Map<ExampleName, string>();

  beforeAll(async () => {
    const parsed = parseCatalog(exampleCatalogText(), 'catalog.json');
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
    const definitions = exampleNames.map((name) => {
      const compiled = compileYaml(exampleDefinitionText(name), { catalog: parsed.catalog, file: `${name}.yaml` });
      if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
      workflows.set(name, compiled.artifact.definition.id);
      return compiled.artifact;
    });
    examples = await EmbeddedExamples.open(parsed.catalog, definitions);
  });

  afterAll(() => examples.close());

  async function run(name: ExampleName, input: Json = exampleInput(name)): Promise<Ended> {
    return examples.end(await examples.start(workflows.get(name) ?? '', input));
  }

  /** Handlers of compensations, in the order in which they were begun. */
  function undone({ events }: Ended): readonly string[] {
    return events.flatMap((event) => (event.kind === 'compensation_started' ? [event.handler] : []));
  }

  it.each([
    ['sequence', receipt],
    ['bench-sequence', receipt],
    ['foreach', [{ cents: 100 }, { cents: 25 }, { cents: 9 }]],
    ['while', { value: 5 }],
    ['parallel', [{ cents: 100 }, { cents: 500 }]],
    ['timers', { text: 'water the plants', at: 1_767_225_600_000 }],
  ] satisfies [ExampleName, Json][])('%s succeeds', async (name, output) => {
    expect((await run(name)).outcome).toEqual({ status: 'succeeded', output });
  });

  it.each(['saga', 'nested-saga'] as const)(
    '%s undoes the payment, then the reservation, when it is refused',
    async (name) => {
      const ended = await run(name);
      expect(ended.outcome).toMatchObject({ status: 'failed', failure: { code: 'order.refused' } });
      expect(undone(ended)).toEqual(['payment.refund', 'inventory.release']);
      expect(ended.events.at(-1)).toMatchObject({ kind: 'run_failed', compensation: { complete: true } });
      // One effect under each key, those that undo under keys of their own.
      const activations = ended.events.flatMap((event) =>
        event.kind === 'activity_activated' ? [event.activation] : [],
      );
      for (const activation of activations) {
        for (const role of ['forward', 'compensation']) {
          expect(ledger.get(`gr1:${ended.run}:${activation}:${role}`)).toMatchObject({ requests: 1 });
        }
      }
    },
  );

  it.each(['saga', 'nested-saga'] as const)('%s undoes nothing when it goes through', async (name) => {
    const ended = await run(name, { ...order, refuse: false });
    expect(ended.outcome).toEqual({ status: 'succeeded', output: receipt });
    expect(undone(ended)).toEqual([]);
  });

  it('approval ends with the decision about its order', async () => {
    const started = await examples.start(workflows.get('approval') ?? '', order);
    await examples.signal(started, 'decision', 'o-2', { approved: false, by: 'bob' });
    await examples.signal(started, 'decision', 'o-1', { approved: true, by: 'alice' });
    expect((await examples.end(started)).outcome).toEqual({
      status: 'succeeded',
      output: { approved: true, by: 'alice' },
    });
  });
});
