/** What is published as a `graphrun.catalog/v1` document, which can be published again as it is. */
import type { Contract, Reconciler } from '@graphrun/dsl';
import { versionedName } from '@graphrun/dsl';
import type { CatalogEntries } from '@graphrun/store';

export function catalogView({ schemas, contracts, reconcilers }: CatalogEntries) {
  return {
    format: 'graphrun.catalog/v1',
    schemas,
    activities: contracts.map(contractView),
    reconcilers: withNamedReconcilers(contracts, reconcilers).map(({ name, version, forwardActivity }) => ({
      name,
      version,
      forward_activity: { name: forwardActivity.name, version: forwardActivity.version },
    })),
  };
}

/**
 * The published reconcilers and those that are only named by contracts, of artifacts for example, which hold contracts
 * but no reconcilers: such a one belongs to the first contract that names it.
 */
export function withNamedReconcilers(
  contracts: readonly Contract[],
  published: readonly Reconciler[],
): readonly Reconciler[] {
  const all = new Map(published.map((reconciler) => [versionedName(reconciler.name, reconciler.version), reconciler]));
  for (const { name, version, reconciler } of contracts) {
    if (reconciler === null) continue;
    const key = versionedName(reconciler.name, reconciler.version);
    if (!all.has(key)) all.set(key, { ...reconciler, forwardActivity: { name, version } });
  }
  return [...all.values()];
}

function contractView(contract: Contract) {
  const { name, version, inputSchema, outputSchema, execution, effects, recovery, errorCodes, reconciler } = contract;
  return {
    name,
    version,
    input_schema: inputSchema,
    output_schema: outputSchema,
    execution,
    effects,
    recovery,
    error_codes: errorCodes,
    ...(reconciler !== null && { reconciler }),
  };
}
