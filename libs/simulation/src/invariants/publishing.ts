/** Invariant 9: what leaves an owner was committed by it, and nothing leaves one that knows it was fenced. */
import { violated } from './violation.js';

export class Publishing {
  readonly #committed = new Set<string>();
  /** By process and partition: the epoch that is known to be over. */
  readonly #fenced = new Map<string, number>();

  /** `current` is the epoch that the partition's row has. */
  committed(partition: number, epoch: number, commitNo: number, current: number): void {
    if (epoch !== current)
      violated(
        '9 fencing',
        `epoch ${epoch} of partition ${partition} commits ${commitNo}, and epoch ${current} has begun`,
      );
    this.#committed.add(`${partition}/${epoch}/${commitNo}`);
  }

  fenced(process: string, partition: number, epoch: number): void {
    this.#fenced.set(`${process}/${partition}`, epoch);
  }

  nothingLeavesAFencedOwner(process: string, partition: number, epoch: number, what: string): void {
    const fenced = this.#fenced.get(`${process}/${partition}`);
    if (fenced !== undefined && epoch <= fenced)
      violated('9 fencing', `${process} publishes ${what} of partition ${partition} in epoch ${epoch}, which is over`);
  }

  onlyWhatIsCommittedIsTold(process: string, partition: number, epoch: number, commitNo: number): void {
    if (!this.#committed.has(`${partition}/${epoch}/${commitNo}`))
      violated(
        '9 fencing',
        `${process} tells of commit ${commitNo} of partition ${partition} in epoch ${epoch}, which is not there`,
      );
  }
}
