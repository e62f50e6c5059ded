/**
 * Handler modules: files that export `handlers`, and `reconcilers` where they answer for effects, loaded by the worker
 * service and by the CLI.
 */
import { isName, parseVersionedName } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';
import type { ActivityContext, BlockingHandler, HandlerOptions } from './handler.js';
import type { ProbeResult, ReconcilerOptions } from './reconciler.js';

/** Any handler function: `never` is the one input type that handlers of every input type accept. */
export type AnyHandler = (input: never, context: ActivityContext) => unknown;

export interface HandlerWithOptions extends HandlerOptions<unknown> {
  readonly handler: AnyHandler | BlockingHandler;
}

export type HandlerEntry = AnyHandler | BlockingHandler | HandlerWithOptions;

/** Handlers by `name/vN`, or by name for all versions that the catalog has. */
export type HandlerMap = Readonly<Record<string, HandlerEntry>>;

/** Any reconciler function, as `AnyHandler`. */
export type AnyReconciler = (
  input: never,
  context: ActivityContext,
) => ProbeResult<unknown> | Promise<ProbeResult<unknown>>;

export interface ReconcilerWithOptions extends ReconcilerOptions<unknown> {
  readonly handler: AnyReconciler | BlockingHandler;
}

export type ReconcilerEntry = AnyReconciler | BlockingHandler | ReconcilerWithOptions;

/** Reconcilers by `name/vN`, or by name for all versions that the catalog has. */
export type ReconcilerMap = Readonly<Record<string, ReconcilerEntry>>;

/** Checks the names and returns the map: `export const handlers = defineHandlers({ 'payment.charge/v1': charge })`. */
export function defineHandlers<const Handlers extends HandlerMap>(handlers: Handlers): Handlers {
  checkNames(handlers, 'activity');
  return handlers;
}

/** The same for reconcilers: `export const reconcilers = defineReconcilers({ 'payment.lookup/v1': lookUp })`. */
export function defineReconcilers<const Reconcilers extends ReconcilerMap>(reconcilers: Reconcilers): Reconcilers {
  checkNames(reconcilers, 'reconciler');
  return reconcilers;
}

/** `handlers` of an imported module. Throws GraphrunError `InvalidArgument` naming the module when it has none. */
export function handlersOf(module: unknown, source: string): HandlerMap {
  const handlers = exportOf(module, 'handlers');
  if (typeof handlers !== 'object' || handlers === null) {
    throw new GraphrunError(
      'InvalidArgument',
      `${source} exports no 'handlers': write export const handlers = defineHandlers({ ... })`,
    );
  }
  checkEntries(handlers, `of ${source}`, 'handler');
  return defineHandlers(handlers as HandlerMap);
}

/** `reconcilers` of an imported module: none when it exports none. Throws GraphrunError `InvalidArgument`. */
export function reconcilersOf(module: unknown, source: string): ReconcilerMap {
  const reconcilers = exportOf(module, 'reconcilers');
  if (reconcilers === undefined) return {};
  if (typeof reconcilers !== 'object' || reconcilers === null) {
    throw new GraphrunError(
      'InvalidArgument',
      `the 'reconcilers' of ${source} are no map: write export const reconcilers = defineReconcilers({ ... })`,
    );
  }
  checkEntries(reconcilers, `of ${source}`, 'reconciler');
  return defineReconcilers(reconcilers as ReconcilerMap);
}

function exportOf(module: unknown, name: 'handlers' | 'reconcilers'): unknown {
  return typeof module === 'object' && module !== null
    ? (module as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function checkNames(map: object, what: 'activity' | 'reconciler'): void {
  for (const name of Object.keys(map)) {
    if (isName(name) || parseVersionedName(name) !== null) continue;
    throw new GraphrunError('InvalidArgument', `'${name}' is no ${what}: write its name, or name/v1 for one version`);
  }
}

function checkEntries(map: object, where: string, what: 'handler' | 'reconciler'): void {
  for (const [name, entry] of Object.entries(map as Readonly<Record<string, unknown>>)) {
    if (isHandlerEntry(entry)) continue;
    throw new GraphrunError(
      'InvalidArgument',
      `the ${what} '${name}' ${where} is neither a function, nor blocking(...), nor { handler, ... }`,
    );
  }
}

function isHandlerEntry(value: unknown): value is HandlerEntry {
  if (typeof value === 'function' || isBlockingHandler(value)) return true;
  if (typeof value !== 'object' || value === null || !('handler' in value)) return false;
  return typeof value.handler === 'function' || isBlockingHandler(value.handler);
}

export function isBlockingHandler(value: unknown): value is BlockingHandler {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'blocking';
}
