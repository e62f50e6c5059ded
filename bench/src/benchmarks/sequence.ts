/** B1 and B1x: start, two trivial activities, result, over HTTP. */
import { measureCpu } from '../cpu/breakdown.js';
import type { CpuBreakdown, CpuConsumer } from '../cpu/breakdown.js';
import type { HttpClient } from '../http/http-client.js';
import { closedLoop, rateOf } from '../load.js';
import type { Rate } from '../load.js';
import { checkReceipt, orderInput } from './workflows.js';
import type { SequenceWorkflow } from './workflows.js';

export interface SequenceRound {
  readonly rate: Rate;
  readonly cpu: CpuBreakdown;
}

/** Runs the same workflow again and again, and remembers what it has seen: no run may be answered twice. */
export class SequenceLoad {
  #number = 0;
  readonly #seen = new Set<string>();

  constructor(
    private client: HttpClient,
    readonly sequence: SequenceWorkflow,
  ) {}

  /** Goes on through another client, after the server was started again elsewhere. */
  through(client: HttpClient): void {
    this.client = client;
  }

  /** Runs that were started, and all ended right. */
  get finished(): number {
    return this.#seen.size;
  }

  /** Throws Error for the first run that does not give exactly its own result. */
  async round(count: number, inFlight: number, consumers: readonly CpuConsumer[]): Promise<SequenceRound> {
    await this.client.open(inFlight);
    const ended = measureCpu(consumers);
    const result = await closedLoop(count, inFlight, () => this.#one());
    return { rate: rateOf(result), cpu: ended() };
  }

  /**
   * Asks the server: as many runs of the workflow succeeded as were started here, none is left, and each activity of
   * the newest ones has exactly one accepted result.
   */
  async verify(sample: number): Promise<void> {
    const { workflow } = this.sequence;
    const list = (await this.client.json({
      method: 'GET',
      path: `/v1/runs?workflow=${workflow}&counts=true&limit=${sample}`,
    })) as {
      readonly runs: readonly { readonly run: string }[];
      readonly counts: Readonly<Record<string, number>>;
    };
    const total = Object.values(list.counts).reduce((sum, count) => sum + count, 0);
    if (list.counts['succeeded'] !== this.finished || total !== this.finished) {
      throw new Error(
        `${this.finished} runs of ${workflow} were answered, the server counts ${JSON.stringify(list.counts)}`,
      );
    }
    for (const { run } of list.runs) await this.#verifyHistory(run);
  }

  async #one(): Promise<void> {
    this.#number += 1;
    const number = this.#number;
    const body = `{"workflow":"${this.sequence.workflow}","input":${JSON.stringify(orderInput(number))}}`;
    const run = checkReceipt(number, await this.client.json({ method: 'POST', path: '/v1/runs?wait=30s', body }));
    if (this.#seen.has(run)) throw new Error(`run ${run} was the answer to two starts`);
    this.#seen.add(run);
  }

  async #verifyHistory(run: string): Promise<void> {
    const { events } = (await this.client.json({ method: 'GET', path: `/v1/runs/${run}/history` })) as {
      readonly events: readonly { readonly seq: number; readonly kind: string }[];
    };
    const gapless = events.every(({ seq }, index) => seq === index + 1);
    const succeeded = events.filter(({ kind }) => kind === 'activity_succeeded').length;
    if (!gapless || succeeded !== 2)
      throw new Error(`the history of ${run} is not one of two steps: ${JSON.stringify(events)}`);
  }
}
