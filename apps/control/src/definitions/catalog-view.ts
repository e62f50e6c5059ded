/** Contracts as a `graphrun.catalog/v1` document, which can be published again as it is. */
import type { Contract, Json } from '@graphrun/dsl';

export function catalogView(entries: {
  readonly schemas: Readonly<Record<string, Json>>;
  readonly contracts: readonly Contract[];
}) {
  return {
    format: 'graphrun.catalog/v1',
    schemas: entries.schemas,
    activities: entries.contracts.map(contractView),
    // A contract names its reconciler, and the reconciler its contract: the one tells the other.
    reconcilers: entries.contracts.flatMap(({ name, version, reconciler }) =>
      reconciler === null ? [] : [{ ...reconciler, forward_activity: { name, version } }],
    ),
  };
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
