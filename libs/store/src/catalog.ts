import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import type { Contract, Json, Reconciler } from '@graphrun/dsl';
import { versionedName } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';
import type { CatalogEntries } from './contract.js';
import { ContractEntity, ReconcilerEntity, SchemaEntryEntity } from './entities/catalog.entity.js';
import type { Reader } from './reader.js';

/** Schemas, contracts and reconcilers of a namespace. Immutable by name and version. */
export class Catalog {
  constructor(private readonly reader: Reader) {}

  publish(namespace: string, entries: CatalogEntries): Promise<void> {
    return this.reader.transaction(async (manager) => {
      await publishSchemas(manager, namespace, entries.schemas);
      await publishVersions(manager, namespace, 'contract', entries.contracts);
      await publishVersions(manager, namespace, 'reconciler', entries.reconcilers);
    });
  }

  entries(namespace: string): Promise<CatalogEntries> {
    return this.reader.guarded(async () => {
      const { dataSource } = this.reader;
      const byVersion = { where: { namespace }, order: { name: 'ASC', version: 'ASC' } } as const;
      const [schemas, contracts, reconcilers] = await Promise.all([
        dataSource.getRepository(SchemaEntryEntity).find({ where: { namespace }, order: { name: 'ASC' } }),
        dataSource.getRepository(ContractEntity).find(byVersion),
        dataSource.getRepository(ReconcilerEntity).find(byVersion),
      ]);
      return {
        schemas: Object.fromEntries(schemas.map((entry) => [entry.name, JSON.parse(entry.content) as Json])),
        contracts: contracts.map((entry) => JSON.parse(entry.content) as Contract),
        reconcilers: reconcilers.map((entry) => JSON.parse(entry.content) as Reconciler),
      };
    });
  }
}

async function publishSchemas(
  manager: EntityManager,
  namespace: string,
  offered: CatalogEntries['schemas'],
): Promise<void> {
  const schemas = inOneOrder(Object.entries(offered), ([name]) => name);
  const names = schemas.map(([name]) => name);
  await manager.query(
    `INSERT INTO graphrun.schema_entry (namespace, name, published_at, content)
     SELECT $1, offered.name, graphrun.clock_ms(), offered.content
       FROM unnest($2::text[], $3::text[]) AS offered (name, content)
     ON CONFLICT (namespace, name) DO NOTHING`,
    [namespace, names, schemas.map(([, schema]) => JSON.stringify(schema))],
  );
  // What stands there now is ours, or was there before.
  const stored = await manager.query<{ name: string; content: string }[]>(
    'SELECT name, content FROM graphrun.schema_entry WHERE namespace = $1 AND name = ANY($2::text[])',
    [namespace, names],
  );
  for (const { name, content } of stored) refuseOther('schema', name, content, offered[name]);
}

/** Contracts and reconcilers, whose tables are alike. */
async function publishVersions(
  manager: EntityManager,
  namespace: string,
  what: 'contract' | 'reconciler',
  entries: readonly (Contract | Reconciler)[],
): Promise<void> {
  const offered = inOneOrder(entries, nameOf);
  const names = offered.map(({ name }) => name);
  const versions = offered.map(({ version }) => version);
  await manager.query(
    `INSERT INTO graphrun.${what} (namespace, name, version, published_at, content)
     SELECT $1, offered.name, offered.version, graphrun.clock_ms(), offered.content
       FROM unnest($2::text[], $3::integer[], $4::text[]) AS offered (name, version, content)
     ON CONFLICT (namespace, name, version) DO NOTHING`,
    [namespace, names, versions, offered.map((entry) => JSON.stringify(entry))],
  );
  const stored = await manager.query<{ name: string; version: number; content: string }[]>(
    `SELECT e.name, e.version, e.content FROM graphrun.${what} AS e
       JOIN unnest($2::text[], $3::integer[]) AS offered (name, version) USING (name, version)
      WHERE e.namespace = $1`,
    [namespace, names, versions],
  );
  const contents = new Map(stored.map((row) => [nameOf(row), row.content]));
  for (const entry of offered) {
    const content = contents.get(nameOf(entry));
    if (content !== undefined) refuseOther(what, nameOf(entry), content, entry);
  }
}

/** One order for everybody, so that two publications of the same names wait for each other instead of deadlocking. */
function inOneOrder<T>(entries: readonly T[], name: (entry: T) => string): readonly T[] {
  return entries.toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
}

function nameOf({ name, version }: { readonly name: string; readonly version: number }): string {
  return versionedName(name, version);
}

function refuseOther(what: 'schema' | 'contract' | 'reconciler', name: string, stored: string, offered: unknown): void {
  if (isDeepStrictEqual(JSON.parse(stored), JSON.parse(JSON.stringify(offered)))) return;
  throw new GraphrunError(
    'AlreadyExists',
    `The ${what} ${name} is published with other content: publish the change under a new version.`,
    { details: { [what]: name } },
  );
}
