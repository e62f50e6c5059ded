import type { Liveness } from '../ports.js';
import type { Connection } from './connection.js';
import { isNoResponders } from './errors.js';

/** Asks whoever listens on `subject`. Only the server's "no responders" is a sure sign that nobody does. */
export async function askLiveness(connection: Connection, subject: string, timeoutMs: number): Promise<Liveness> {
  if (!connection.connected) return 'unknown';
  try {
    await connection.nc.request(subject, '', { timeout: timeoutMs });
    return 'alive';
  } catch (failure) {
    return isNoResponders(failure) ? 'gone' : 'unknown';
  }
}
