import type { Offer } from '@graphrun/protocol';
import type { Logger } from '@graphrun/runtime';
import type { Registration } from './registrations.js';

/** Complains of offers whose contract is another than the worker's, once for each: they may come by the thousand. */
export class UnknownContracts {
  readonly #logger: Logger;
  readonly #seen = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  warn(offer: Offer, registration: Registration): void {
    const seen = `${registration.keyText} ${offer.contractDigest}`;
    if (this.#seen.has(seen)) return;
    this.#seen.add(seen);
    const { activity, version, contractDigest: offered } = offer;
    this.#logger.warn(
      { activity, version, offered, known: registration.contractDigest },
      'handed work back: its contract is not the one in this catalog; publish the change as a new version, or update this worker',
    );
  }
}
