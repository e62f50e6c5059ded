import type { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { storeError } from './store-error.js';

/** Statements outside the apply transaction. Rejects with `GraphrunError` only. */
export class Reader {
  constructor(readonly dataSource: DataSource) {}

  async rows<Row>(sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
    const result = await this.guarded(() => this.dataSource.query<unknown>(sql, [...parameters]));
    return rowsOf(result) as readonly Row[];
  }

  /**
   * A statement of the hot path: parsed once for each connection, under its name, and sent past TypeORM, which would
   * have it parsed and planned each time. What it calls must bring a plan that is right for tables of any size.
   */
  async prepared<Row extends object>(
    name: string,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<readonly Row[]> {
    return this.guarded(async () => {
      const { rows } = await this.pool.query<Row>({ name: `graphrun_${name}`, text: sql, values: [...parameters] });
      return rows;
    });
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { readonly master: Pool }).master;
  }

  /** Runs TypeORM's own queries with our errors. */
  async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storeError(error);
    }
  }

  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.guarded(() => this.dataSource.transaction(work));
  }
}

/** TypeORM answers an UPDATE with the pair of rows and count, anything else with the rows. */
function rowsOf(result: unknown): unknown {
  const [first, second] = result as readonly unknown[];
  return Array.isArray(first) && typeof second === 'number' ? first : result;
}
