import { describe, expect, it } from '@jest/globals';
import type { EventView } from '@graphrun/domain';
import type { RunDetails } from '../harness/api-shapes.js';
import { paid } from '../harness/order-load.js';
import type { Receipt } from '../harness/order-load.js';
import { broken } from './order-judge.js';
import type { OrderEvidence } from './order-judge.js';
import type { RecordedRun } from './recorded-run.js';

const RUN = '01890000-0000-7000-8000-000000000001';
const KEY = (activation: string): string => `gr1:${RUN}:${activation}:forward`;

const receipt: Receipt = {
  startKey: 'o-0',
  commandId: 'o-0.start',
  input: { order_id: 'o-0', amount: 100 },
  run: RUN,
  workflowId: '0'.repeat(32),
  version: 1,
};
const output = paid(receipt.input);

function history(
  ...events: readonly (Partial<EventView> & { readonly kind: EventView['kind'] })[]
): readonly EventView[] {
  return events.map((event, index) => ({ seq: index + 1, at: 0, v: 1, by: 'engine', ...event }));
}

const events = history(
  { kind: 'run_admitted' },
  { kind: 'attempt_granted', activation: 'a1', generation: 1 },
  { kind: 'activity_succeeded', activation: 'a1', generation: 1 },
  { kind: 'attempt_granted', activation: 'a2', generation: 1 },
  { kind: 'activity_succeeded', activation: 'a2', generation: 1 },
  { kind: 'run_succeeded', output: { ...output } },
);
const run: RecordedRun = { run: RUN, workflow: 'order', status: 'succeeded', startKey: 'o-0', events, wakes: false };
const view = { run: RUN, status: 'succeeded', seq: 6, output: { ...output }, explain: [] } as unknown as RunDetails;
const call = (activation: string) => ({ at: 0, pid: 1, key: KEY(activation), activity: 'any', applied: true });

const good: OrderEvidence = {
  receipts: [receipt],
  repeats: [receipt],
  runs: [run],
  details: [view],
  calls: [call('a1'), call('a2')],
  setAside: [],
};

/** The evidence with events that replace those of the run; the API agrees with them. */
function withEvents(changed: readonly EventView[]): OrderEvidence {
  return { ...good, runs: [{ ...run, events: changed }], details: [{ ...view, seq: changed.at(-1)?.seq ?? 0 }] };
}

describe('the judge of the fault campaign', () => {
  it('finds nothing where every promise was kept', () => {
    expect(broken(good)).toEqual([]);
  });

  it('finds a lost receipt, a run too many, and a wrong end', () => {
    expect(broken({ ...good, runs: [], details: [], calls: [] })).toEqual([
      `order o-0: its run ${RUN} does not exist`,
      'there are 0 runs for 1 start keys',
    ]);
    const other = {
      ...run,
      run: RUN.replace(/1$/, '2'),
      startKey: 'o-1',
      events: history({ kind: 'run_admitted' }),
      status: 'active',
      wakes: true,
    };
    const seen = { ...view, run: other.run, status: 'active', seq: 1, output: undefined } as unknown as RunDetails;
    expect(broken({ ...good, runs: [run, other], details: [view, seen] })).toEqual([
      'there are 2 runs for 1 start keys',
      `run ${other.run}: it is active and nothing explains why`,
    ]);
    expect(broken({ ...good, receipts: [{ ...receipt, input: { order_id: 'o-0', amount: 7 } }] })).toContain(
      'order o-0: its output is {"order_id":"o-0","amount":100,"payment_id":"pay-1"}',
    );
  });

  it('finds a promise that changed', () => {
    const [sentence] = broken({ ...good, repeats: [{ ...receipt, version: 2 }] });
    expect(sentence).toMatch(/^order o-0: promised .*"version":1.* later .*"version":2/);
  });

  it('finds gaps and repeats of sequences', () => {
    const gap = events.map((event) => (event.seq === 6 ? { ...event, seq: 7 } : event));
    expect(broken(withEvents(gap))).toEqual([`run ${RUN}: its sequences are 1, 2, 3, 4, 5, 7`]);
  });

  it('finds a second accepted result, and one of an attempt that was not granted', () => {
    const twice = events.map((event) => (event.seq === 5 ? { ...event, activation: 'a1' } : event));
    expect(broken(withEvents(twice))).toEqual([`run ${RUN}: activation a1 has 2 accepted results`]);
    const stray = events.map((event) => (event.seq === 5 ? { ...event, generation: 2 } : event));
    expect(broken(withEvents(stray))).toEqual([`run ${RUN}: a2 succeeded in generation 2, granted last was 1`]);
  });

  it('finds effects that did not happen, happened without a grant, or belong to nobody', () => {
    expect(broken({ ...good, calls: [call('a1')] })).toEqual([
      `effect ${KEY('a2')}: it was accepted and never happened`,
    ]);
    expect(broken({ ...good, calls: [call('a1'), call('a1'), call('a2')] })).toEqual([
      `effect ${KEY('a1')}: 2 calls, 1 attempts were granted`,
    ]);
    expect(broken({ ...good, calls: [...good.calls, call('a3')] })).toEqual([
      `effect ${KEY('a3')}: it happened for no attempt`,
    ]);
  });

  it('finds a run that goes on after its end, and one that nobody will wake', () => {
    const more = [...events, { ...events[1], seq: 7, kind: 'retry_due' } as EventView];
    expect(broken(withEvents(more))).toEqual([`run ${RUN}: retry_due follows its end`]);
    expect(broken({ ...good, runs: [{ ...run, wakes: true }] })).toEqual([
      `run ${RUN}: it has ended and still waits for something`,
    ]);
  });

  it('finds what was put into quarantine', () => {
    expect(broken({ ...good, setAside: [{ seq: 3 }] })).toEqual(['set aside: {"seq":3}']);
  });

  it('finds an API that shows something else than the store', () => {
    const [sentence] = broken({ ...good, details: [{ ...view, seq: 5 }] });
    expect(sentence).toContain('the API shows');
  });
});
