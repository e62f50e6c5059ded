import type { Msg } from '@nats-io/nats-core';
import { GraphrunError } from '@graphrun/protocol';
import type { Subscription } from '../ports.js';
import type { Connection } from './connection.js';
import { toGraphrunError } from './errors.js';

/** Listens on a subject; resolves when the server knows of it, so that nothing sent afterwards is missed. */
export async function listening(
  connection: Connection,
  subject: string,
  where: string,
  handler: (message: Msg) => void,
): Promise<Subscription> {
  const what = `listening on ${subject}`;
  if (connection.nc.isClosed())
    throw new GraphrunError('Unavailable', `${what} is not possible: the connection is closed`);
  connection.requireConnected(what);
  let open = true;
  const subscription = connection.listen(subject, where, (message) => {
    if (open) handler(message);
  });
  try {
    await connection.nc.flush();
  } catch (failure) {
    subscription.unsubscribe();
    throw toGraphrunError(failure, what);
  }
  return {
    close: async () => {
      if (!open) return;
      open = false;
      if (connection.nc.isClosed()) return;
      subscription.unsubscribe();
      await connection.settle();
    },
  };
}
