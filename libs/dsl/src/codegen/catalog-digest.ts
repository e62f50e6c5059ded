import { BUILTIN_SCHEMAS } from '../catalog/builtins.js';
import type { Catalog } from '../catalog/catalog.js';
import { digestOf } from '../digest.js';
import type { Contract } from '../ir.js';
import { versionedName } from '../names.js';
import type { Json } from '../value.js';

/**
 * SHA-256 over the canonical JSON of the schemas and contracts of a catalog, in lower-case hex. The order of entries does
 * not matter, nor whether built-in schemas are declared, so a file and what a server has published of it agree.
 */
export function catalogDigest(catalog: Pick<Catalog, 'schemas' | 'contracts'>): string {
  const schemas = Object.entries(catalog.schemas).filter(([ref]) => !Object.hasOwn(BUILTIN_SCHEMAS, ref));
  const contracts = catalog.contracts.map((contract) => [
    versionedName(contract.name, contract.version),
    contractJson(contract),
  ]);
  return digestOf({ schemas: Object.fromEntries(schemas), contracts: Object.fromEntries(contracts) as Json });
}

/** Field by field: what a store adds to a contract is not part of it. */
function contractJson(contract: Contract): Json {
  const { name, version, inputSchema, outputSchema, execution, effects, recovery, errorCodes, reconciler } = contract;
  return {
    name,
    version,
    inputSchema,
    outputSchema,
    execution,
    effects,
    recovery,
    errorCodes: errorCodes.map(({ code, retryable }) => ({ code, retryable })),
    reconciler: reconciler === null ? null : { name: reconciler.name, version: reconciler.version },
  };
}
