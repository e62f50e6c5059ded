import type { DataSource } from 'typeorm';
import type { ApplySession } from './apply/apply-session.js';
import type { EngineStore, QueryStore } from './contract.js';
import { SqlEngineStore } from './engine-store.js';
import { ClusterEntity } from './entities/cluster.entity.js';
import { pendingMigrations, refuseNewerStore, runMigrations } from './migrate.js';
import { SqlQueryStore } from './query-store.js';
import type { Reader } from './reader.js';
import { maintainResults } from './result-partitions.js';
import { unmetSettings } from './settings.js';
import { forgetSignals } from './signal-identities.js';

/** What a store is, drawn once and kept over restarts; a restored backup is another cluster. */
export interface ClusterIdentity {
  /** UUID. */
  readonly id: string;
  readonly format: number;
  /** Null before the first start of an owner. */
  readonly partitionCount: number | null;
  /** UTC ms. */
  readonly createdAt: number;
}

/** An open store: a PostgreSQL server's or an embedded one, alike in everything. */
export interface Database {
  readonly engine: EngineStore;
  readonly query: QueryStore;
  /** Runs what is pending; a repeat, or several members at once, are harmless. */
  migrate(): Promise<void>;
  /** Number of migrations that have not been run: readiness is false until it is 0. */
  pendingMigrations(): Promise<number>;
  cluster(): Promise<ClusterIdentity>;
  /** Required settings of the server that are not met, one plain sentence each. */
  checkSettings(): Promise<string[]>;
  /**
   * Makes tables of coming days for results and drops expired ones; forgets signals that are too old or too many. To be
   * called at start and hourly by an owner.
   */
  maintain(): Promise<void>;
  /** Resolves when the store answers, and rejects with `Unavailable` otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseParts {
  readonly reader: Reader;
  readonly session: ApplySession;
  /** False for PGlite: it survives the death of the process, not power loss, and no setting changes that. */
  readonly durableSettings: boolean;
  /** Runs `work` with a source whose statements are not limited in time. */
  readonly withMigrationSource: (work: (source: DataSource) => Promise<void>) => Promise<void>;
  /** Ends what lies beneath, after the apply session and the pool. */
  readonly closeBeneath: () => Promise<void>;
}

export class SqlDatabase implements Database {
  readonly engine: EngineStore;
  readonly query: QueryStore;
  private closing: Promise<void> | null = null;

  constructor(private readonly parts: DatabaseParts) {
    this.engine = new SqlEngineStore(parts.reader, parts.session);
    this.query = new SqlQueryStore(parts.reader);
  }

  async migrate(): Promise<void> {
    const { reader, withMigrationSource } = this.parts;
    await refuseNewerStore(reader);
    if ((await this.pendingMigrations()) > 0) {
      await reader.guarded(() => withMigrationSource(runMigrations));
    }
    await this.maintain();
  }

  async pendingMigrations(): Promise<number> {
    return (await pendingMigrations(this.parts.reader)).length;
  }

  cluster(): Promise<ClusterIdentity> {
    const { reader } = this.parts;
    return reader.guarded(async () => {
      const { id, format, partitionCount, createdAt } = await reader.dataSource
        .getRepository(ClusterEntity)
        .findOneByOrFail({ singleton: true });
      return { id, format, partitionCount, createdAt };
    });
  }

  async checkSettings(): Promise<string[]> {
    return this.parts.durableSettings ? unmetSettings(this.parts.reader) : [];
  }

  async maintain(): Promise<void> {
    const { reader } = this.parts;
    await maintainResults(reader);
    await forgetSignals(reader);
  }

  async ping(): Promise<void> {
    await this.parts.reader.rows('SELECT 1');
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    await this.parts.session.close();
    await this.parts.reader.dataSource.destroy();
    await this.parts.closeBeneath();
  }
}
