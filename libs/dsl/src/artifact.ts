/** Artifacts: a definition with the contracts and schemas it uses, under one digest (spec 01 "Normal form and digest"). */
import { contractIndex, type Catalog } from './catalog/catalog.js';
import { digestOf } from './digest.js';
import type { ActivityRef, Artifact, Contract, Definition, Region } from './ir.js';
import { versionedName } from './names.js';
import { collectSchemaNames } from './schema/schema-ref.js';
import type { Json } from './value.js';
import { bodiesOf, nodesOf } from './walk.js';

export const ARTIFACT_FORMAT = 'graphrun.artifact/v1';

/** Gathers what `definition` refers to, and digests it. The definition must have been compiled against `catalog`. */
export function buildArtifact(definition: Definition, catalog: Catalog): Artifact {
  const contracts = new Map<string, Contract>();
  const schemaNames = new Set<string>();
  collect(definition, catalog, contracts, schemaNames);
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

/** Names of everything a definition refers to. */
function collect(
  definition: Definition,
  catalog: Catalog,
  contracts: Map<string, Contract>,
  schemas: Set<string>,
): void {
  for (const { schema } of Object.values(definition.signals ?? {})) collectSchemaNames(schema, schemas);
  collectRegionSchemas(definition.root, schemas);
  for (const { node } of nodesOf(definition)) {
    if (node.kind === 'activity') {
      collectContract(node.activity, catalog, contracts, schemas);
      if (node.compensation?.kind === 'activity') {
        collectContract(node.compensation.activity, catalog, contracts, schemas);
      }
    }
    if ('stateSchema' in node) collectSchemaNames(node.stateSchema, schemas);
    if ('itemSchema' in node) collectSchemaNames(node.itemSchema, schemas);
    for (const { region } of bodiesOf(node)) collectRegionSchemas(region, schemas);
  }
}

function collectRegionSchemas({ inputSchema, outputSchema }: Region, schemas: Set<string>): void {
  collectSchemaNames(inputSchema, schemas);
  collectSchemaNames(outputSchema, schemas);
}

function collectContract(
  { name, version }: ActivityRef,
  catalog: Catalog,
  contracts: Map<string, Contract>,
  schemas: Set<string>,
): void {
  const key = versionedName(name, version);
  const contract = contractIndex(catalog).get(key);
  if (contract === undefined) throw new Error(`The compiled definition uses ${key}, which its catalog does not have`);
  contracts.set(key, contract);
  collectSchemaNames(contract.inputSchema, schemas);
  collectSchemaNames(contract.outputSchema, schemas);
}
