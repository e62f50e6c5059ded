/**
 * B8, second half: how long it takes to read a history of ten thousand events and build the run from it. And how much
 * there is to store: what a checkpoint and the history of a foreach over a thousand items take.
 */
import type { ActivationId, RecordedEvent, Run, SessionId } from '@graphrun/domain';
import { agenda, encodeCheckpoint, execute, readEvent, reconstruct } from '@graphrun/domain';
import { compileYaml, loadProgram, parseCatalog } from '@graphrun/dsl';
import type { Json, Program } from '@graphrun/dsl';
import { exampleCatalogText } from '@graphrun/examples';
import { newCommandId, runIdFor, workflowIdFor } from '@graphrun/protocol';
import { measureCpu } from '../cpu/breakdown.js';
import type { CpuBreakdown } from '../cpu/breakdown.js';
import { rateOf, timed } from '../load.js';
import type { Rate } from '../load.js';
import { median } from '../statistics.js';
import { FAN_OUT, orderInput } from './workflows.js';

const ITEMS = 1000;

export interface ReplayRound {
  /** In events. */
  readonly rate: Rate;
  readonly cpu: CpuBreakdown;
  /** Median of the floor, ms: the texts of the events read as JSON, and nothing made of them. */
  readonly jsonMs: number;
}

export interface History {
  readonly events: number;
  readonly bytes: number;
  round(count: number): ReplayRound;
}

/** What a foreach over a thousand items takes, in bytes. */
export interface FanOutSizes {
  readonly [metric: string]: number;
  /** Of the history, the items and outputs among it. */
  readonly history_bytes_per_item: number;
  readonly events_per_item: number;
  /** Of the state, when half of the items are done, and at the end. */
  readonly checkpoint_bytes_half_way: number;
  readonly checkpoint_bytes_at_end: number;
}

/** A run that is driven in this process, with a worker that succeeds at once. */
class DrivenRun {
  readonly texts: string[] = [];
  run: Run;
  #now = 1_800_000_000_000;

  constructor(
    readonly program: Program,
    input: Json,
    private readonly outputOf: (input: Json) => Json,
  ) {
    const commandId = newCommandId();
    const namespace = 'default';
    const workflow = program.definition.id;
    const workflowId = workflowIdFor({ namespace, workflow, startKey: null, principal: 'bench', commandId });
    const run = runIdFor(workflowId, 1, this.#now);
    const context = { now: this.#now, arrivedAt: this.#now, entropy: 1, by: 'bench' };
    const started = execute(
      null,
      { kind: 'start', commandId, run, workflowId, ordinal: 1, namespace, startKey: null, program, input },
      context,
    );
    if (started.run === null) throw new Error(`the run was refused: ${JSON.stringify(started.decision)}`);
    this.run = started.run;
    this.#keep(started.events);
  }

  /** Reports one result, or goes on; false when the run has ended. */
  step(): boolean {
    const { ready, progressDue, terminal } = agenda(this.run);
    if (terminal) return false;
    const next = ready[0];
    if (next === undefined && !progressDue) throw new Error('the run waits for something that does not come');
    this.#now += 1;
    const session = 'bench' as SessionId;
    const context = { now: this.#now, arrivedAt: this.#now, entropy: 1, by: session };
    if (next === undefined) {
      this.#keep(execute(this.run, { kind: 'progress' }, context).events);
      return true;
    }
    const activation: ActivationId = next.leaf.id;
    const outcome = { kind: 'success', output: this.outputOf(next.leaf.input.value) } as const;
    const report = { kind: 'report', activation, generation: next.generation, session, lax: true, outcome } as const;
    this.#keep(execute(this.run, report, context).events);
    return true;
  }

  #keep(events: readonly RecordedEvent[]): void {
    for (const { text } of events) this.texts.push(text);
  }
}

function programOf(yaml: string): Program {
  const parsed = parseCatalog(exampleCatalogText());
  if (!parsed.ok) throw new Error('the catalog of the examples is faulty');
  const compiled = compileYaml(yaml, { catalog: parsed.catalog });
  if (!compiled.ok) throw new Error(`the definition is refused: ${compiled.diagnostics[0]?.message}`);
  return loadProgram(compiled.artifact);
}

/** A loop of a thousand iterations and a foreach of a thousand items. */
const LONG = `dsl: graphrun/v1
id: bench_long
version: 1
input_schema: orders/v1
output_schema: { array: order/v1 }
start: count
nodes:
  count:
    kind: repeat
    count: { literal: ${ITEMS} }
    state: { literal: { order_id: counted, amount: 0 } }
    state_schema: order/v1
    max_iterations: ${ITEMS}
    body:
      start: step
      nodes:
        step:
          kind: activity
          activity: { name: bench.reserve, version: 1 }
          input: { from: loop.state }
          next: done
        done:
          kind: complete
          output: { from: loop.state }
    next: each
  each:
    kind: foreach
    items: { from: workflow.input, path: /orders }
    item_schema: order/v1
    max_items: ${ITEMS}
    max_concurrency: 32
    body:
      output_schema: order/v1
      start: step
      nodes:
        step:
          kind: activity
          activity: { name: bench.reserve, version: 1 }
          input: { from: item.value }
          next: done
        done:
          kind: complete
          output: { from: item.value }
    next: end
  end:
    kind: complete
    output: { from: nodes.each.output }
`;

function orders(): { orders: { order_id: string; amount: number }[] } {
  return { orders: Array.from({ length: ITEMS }, (_, index) => orderInput(index)) };
}

function reserved(input: Json): Json {
  return { ...(input as { readonly [name: string]: Json }), reservation_id: 'res-1' };
}

export function longHistory(warmUp: number): History {
  const driven = new DrivenRun(programOf(LONG), orders(), reserved);
  while (driven.step());
  const { program, texts } = driven;
  const state = encodeCheckpoint(driven.run);
  const read = (): Run =>
    reconstruct(
      program,
      texts.map((text) => readEvent(JSON.parse(text) as Json)),
    );
  const replay = (): void => {
    if (read().seq !== texts.length) throw new Error('the history was not read to its end');
  };
  if (encodeCheckpoint(read()) !== state) throw new Error('replay gives another state than the run had');
  const floor = (): unknown => texts.map((text) => JSON.parse(text) as Json);
  for (let index = 0; index < warmUp; index += 1) {
    replay();
    floor();
  }
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { events: texts.length, bytes, round: (count) => round(count, texts.length, replay, floor) };
}

function round(count: number, events: number, replay: () => void, floor: () => unknown): ReplayRound {
  const end = measureCpu([{ name: 'reader', pid: process.pid }]);
  const latenciesMs = timed(count, replay);
  const cpu = end();
  const seconds = latenciesMs.reduce((sum, ms) => sum + ms, 0) / 1000;
  const rate = rateOf({ seconds, latenciesMs });
  return { rate: { ...rate, per_second: rate.per_second * events }, cpu, jsonMs: median(timed(count, floor)) };
}

export function fanOutSizes(): FanOutSizes {
  const driven = new DrivenRun(programOf(FAN_OUT.yaml), orders(), reserved);
  let halfWay = 0;
  for (let reports = 0; driven.step();) {
    reports += 1;
    if (reports === ITEMS / 2) halfWay = Buffer.byteLength(encodeCheckpoint(driven.run));
  }
  const bytes = driven.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return {
    history_bytes_per_item: bytes / ITEMS,
    events_per_item: driven.texts.length / ITEMS,
    checkpoint_bytes_half_way: halfWay,
    checkpoint_bytes_at_end: Buffer.byteLength(encodeCheckpoint(driven.run)),
  };
}
