/** Handlers and reconcilers of embedded mode: those of a module, or the demo ones that come with the examples. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GraphrunError } from '@graphrun/protocol';
import { handlersOf, reconcilersOf } from '@graphrun/sdk';
import type { AnyHandler, HandlerMap, ReconcilerMap } from '@graphrun/sdk';

export interface HandlerSource {
  readonly handlers: HandlerMap;
  readonly reconcilers: ReconcilerMap;
  /** Runs the activities that no handler is named for. */
  readonly fallback?: AnyHandler;
}

export async function loadHandlers(path: string | undefined): Promise<HandlerSource> {
  if (path === undefined) {
    const examples = await import('@graphrun/examples');
    const reconcilers = reconcilersOf(examples, 'the examples');
    return { handlers: examples.demoHandlers, reconcilers, fallback: examples.demoFallback };
  }
  let module: unknown;
  try {
    module = await import(pathToFileURL(resolve(path)).href);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new GraphrunError('InvalidArgument', `The handler module ${path} cannot be loaded: ${why}.`, { cause });
  }
  return { handlers: handlersOf(module, path), reconcilers: reconcilersOf(module, path) };
}
