import type { RunId } from '@graphrun/domain';
import type { QuarantineRow, UnrecoverableRow } from './contract.js';
import { QuarantineEntity } from './entities/quarantine.entity.js';
import { UnrecoverableEntity } from './entities/unrecoverable.entity.js';
import type { Reader } from './reader.js';

/** What needs an operator: quarantined commands and runs that cannot be loaded. */
export class Incidents {
  constructor(private readonly reader: Reader) {}

  /** Newest first. */
  quarantine(limit: number): Promise<readonly (QuarantineRow & { readonly id: number })[]> {
    return this.reader.guarded(async () => {
      const found = await this.reader.dataSource
        .getRepository(QuarantineEntity)
        .find({ order: { id: 'DESC' }, take: limit });
      return found.map(({ id, run, ...row }) => ({ ...row, id: Number(id), run: run as RunId | null }));
    });
  }

  /** Oldest first: what has waited longest. */
  unrecoverable(limit: number): Promise<readonly UnrecoverableRow[]> {
    return this.reader.guarded(async () => {
      const found = await this.reader.dataSource
        .getRepository(UnrecoverableEntity)
        .find({ order: { since: 'ASC', run: 'ASC' }, take: limit });
      return found.map(({ run, ...row }) => ({ ...row, run: run as RunId }));
    });
  }
}
