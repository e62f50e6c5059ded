import type { Offer, UnknownContract } from '@graphrun/protocol';
import type { Logger } from '@graphrun/runtime';
import type { Registration } from './registrations.js';

/** So many are told of; a worker that meets more of them has the wrong catalog altogether. */
const MOST_TOLD = 32;

/** Offers whose contract is another than the worker's: said once for each, as they may come by the thousand. */
export class UnknownContracts {
  readonly #logger: Logger;
  readonly #seen = new Map<string, UnknownContract>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The newest of them, for the workers page. */
  list(): readonly UnknownContract[] {
    return [...this.#seen.values()].slice(-MOST_TOLD);
  }

  warn(offer: Offer, registration: Registration): void {
    const seen = `${registration.keyText} ${offer.contractDigest}`;
    if (this.#seen.has(seen)) return;
    const { role, activity, version, contractDigest } = offer;
    this.#seen.set(seen, { role, activity, version, contractDigest });
    this.#logger.warn(
      { role, activity, version, offered: contractDigest, known: registration.contractDigest },
      'handed work back: its contract is not the one in this catalog; publish the change as a new version, or update this worker',
    );
  }
}
