/** Orders that are started under faults, each with a start key and an Idempotency-Key, and their receipts. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunAnswer } from './api-shapes.js';
import type { Api } from './api.js';
import { each } from './each.js';

export interface Order {
  readonly order_id: string;
  readonly amount: number;
}

export interface PaymentReceipt extends Order {
  readonly payment_id: string;
}

/** What the client was promised. */
export interface Receipt {
  readonly startKey: string;
  readonly commandId: string;
  readonly input: Order;
  readonly run: string;
  readonly workflowId: string;
  readonly version: number;
}

const WORKFLOW = 'order';
/** Orders on their way at once while a fault is done. */
const LANES = 16;
/** Between two orders of a lane: a steady stream, not a flood that only measures the machine. */
const BETWEEN_ORDERS_MS = 120;

export interface During {
  readonly atLeast: number;
  readonly strikeAt: number;
}

/** The one right result of an order. */
export function paid({ order_id, amount }: Order): PaymentReceipt {
  return { order_id, amount, payment_id: 'pay-1' };
}

interface Barrier {
  readonly count: number;
  resolve(): void;
}

export class OrderLoad {
  readonly receipts: Receipt[] = [];
  #ordered = 0;
  #barriers: readonly Barrier[] = [];

  constructor(
    private readonly api: Api,
    /** Start keys begin with it. */
    private readonly prefix: string,
  ) {}

  /** Starts `count` more orders; resolves when each has its receipt. */
  async start(count: number, { atOnce }: { readonly atOnce: number }): Promise<void> {
    const numbers = Array.from({ length: count }, (_, index) => this.#ordered + index);
    this.#ordered += count;
    await each(numbers, atOnce, (number) => this.#start(number));
  }

  /**
   * Orders go on, `LANES` at once, while `fault` is done to the system: it begins when `strikeAt` orders have their
   * receipts and others are on their way. Resolves when it is over and `atLeast` orders, or more, have their receipts.
   */
  async during(fault: () => Promise<void>, { atLeast, strikeAt }: During): Promise<void> {
    const struck = this.receipted(this.receipts.length + strikeAt);
    let left = atLeast;
    let over = false;
    const lane = async (): Promise<void> => {
      while (left > 0 || !over) {
        left -= 1;
        await this.start(1, { atOnce: 1 });
        await pause(BETWEEN_ORDERS_MS);
      }
    };
    const lanes = Promise.all(Array.from({ length: LANES }, lane));
    await Promise.race([struck, lanes]);
    try {
      await fault();
      over = true;
      await lanes;
    } catch (error) {
      left = 0;
      over = true;
      await lanes.catch(() => undefined); // the first error is the one to show
      throw error;
    }
  }

  /** Resolves when so many receipts have come in all: a fault strikes then, in the midst of the others. */
  receipted(count: number): Promise<void> {
    if (this.receipts.length >= count) return Promise.resolve();
    return new Promise((resolve) => {
      this.#barriers = [...this.#barriers, { count, resolve }];
    });
  }

  /** Sends the request of a receipt again, byte for byte. */
  async ask(receipt: Receipt): Promise<Receipt> {
    const { startKey, commandId, input } = receipt;
    const body = { workflow: WORKFLOW, version: 1, input, start_key: startKey };
    const answer = await this.api.command<RunAnswer>('/v1/runs', body, { idempotencyKey: commandId });
    return { startKey, commandId, input, run: answer.run, workflowId: answer.workflow_id, version: answer.version };
  }

  #start(number: number): Promise<void> {
    return this.order(`${this.prefix}-${number}`, 100 + number);
  }

  /** One order with a start key of choice; resolves with its receipt. */
  async order(startKey: string, amount = 100): Promise<void> {
    const input = { order_id: startKey, amount };
    const commandId = `${startKey}.start`;
    this.receipts.push(await this.ask({ startKey, commandId, input, run: '', workflowId: '', version: 0 }));
    const reached = this.#barriers.filter(({ count }) => count <= this.receipts.length);
    this.#barriers = this.#barriers.filter((barrier) => !reached.includes(barrier));
    for (const barrier of reached) barrier.resolve();
  }
}
