/**
 * Judges a campaign of orders when everything is over: what was promised to the client, what stands in the store, what
 * the API says, and what physically happened must tell the same story.
 */
import { isDeepStrictEqual } from 'node:util';
import type { LedgerLine } from '@graphrun/examples';
import type { RunDetails } from '../harness/api-shapes.js';
import { callsByKey } from '../harness/ledger-file.js';
import { paid } from '../harness/order-load.js';
import type { Receipt } from '../harness/order-load.js';
import { brokenEffects } from './effect-rules.js';
import { brokenHistory, ENDED, ofKind } from './history-rules.js';
import type { RecordedRun } from './recorded-run.js';

export interface OrderEvidence {
  /** As they came in during the faults. */
  readonly receipts: readonly Receipt[];
  /** The same requests, sent again when all was over. */
  readonly repeats: readonly Receipt[];
  readonly runs: readonly RecordedRun[];
  /** `GET /v1/runs/:id` of each run. */
  readonly details: readonly RunDetails[];
  readonly calls: readonly LedgerLine[];
  /** Commands in quarantine and runs that cannot be read. */
  readonly setAside: readonly unknown[];
}

/** An order reserves and charges. */
const STEPS = 2;

/** One sentence for each promise that was broken; empty when all were kept. */
export function broken(evidence: OrderEvidence): readonly string[] {
  return [
    ...evidence.runs.flatMap(brokenHistory),
    ...promises(evidence),
    ...repeats(evidence),
    ...views(evidence),
    ...effects(evidence),
    // A kill is no reason to set anything aside.
    ...evidence.setAside.map((entry) => `set aside: ${JSON.stringify(entry)}`),
  ];
}

/** Every receipted run exists and has ended right, and there is none that nobody asked for. */
function promises({ receipts, runs }: OrderEvidence): readonly string[] {
  const byId = new Map(runs.map((run) => [run.run, run]));
  const keys = new Set(receipts.map(({ startKey }) => startKey));
  const sentences = receipts.flatMap(({ run: id, startKey, input }) => {
    const run = byId.get(id);
    if (run === undefined) return [`order ${startKey}: its run ${id} does not exist`];
    if (run.startKey !== startKey) return [`order ${startKey}: run ${id} belongs to ${run.startKey}`];
    if (run.status !== 'succeeded') return [`order ${startKey}: run ${id} is ${run.status}`];
    const output = run.events.find(({ kind }) => kind === 'run_succeeded')?.['output'];
    return isDeepStrictEqual(output, paid(input)) ? [] : [`order ${startKey}: its output is ${JSON.stringify(output)}`];
  });
  if (runs.length !== keys.size) sentences.push(`there are ${runs.length} runs for ${keys.size} start keys`);
  return sentences;
}

/** The same Idempotency-Key gets the same answer for ever. */
function repeats({ receipts, repeats }: OrderEvidence): readonly string[] {
  const again = new Map(repeats.map((receipt) => [receipt.commandId, receipt]));
  return receipts
    .filter((receipt) => !isDeepStrictEqual(again.get(receipt.commandId), receipt))
    .map(
      (receipt) =>
        `order ${receipt.startKey}: promised ${JSON.stringify(receipt)}, later ${JSON.stringify(again.get(receipt.commandId))}`,
    );
}

/** What the API rebuilds from checkpoint and tail is what the history says; what has not ended says why. */
function views({ runs, details }: OrderEvidence): readonly string[] {
  const byId = new Map(details.map((view) => [view.run, view]));
  return runs.flatMap(({ run, status, events }) => {
    const view = byId.get(run);
    const output = events.find(({ kind }) => kind === 'run_succeeded')?.['output'];
    const last = events.at(-1)?.seq;
    if (view?.status !== status || view.seq !== last || !isDeepStrictEqual(view.output, output)) {
      return [
        `run ${run}: the API shows ${JSON.stringify(view)}, stored are ${status}, ${last} events, ${JSON.stringify(output)}`,
      ];
    }
    return ENDED.has(status) || view.explain.length > 0 ? [] : [`run ${run}: it is ${status} and nothing explains why`];
  });
}

/** Each effect happened, for an attempt that had been granted, and for nobody else; an order has one of each step. */
function effects({ runs, calls }: OrderEvidence): readonly string[] {
  const steps = runs.flatMap((run) => {
    const done = ofKind(run, 'activity_succeeded').length;
    return run.status === 'succeeded' && done !== STEPS ? [`run ${run.run}: it has ${done} results`] : [];
  });
  return [...steps, ...brokenEffects(runs, callsByKey(calls))];
}
