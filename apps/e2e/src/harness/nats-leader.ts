/** Which NATS server leads JetStream: the death of that one is felt most. */
import { eventually } from '@graphrun/testing';
import type { NatsService } from '@graphrun/testing';

interface Report {
  readonly meta_cluster?: { readonly leader?: string };
}

/** Its place among the servers. */
export async function leaderOf({ nodes }: NatsService): Promise<number> {
  if (nodes.length === 1) return 0;
  return eventually('JetStream has a leader', async () => {
    const answers = nodes.map(async ({ monitorUrl }) => (await fetch(`${monitorUrl}/jsz`)).json() as Promise<Report>);
    const [report] = await Promise.all(answers);
    const place = nodes.findIndex(({ name }) => name === report?.meta_cluster?.leader);
    return place < 0 ? undefined : place;
  });
}
