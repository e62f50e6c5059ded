/** Whether this process can do its work, judged by what it needs: the store, a log, owners that live. */
import type { ControlServices } from './services.js';

/** A store that answers later than this is not ready. */
const STORE_ANSWERS_MS = 2000;
/** An owner whose lease ended this long ago is gone, and nobody has followed. */
const OWNERLESS_AFTER_MS = 5000;

/** Reasons why not, one sentence each; empty when ready. */
export async function readiness(services: ControlServices): Promise<readonly string[]> {
  const reasons = [...services.health()];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), STORE_ANSWERS_MS);
  });
  try {
    const partitions = await Promise.race([services.query.partitions(), late]);
    if (partitions === null) return [...reasons, `the database has not answered within ${STORE_ANSWERS_MS} ms`];
    if (partitions.length !== services.config.partitions) {
      reasons.push(
        `the database records ${partitions.length} partitions, this service is set to ${services.config.partitions}`,
      );
    }
    const now = Date.now();
    const ownerless = partitions.filter(
      ({ owner, leaseUntil }) => owner === null || leaseUntil < now - OWNERLESS_AFTER_MS,
    );
    if (ownerless.length > 0) {
      reasons.push(
        `${ownerless.length} of ${partitions.length} partitions have no living owner: commands for them wait`,
      );
    }
  } catch (error) {
    services.logger.warn({ err: error }, 'the store cannot be read');
    reasons.push('the database cannot be read');
  } finally {
    clearTimeout(timer);
  }
  return reasons;
}
