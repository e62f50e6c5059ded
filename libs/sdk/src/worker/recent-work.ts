/**
 * Work that this session has dealt with: claims and offer ids. Queue messages and receipts may come again (a lost ack, a repeated report);
 * without this memory a repeat would start the handler of a finished attempt a second time.
 */
import type { ClaimRef } from '@graphrun/protocol';

/** Older ones are forgotten: a repeat comes within seconds. */
const REMEMBERED = 16_384;

export function claimKey(claim: ClaimRef): string {
  return `${claim.run}/${claim.activation}/${claim.generation}`;
}

export class RecentWork {
  // Two generations: when the younger one is full, the older one is forgotten as a whole.
  #young = new Set<string>();
  #old = new Set<string>();

  add(key: string): void {
    this.#young.add(key);
    if (this.#young.size < REMEMBERED / 2) return;
    this.#old = this.#young;
    this.#young = new Set();
  }

  has(key: string): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }
}
