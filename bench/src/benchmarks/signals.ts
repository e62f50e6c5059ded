/** B4: how long it takes from a signal that a run waits for to the run's result, over HTTP. */
import { measureCpu } from '../cpu/breakdown.js';
import type { CpuBreakdown, CpuConsumer } from '../cpu/breakdown.js';
import type { HttpClient } from '../http/http-client.js';
import { closedLoop, rateOf } from '../load.js';
import type { Rate } from '../load.js';
import { APPROVAL, orderInput } from './workflows.js';

export interface SignalRound {
  /** Latencies from sending the signal to having the result; the rate is that of whole runs. */
  readonly rate: Rate;
  readonly cpu: CpuBreakdown;
}

export class SignalLoad {
  #number = 0;

  constructor(
    private readonly client: HttpClient,
    /** Distinguishes the start keys of this process. */
    private readonly prefix: string,
  ) {}

  async round(count: number, inFlight: number, consumers: readonly CpuConsumer[]): Promise<SignalRound> {
    await this.client.open(inFlight * 2);
    const latenciesMs: number[] = [];
    const ended = measureCpu(consumers);
    const { seconds } = await closedLoop(count, inFlight, async () => {
      latenciesMs.push(await this.#one());
    });
    return { rate: rateOf({ seconds, latenciesMs }), cpu: ended() };
  }

  /** Starts a run, waits for its result on one connection, and sends the signal on another. */
  async #one(): Promise<number> {
    this.#number += 1;
    const input = orderInput(this.#number);
    const body = JSON.stringify({ workflow: APPROVAL.workflow, input, start_key: `${this.prefix}-${this.#number}` });
    const { run } = (await this.client.json({ method: 'POST', path: '/v1/runs', body })) as { readonly run: string };
    const payload = { approved: true, by: `clerk-${this.#number}` };
    const waited = this.client.json({ method: 'POST', path: '/v1/runs?wait=30s', body });
    const sentAt = performance.now();
    const signal = JSON.stringify({ signal: 'decision', key: input.order_id, payload });
    const accepted = this.client.json({ method: 'POST', path: `/v1/runs/${run}/signals`, body: signal });
    const ended = (await waited) as { readonly run: string; readonly status: string; readonly output?: unknown };
    const latencyMs = performance.now() - sentAt;
    await accepted;
    if (ended.run !== run || JSON.stringify(ended.output) !== JSON.stringify(payload)) {
      throw new Error(`run ${run} ended wrong: ${JSON.stringify(ended)}`);
    }
    return latencyMs;
  }
}
