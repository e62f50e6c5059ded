/** Control over HTTP on an embedded engine, for the tests of online commands. */
import type { HandlerMap } from '@graphrun/sdk';
import { silentLogger } from '@graphrun/sdk';
import { loadHandlers } from '../embedded/handlers.js';
import type { HandlerSource } from '../embedded/handlers.js';
import { openEmbedded } from '../embedded/open-embedded.js';

export interface EmbeddedServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * `handles` picks the demo handlers that are there; without it all are, and unknown activities echo. `more` takes the
 * place of demo handlers.
 */
export async function embeddedServer(
  dataDir: string,
  handles?: (activity: string) => boolean,
  more: HandlerMap = {},
): Promise<EmbeddedServer> {
  const { createControl } = await import('@graphrun/control');
  const source = await loadHandlers(undefined);
  const handlers = { ...source.handlers, ...more };
  const picked: HandlerSource =
    handles === undefined
      ? { ...source, handlers }
      : {
          handlers: Object.fromEntries(Object.entries(handlers).filter(([activity]) => handles(activity))),
          reconcilers: source.reconcilers,
        };
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
