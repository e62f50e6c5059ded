/** B3: a foreach over a thousand trivial items, a window of 32 bodies, over HTTP. */
import { measureCpu } from '../cpu/breakdown.js';
import type { CpuBreakdown, CpuConsumer } from '../cpu/breakdown.js';
import type { HttpClient } from '../http/http-client.js';
import { closedLoop, rateOf } from '../load.js';
import type { Rate } from '../load.js';
import { FAN_OUT, orderInput } from './workflows.js';

export const ITEMS = 1000;

export interface FanOutRound {
  /** In items; latencies are those of whole runs. */
  readonly rate: Rate;
  readonly cpu: CpuBreakdown;
}

export class FanOutLoad {
  #number = 0;

  constructor(private readonly client: HttpClient) {}

  /** Throws Error for the first run whose output is not that of its items, in their order. */
  async round(count: number, inFlight: number, consumers: readonly CpuConsumer[]): Promise<FanOutRound> {
    await this.client.open(inFlight);
    const ended = measureCpu(consumers);
    const result = await closedLoop(count, inFlight, () => this.#one());
    const rate = rateOf(result);
    return { rate: { ...rate, per_second: rate.per_second * ITEMS }, cpu: ended() };
  }

  async #one(): Promise<void> {
    const first = this.#number;
    this.#number += ITEMS;
    const orders = Array.from({ length: ITEMS }, (_, index) => orderInput(first + index));
    const body = JSON.stringify({ workflow: FAN_OUT.workflow, input: { orders } });
    const { status, output } = (await this.client.json({ method: 'POST', path: '/v1/runs?wait=120s', body })) as {
      readonly status: string;
      readonly output?: readonly { readonly order_id: string }[];
    };
    const right =
      output?.length === ITEMS && output.every(({ order_id }, index) => order_id === orders[index]?.order_id);
    if (status !== 'succeeded' || !right) throw new Error(`a foreach of ${ITEMS} items ended wrong: it is ${status}`);
  }
}
