/** What the benchmarks run: definitions over the catalog of the examples, their inputs, and what must come out. */
import { exampleCatalogText, exampleDefinitionText } from '@graphrun/examples';
import type { HttpClient } from '../http/http-client.js';

export interface SequenceWorkflow {
  readonly workflow: string;
  readonly yaml: string;
}

/** Two pure steps: no grant before the work. */
export const PURE: SequenceWorkflow = { workflow: 'bench_order', yaml: exampleDefinitionText('bench-sequence') };

/** Two external RetrySafe steps: a committed grant before each. */
export const EXTERNAL: SequenceWorkflow = { workflow: 'order', yaml: exampleDefinitionText('sequence') };

/** A thousand orders, 32 at a time, each one trivial pure step. */
export const FAN_OUT: SequenceWorkflow = {
  workflow: 'bench_fan_out',
  yaml: `dsl: graphrun/v1
id: bench_fan_out
version: 1
input_schema: orders/v1
output_schema: { array: reserved_order/v1 }
start: each
nodes:
  each:
    kind: foreach
    items: { from: workflow.input, path: /orders }
    item_schema: order/v1
    max_items: 1000
    max_concurrency: 32
    body:
      output_schema: reserved_order/v1
      start: reserve
      nodes:
        reserve:
          kind: activity
          activity: { name: bench.reserve, version: 1 }
          input: { from: item.value }
          next: done
        done:
          kind: complete
          output: { from: nodes.reserve.output }
    next: finish
  finish:
    kind: complete
    output: { from: nodes.each.output }
`,
};

/** Waits for a signal, and gives its payload back. */
export const APPROVAL: SequenceWorkflow = { workflow: 'order_approval', yaml: exampleDefinitionText('approval') };

/** Its activity has no worker, so each run waits. */
export const WAITING: SequenceWorkflow = {
  workflow: 'bench_waiting',
  yaml: [
    'dsl: graphrun/v1',
    'id: bench_waiting',
    'version: 1',
    'input_schema: order/v1',
    'output_schema: order/v1',
    'start: echo',
    'nodes:',
    '  echo:',
    '    kind: activity',
    '    activity: { name: remote.echo, version: 1 }',
    '    input: { from: workflow.input }',
    '    next: finish',
    '  finish:',
    '    kind: complete',
    '    output: { from: nodes.echo.output }',
    '',
  ].join('\n'),
};

export async function publish(client: HttpClient, workflows: readonly SequenceWorkflow[]): Promise<void> {
  await client.json({ method: 'POST', path: '/v1/catalogs', body: exampleCatalogText() });
  for (const { yaml } of workflows) {
    await client.json({ method: 'POST', path: '/v1/definitions', body: yaml, mediaType: 'application/yaml' });
  }
}

/** The input of the order with that number. No two runs of a benchmark have the same. */
export function orderInput(number: number): { readonly order_id: string; readonly amount: number } {
  return { order_id: `order-${number}`, amount: 1000 + (number % 1000) };
}

interface RunDocument {
  readonly run: string;
  readonly status: string;
  readonly output?: unknown;
}

/** Throws Error unless the run has ended with the receipt of exactly this order. Its id. */
export function checkReceipt(number: number, document: unknown): string {
  const { run, status, output } = document as RunDocument;
  const { order_id, amount } = orderInput(number);
  const receipt = output as
    { readonly order_id?: unknown; readonly amount?: unknown; readonly payment_id?: unknown } | undefined;
  const right =
    status === 'succeeded' &&
    receipt?.order_id === order_id &&
    receipt.amount === amount &&
    receipt.payment_id === 'pay-1' &&
    Object.keys(receipt).length === 3;
  if (!right) throw new Error(`order ${number} ended wrong: ${JSON.stringify(document)}`);
  return run;
}
