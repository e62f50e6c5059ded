/** The registry that definitions refer to: schemas, activity contracts and reconcilers, all immutable by version. */
import type { ActivityRef, Contract } from '../ir.js';
import { versionedName } from '../names.js';
import type { Json } from '../value.js';
import { BUILTIN_SCHEMAS } from './builtins.js';

/** A handler that can tell whether an effect of its forward activity happened. */
export interface Reconciler {
  readonly name: string;
  readonly version: number;
  readonly forwardActivity: ActivityRef;
}

export interface Catalog {
  /** JSON Schemas (2020-12) by `name/vN`, built-ins included. */
  readonly schemas: { readonly [nameAndVersion: string]: Json };
  readonly contracts: readonly Contract[];
  readonly reconcilers: readonly Reconciler[];
}

export interface CatalogEntries {
  readonly schemas: { readonly [nameAndVersion: string]: Json };
  readonly contracts: readonly Contract[];
  readonly reconcilers?: readonly Reconciler[];
}

/** A catalog of schemas and contracts that were checked when they were published. */
export function catalogFromEntries(entries: CatalogEntries): Catalog {
  return {
    schemas: { ...entries.schemas, ...BUILTIN_SCHEMAS },
    contracts: entries.contracts,
    reconcilers: entries.reconcilers ?? [],
  };
}

/** Contracts by `name/vN`, built once for each catalog. */
export function contractIndex(catalog: Catalog): ReadonlyMap<string, Contract> {
  let index = INDEXES.get(catalog);
  if (index === undefined) {
    index = new Map(catalog.contracts.map((contract) => [versionedName(contract.name, contract.version), contract]));
    INDEXES.set(catalog, index);
  }
  return index;
}

const INDEXES = new WeakMap<Catalog, ReadonlyMap<string, Contract>>();
