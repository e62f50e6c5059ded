/** What an attempt under way says of itself, from its handler to the API. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActivityContext } from '@graphrun/sdk';
import { embeddedControl } from '../spec/embedded-control.js';
import type { EmbeddedControl } from '../spec/embedded-control.js';
import { ask } from '../spec/request.js';

interface Shown {
  readonly explain: readonly { readonly code: string; readonly message: string }[];
  readonly activities: readonly {
    readonly activity: string;
    readonly heartbeat?: { readonly at: number; readonly details: unknown };
  }[];
}

describe('the heartbeat of an attempt', () => {
  let embedded: EmbeddedControl;
  let finish: () => void = () => undefined;

  beforeAll(async () => {
    const finished = new Promise<void>((resolve) => (finish = resolve));
    embedded = await embeddedControl(
      {},
      {
        'inventory.reserve/v1': async (_input: never, context: ActivityContext) => {
          context.heartbeat({ shelves: 3 });
          await finished;
          return { reservation_id: 'res-1' };
        },
      },
    );
  });

  afterAll(() => embedded.close());

  it('is shown by inspect and explain while the attempt runs, and not in its history', async () => {
    const begun = Date.now();
    const input = { order_id: 'o-1', amount: 100 };
    const started = await ask(embedded.url, '/v1/runs?wait=10ms', { json: { workflow: 'order', input } });
    const { run } = started.body as { readonly run: string };
    const inspect = async (): Promise<Shown> => (await ask(embedded.url, `/v1/runs/${run}`)).body as Shown;
    let shown = await inspect();
    // It comes along with the renewals, which go out every 5 s.
    while (shown.activities[0]?.heartbeat === undefined && Date.now() - begun < 20_000) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      shown = await inspect();
    }
    expect(shown.activities[0]).toMatchObject({
      activity: 'inventory.reserve',
      heartbeat: { details: { shelves: 3 } },
    });
    expect(shown.activities[0]?.heartbeat?.at).toBeGreaterThanOrEqual(begun - 1_000);
    expect(shown.activities[0]?.heartbeat?.at).toBeLessThan(begun + 3_000);
    expect(shown.explain[0]?.code).toBe('running');
    expect(shown.explain[0]?.message).toMatch(/; its last heartbeat was \d s ago: \{"shelves":3\}$/);
    expect(JSON.stringify((await ask(embedded.url, `/v1/runs/${run}/history`)).body)).not.toContain('shelves');
    finish();
    const ended = (await ask(embedded.url, `/v1/runs/${run}?wait=30s`)).body as Shown;
    expect(JSON.stringify(ended)).not.toContain('shelves');
  }, 60_000);
});
