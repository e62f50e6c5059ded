/** What the service runs: handlers from a module, contracts from a catalog. */
import { readFile } from 'node:fs/promises';
import { parseCatalog, renderDiagnostic } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';
import { handlersOf, reconcilersOf } from '@graphrun/sdk';
import type { HandlerMap, ReconcilerMap, WorkerCatalog } from '@graphrun/sdk';
import type { WorkerConfig } from './config.js';

export interface HandlerModule {
  readonly handlers: HandlerMap;
  readonly reconcilers: ReconcilerMap;
  readonly catalog: WorkerCatalog;
}

/**
 * Loads both. Throws GraphrunError `InvalidArgument` that names the module or the file, and all diagnostics of a catalog
 * with mistakes.
 */
export async function loadHandlerModule(
  config: Pick<WorkerConfig, 'handlers' | 'catalogPath'>,
): Promise<HandlerModule> {
  const module = await importModule(config.handlers);
  const handlers = handlersOf(module, config.handlers);
  const reconcilers = reconcilersOf(module, config.handlers);
  const path = config.catalogPath ?? catalogPathOf(module);
  if (path === null) {
    throw new GraphrunError(
      'InvalidArgument',
      `no catalog: set GRAPHRUN_CATALOG, or export catalogPath from ${config.handlers}`,
    );
  }
  return { handlers, reconcilers, catalog: await loadCatalog(path) };
}

async function importModule(specifier: string): Promise<unknown> {
  try {
    return await import(specifier);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GraphrunError('InvalidArgument', `the handler module ${specifier} does not load: ${why}`, { cause });
  }
}

function catalogPathOf(module: unknown): string | null {
  const path = typeof module === 'object' && module !== null && 'catalogPath' in module ? module.catalogPath : null;
  return typeof path === 'string' ? path : null;
}

async function loadCatalog(path: string): Promise<WorkerCatalog> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GraphrunError('InvalidArgument', `the catalog ${path} cannot be read: ${why}`, { cause });
  }
  const result = parseCatalog(text, path);
  if (result.ok) return result.catalog;
  const { diagnostics } = result;
  const list = diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, text)).join('\n');
  throw new GraphrunError('InvalidArgument', `the catalog ${path} has mistakes:\n${list}`, {
    details: { diagnostics },
  });
}
