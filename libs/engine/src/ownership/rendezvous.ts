/**
 * Rendezvous hashing: each member has a weight for each partition, the heaviest live member should own it. When a member
 * comes or goes only its own partitions move.
 */
import { createHash } from 'node:crypto';

function weight(partition: number, member: string): string {
  return createHash('sha256').update(`${partition}/${member}`).digest('hex');
}

/** The member of `live` that should own the partition, or null when nobody lives. */
export function rendezvous(partition: number, live: Iterable<string>): string | null {
  let best: string | null = null;
  let heaviest = '';
  for (const member of live) {
    const here = weight(partition, member);
    if (best === null || here > heaviest) {
      best = member;
      heaviest = here;
    }
  }
  return best;
}
