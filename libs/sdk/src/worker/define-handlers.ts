/** Handler modules: files that export `handlers`, loaded by the worker service and by the CLI. */
import { isName, parseVersionedName } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';
import type { ActivityContext, BlockingHandler, HandlerOptions } from './handler.js';

/** Any handler function: `never` is the one input type that handlers of every input type accept. */
export type AnyHandler = (input: never, context: ActivityContext) => unknown;

export interface HandlerWithOptions extends HandlerOptions<unknown> {
  readonly handler: AnyHandler | BlockingHandler;
}

export type HandlerEntry = AnyHandler | BlockingHandler | HandlerWithOptions;

/** Handlers by `name/vN`, or by name for all versions that the catalog has. */
export type HandlerMap = Readonly<Record<string, HandlerEntry>>;

/** Checks the names and returns the map: `export const handlers = defineHandlers({ 'payment.charge/v1': charge })`. */
export function defineHandlers<const Handlers extends HandlerMap>(handlers: Handlers): Handlers {
  for (const name of Object.keys(handlers)) {
    if (!isName(name) && parseVersionedName(name) === null) {
      throw new GraphrunError(
        'InvalidArgument',
        `'${name}' is no activity: write its name, or name/v1 for one version`,
      );
    }
  }
  return handlers;
}

/** `handlers` of an imported module. Throws GraphrunError `InvalidArgument` naming the module when it has none. */
export function handlersOf(module: unknown, source: string): HandlerMap {
  const handlers = typeof module === 'object' && module !== null && 'handlers' in module ? module.handlers : undefined;
  if (typeof handlers !== 'object' || handlers === null) {
    throw new GraphrunError(
      'InvalidArgument',
      `${source} exports no 'handlers': write export const handlers = defineHandlers({ ... })`,
    );
  }
  for (const [name, entry] of Object.entries(handlers as Readonly<Record<string, unknown>>)) {
    if (!isHandlerEntry(entry)) {
      throw new GraphrunError(
        'InvalidArgument',
        `the handler '${name}' of ${source} is neither a function, nor blocking(...), nor { handler, ... }`,
      );
    }
  }
  return defineHandlers(handlers as HandlerMap);
}

function isHandlerEntry(value: unknown): value is HandlerEntry {
  if (typeof value === 'function' || isBlockingHandler(value)) return true;
  if (typeof value !== 'object' || value === null || !('handler' in value)) return false;
  return typeof value.handler === 'function' || isBlockingHandler(value.handler);
}

export function isBlockingHandler(value: unknown): value is BlockingHandler {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'blocking';
}
