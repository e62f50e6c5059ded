import { isDeepStrictEqual } from 'node:util';
import type { Contract, Json } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';
import { ContractEntity, SchemaEntryEntity } from './entities/catalog.entity.js';
import type { Reader } from './reader.js';

export interface CatalogEntries {
  readonly schemas: Readonly<Record<string, Json>>;
  readonly contracts: readonly Contract[];
}

/** Schemas and contracts of a namespace. Immutable by name and version. */
export class Catalog {
  constructor(private readonly reader: Reader) {}

  publish(namespace: string, entries: CatalogEntries): Promise<void> {
    // One order for everybody, so that two publications of the same names wait for each other instead of deadlocking.
    const schemas = Object.entries(entries.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
    const contracts = [...entries.contracts].sort((a, b) => (contractName(a) < contractName(b) ? -1 : 1));
    return this.reader.transaction(async (manager) => {
      await manager.query(
        `INSERT INTO graphrun.schema_entry (namespace, name, published_at, content)
         SELECT $1, offered.name, graphrun.clock_ms(), offered.content
           FROM unnest($2::text[], $3::text[]) AS offered (name, content)
         ON CONFLICT (namespace, name) DO NOTHING`,
        [namespace, schemas.map(([name]) => name), schemas.map(([, schema]) => JSON.stringify(schema))],
      );
      await manager.query(
        `INSERT INTO graphrun.contract (namespace, name, version, published_at, content)
         SELECT $1, offered.name, offered.version, graphrun.clock_ms(), offered.content
           FROM unnest($2::text[], $3::integer[], $4::text[]) AS offered (name, version, content)
         ON CONFLICT (namespace, name, version) DO NOTHING`,
        [
          namespace,
          contracts.map((contract) => contract.name),
          contracts.map((contract) => contract.version),
          contracts.map((contract) => JSON.stringify(contract)),
        ],
      );
      // What stands there now is ours, or was there before.
      const storedSchemas = await manager.query<{ name: string; content: string }[]>(
        'SELECT name, content FROM graphrun.schema_entry WHERE namespace = $1 AND name = ANY($2::text[])',
        [namespace, schemas.map(([name]) => name)],
      );
      for (const { name, content } of storedSchemas) refuseOther('schema', name, content, entries.schemas[name]);

      const storedContracts = await manager.query<{ name: string; version: number; content: string }[]>(
        `SELECT c.name, c.version, c.content FROM graphrun.contract AS c
             JOIN unnest($2::text[], $3::integer[]) AS offered (name, version) USING (name, version)
            WHERE c.namespace = $1`,
        [namespace, contracts.map((contract) => contract.name), contracts.map((contract) => contract.version)],
      );
      for (const contract of contracts) {
        const stored = storedContracts.find((row) => row.name === contract.name && row.version === contract.version);
        if (stored !== undefined) refuseOther('contract', contractName(contract), stored.content, contract);
      }
    });
  }

  entries(namespace: string): Promise<CatalogEntries> {
    return this.reader.guarded(async () => {
      const { dataSource } = this.reader;
      const [schemas, contracts] = await Promise.all([
        dataSource.getRepository(SchemaEntryEntity).find({ where: { namespace }, order: { name: 'ASC' } }),
        dataSource.getRepository(ContractEntity).find({ where: { namespace }, order: { name: 'ASC', version: 'ASC' } }),
      ]);
      return {
        schemas: Object.fromEntries(schemas.map((entry) => [entry.name, JSON.parse(entry.content) as Json])),
        contracts: contracts.map((entry) => JSON.parse(entry.content) as Contract),
      };
    });
  }
}

function contractName(contract: Contract): string {
  return `${contract.name}/v${contract.version}`;
}

function refuseOther(what: 'schema' | 'contract', name: string, stored: string, offered: unknown): void {
  if (isDeepStrictEqual(JSON.parse(stored), JSON.parse(JSON.stringify(offered)))) return;
  throw new GraphrunError(
    'AlreadyExists',
    `The ${what} ${name} is published with other content: publish the change under a new version.`,
    { details: { [what]: name } },
  );
}
