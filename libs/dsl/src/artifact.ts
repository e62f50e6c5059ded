/** Artifacts: a definition with the contracts and schemas it uses, under one digest (spec 01 "Normal form and digest"). */
import { contractIndex, type Catalog } from './catalog/catalog.js';
import { digestOf } from './digest.js';
import type { Artifact, Contract, Definition, Region } from './ir.js';
import { versionedName } from './names.js';
import { collectSchemaNames } from './schema/schema-ref.js';
import type { Json } from './value.js';

export const ARTIFACT_FORMAT = 'graphrun.artifact/v1';

/** Gathers what `definition` refers to, and digests it. The definition must have been compiled against `catalog`. */
export function buildArtifact(definition: Definition, catalog: Catalog): Artifact {
  const contracts = new Map<string, Contract>();
  const schemaNames = new Set<string>();
  collectRegion(definition.root, catalog, contracts, schemaNames);
  const body = {
    format: ARTIFACT_FORMAT,
    definition,
    contracts: Object.fromEntries([...contracts].toSorted(byName)),
    schemas: Object.fromEntries(
      [...schemaNames].toSorted().map((name): [string, Json] => [name, catalog.schemas[name] ?? null]),
    ),
  } as const;
  return { ...body, digest: artifactDigest(body) };
}

/** The digest covers everything in the artifact except itself. */
export function artifactDigest(body: Omit<Artifact, 'digest'>): string {
  // An artifact is plain data; interfaces lack the index signature that `Json` asks for.
  return digestOf({
    format: body.format,
    definition: body.definition,
    contracts: body.contracts,
    schemas: body.schemas,
  } as unknown as Json);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function collectRegion(region: Region, catalog: Catalog, contracts: Map<string, Contract>, schemas: Set<string>): void {
  collectSchemaNames(region.inputSchema, schemas);
  collectSchemaNames(region.outputSchema, schemas);
  for (const node of Object.values(region.nodes)) {
    if (node.kind !== 'activity') continue;
    const name = versionedName(node.activity.name, node.activity.version);
    const contract = contractIndex(catalog).get(name);
    if (contract === undefined)
      throw new Error(`The compiled definition uses ${name}, which its catalog does not have`);
    contracts.set(name, contract);
    collectSchemaNames(contract.inputSchema, schemas);
    collectSchemaNames(contract.outputSchema, schemas);
  }
}
