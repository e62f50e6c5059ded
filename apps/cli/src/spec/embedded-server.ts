/** Control over HTTP on an embedded engine, for the tests of online commands. */
import type { HandlerMap } from '@graphrun/sdk';
import { silentLogger } from '@graphrun/sdk';
import { loadHandlers } from '../embedded/handlers.js';
import { openEmbedded } from '../embedded/open-embedded.js';

export interface EmbeddedServer {
  readonly url: string;
  close(): Promise<void>;
}

/** `handles` picks the demo handlers that are there; without it all are, and unknown activities echo. */
export async function embeddedServer(
  dataDir: string,
  handles?: (activity: string) => boolean,
): Promise<EmbeddedServer> {
  const { createControl } = await import('@graphrun/control');
  const source = await loadHandlers(undefined);
  const picked: { readonly handlers: HandlerMap } =
    handles === undefined
      ? source
      : { handlers: Object.fromEntries(Object.entries(source.handlers).filter(([activity]) => handles(activity))) };
  const embedded = await openEmbedded({ dataDir, ...picked, logger: silentLogger });
  const control = await createControl(embedded.ports);
  const url = await control.listen('127.0.0.1', 0);
  return {
    url,
    async close() {
      await control.close();
      await embedded.close();
    },
  };
}
