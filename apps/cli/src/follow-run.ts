/**
 * Follows a run as it happens: each commit that touches it is announced, and the events since the last look are read. No
 * polling, and an announcement that got lost is made up for by the next one.
 */
import type { EventView } from '@graphrun/domain';
import type { ChangeFeed, Subscription } from '@graphrun/messaging';

export interface Following {
  /** Reads what is left, then stops. */
  stop(): Promise<void>;
}

export async function followRun(
  feed: Pick<ChangeFeed, 'watch'>,
  run: string,
  readFrom: (seq: number) => Promise<readonly EventView[]>,
  onEvent: (event: EventView) => void,
): Promise<Following> {
  let nextSeq = 1;
  let turn: Promise<void> = Promise.resolve();
  const read = async (): Promise<void> => {
    for (const event of await readFrom(nextSeq)) {
      if (event.seq < nextSeq) continue;
      nextSeq = event.seq + 1;
      onEvent(event);
    }
  };
  const next = (): Promise<void> => (turn = turn.then(read));
  const subscription: Subscription = await feed.watch((notice) => {
    if (notice.changes.some((change) => change.run === run)) next().catch(() => undefined); // `stop` meets the failure
  });
  next().catch(() => undefined); // as above
  return {
    async stop() {
      await subscription.close();
      await next();
    },
  };
}
