/** Handlers of embedded mode: those of a module, or the demo handlers that come with the examples. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GraphrunError } from '@graphrun/protocol';
import { handlersOf } from '@graphrun/sdk';
import type { AnyHandler, HandlerMap } from '@graphrun/sdk';

export interface HandlerSource {
  readonly handlers: HandlerMap;
  readonly fallback?: AnyHandler;
}

export async function loadHandlers(path: string | undefined): Promise<HandlerSource> {
  if (path === undefined) {
    const { demoHandlers, demoFallback } = await import('@graphrun/examples');
    return { handlers: demoHandlers, fallback: demoFallback };
  }
  let module: unknown;
  try {
    module = await import(pathToFileURL(resolve(path)).href);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new GraphrunError('InvalidArgument', `The handler module ${path} cannot be loaded: ${why}.`, { cause });
  }
  return { handlers: handlersOf(module, path) };
}
