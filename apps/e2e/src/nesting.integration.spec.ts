/** Every container in every container, with real processes: how a run ends, fails, stops and survives in the inner one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Deployment, DEPLOYMENTS } from './deployments/deployment.js';
import { each } from './harness/each.js';
import { measured } from './harness/measures.js';
import { definitionOf, PAIRS } from './nesting/pairs.js';
import type { Pair } from './nesting/pairs.js';
import {
  allPlaces,
  firstPlaces,
  lastPlace,
  outputOf,
  placesBeforeLast,
  placesWithLast,
  undonePlaces,
} from './nesting/prediction.js';
import type { Place } from './nesting/prediction.js';
import { play, SCENARIOS } from './nesting/scenarios.js';
import type { Ended, ScenarioName } from './nesting/scenarios.js';

const BOOT_MS = 120_000;
const BATCH_MS = 120_000;

/** What a run of a pair must have come to. Undoing has an order too: the rules of histories check that. */
function predicted(pair: Pair, scenario: ScenarioName) {
  switch (scenario) {
    case 'success':
    case 'restart in the inner':
      return { status: 'succeeded', output: outputOf(pair), steps: sorted(allPlaces(pair)), undone: [] };
    case 'failure in the inner': {
      const [before, open] = [placesBeforeLast(pair), placesWithLast(pair)];
      const error = { code: 'e2e.broken', message: `the body ${lastPlace(pair)} was told to fail` };
      return { status: 'failed', error, steps: sorted([...before, ...open]), undone: undonePlaces(pair, before, open) };
    }
    case 'cancel in the inner': {
      const open = firstPlaces(pair);
      const error = { code: 'run.cancelled', message: 'the customer called' };
      return { status: 'cancelled', error, steps: sorted(open), undone: undonePlaces(pair, [], open) };
    }
  }
}

function seen({ view, steps, undone }: Ended) {
  const { status, output, error } = view;
  const result = status === 'succeeded' ? { output } : { error };
  return { status, ...result, steps: sorted(steps), undone: sorted(undone) };
}

function sorted(places: readonly Place[]): readonly Place[] {
  return [...places].sort();
}

describe.each(DEPLOYMENTS)('containers in containers, %s', (kind) => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.start(kind);
    await each(PAIRS, 4, (pair) => deployment.publish(definitionOf(pair)));
  }, BOOT_MS);

  afterAll(() => deployment.stop(), BOOT_MS);

  describe.each(SCENARIOS)('%s', (scenario) => {
    let ended: ReadonlyMap<Pair, Ended>;

    beforeAll(async () => {
      const begun = performance.now();
      ended = await play(deployment, scenario);
      measured(`49 pairs of containers, ${kind}, ${scenario}`, { ms: performance.now() - begun });
    }, BATCH_MS);

    it.each(PAIRS)('$inner in $outer', (pair) => {
      const run = ended.get(pair) as Ended; // one of each was started
      expect(seen(run)).toEqual(predicted(pair, scenario));
      expect(run.broken).toEqual([]);
      expect(run.agrees).toBe(true);
      const owed = run.undone.length > 0;
      expect(run.view.compensation).toEqual(owed ? { complete: true, irreversible: [], unresolved: [] } : undefined);
      expect(run.history.filter(({ kind: event }) => event === 'attempt_lost')).toEqual([]);
    });
  });
});
