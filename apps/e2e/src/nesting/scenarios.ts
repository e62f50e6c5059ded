/** What happens to the 49 pairs: one run of each, all at the same time on one deployment. */
import type { EventView } from '@graphrun/domain';
import type { ProviderLedger } from '@graphrun/testing';
import type { Deployment } from '../deployments/deployment.js';
import type { RunDetails } from '../harness/api-shapes.js';
import { each } from '../harness/each.js';
import { brokenHistory } from '../judge/history-rules.js';
import { PAIRS, workflowOf } from './pairs.js';
import type { Pair } from './pairs.js';
import { allPlaces, firstPlaces, lastPlace, placesBeforeLast, placesWithLast } from './prediction.js';
import type { Place } from './prediction.js';

export const SCENARIOS = ['success', 'failure in the inner', 'cancel in the inner', 'restart in the inner'] as const;

export type ScenarioName = (typeof SCENARIOS)[number];

/** What has become of one run. */
export interface Ended {
  readonly view: RunDetails;
  readonly history: readonly EventView[];
  /** Physical requests for steps and for their undoing, by place, in order. */
  readonly steps: readonly Place[];
  readonly undone: readonly Place[];
  /** Rules of histories that it breaks. */
  readonly broken: readonly string[];
  /** Whether the stored state is the one that all events give. */
  readonly agrees: boolean;
}

const AT_ONCE = 8;

interface Started {
  readonly pair: Pair;
  readonly run: string;
}

export async function play(deployment: Deployment, scenario: ScenarioName): Promise<ReadonlyMap<Pair, Ended>> {
  const started = await each(PAIRS, AT_ONCE, async (pair) => ({
    pair,
    run: await deployment.start(workflowOf(pair), null),
  }));
  await drive(deployment, scenario, started);
  await each(started, AT_ONCE, ({ run }) => deployment.atRest(run));
  const ledger = await deployment.provider.ledger();
  const ended = await each(
    started,
    AT_ONCE,
    async ({ pair, run }) => [pair, await look(deployment, run, ledger)] as const,
  );
  return new Map(ended);
}

async function drive(deployment: Deployment, scenario: ScenarioName, started: readonly Started[]): Promise<void> {
  const signal = (run: string, key: Place, ok: boolean) =>
    deployment.signal(run, { signal: 'go', key, payload: { ok } });
  const pass = (placesOf: (pair: Pair) => readonly Place[]) =>
    each(started, AT_ONCE, async ({ pair, run }) => {
      for (const place of placesOf(pair)) await signal(run, place, true);
    });
  switch (scenario) {
    case 'success':
      // Most come before there is a wait for them.
      await pass(allPlaces);
      return;
    case 'failure in the inner':
      await pass(placesBeforeLast);
      await allWaitAt(deployment, started, placesWithLast);
      await each(started, AT_ONCE, ({ pair, run }) => signal(run, lastPlace(pair), false));
      return;
    case 'cancel in the inner':
      await allWaitAt(deployment, started, firstPlaces);
      await each(started, AT_ONCE, ({ run }) => deployment.cancel(run));
      return;
    case 'restart in the inner':
      await allWaitAt(deployment, started, firstPlaces);
      await deployment.crash();
      await allWaitAt(deployment, started, firstPlaces);
      await pass(allPlaces);
      return;
  }
}

/** Returns when the open waits of each run are exactly those of these places. */
async function allWaitAt(
  deployment: Deployment,
  started: readonly Started[],
  placesOf: (pair: Pair) => readonly Place[],
): Promise<void> {
  await each(started, AT_ONCE, ({ pair, run }) => {
    const expected = [...placesOf(pair)].sort().join();
    return deployment.when(run, `it waits at ${expected}`, ({ waits }) => {
      return (
        waits
          .map(({ key }) => key)
          .sort()
          .join() === expected
      );
    });
  });
}

async function look(deployment: Deployment, run: string, ledger: ProviderLedger): Promise<Ended> {
  const [view, history, replayed] = await Promise.all([
    deployment.inspect(run),
    deployment.history(run),
    deployment.api.get<{ readonly agrees: boolean }>(`/v1/runs/${run}/reconstruct`),
  ]);
  const recorded = { run, workflow: view.workflow, status: view.status, startKey: null, events: history, wakes: null };
  return {
    view,
    history,
    steps: placesOf(ledger.of(run), 'e2e.step'),
    undone: placesOf(ledger.of(run), 'e2e.undo'),
    broken: brokenHistory(recorded),
    agrees: replayed.agrees,
  };
}

function placesOf({ lines }: ProviderLedger, activity: string): readonly Place[] {
  return lines.flatMap((line) => {
    if (line.kind !== 'requested' || line.activity !== activity) return [];
    const { outer, inner } = line.input as { readonly outer: number; readonly inner: number };
    return [`${outer}-${inner}` as const];
  });
}
