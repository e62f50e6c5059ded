import { nuid } from '@nats-io/nats-core';
import { GraphrunError } from '@graphrun/protocol';
import type { ChangeNotice, Receipt, SenderRole } from '@graphrun/protocol';
import { decodeNotices, decodeReceipts } from '../decode.js';
import type { ChangeFeed, Subscription } from '../ports.js';
import type { Connection } from './connection.js';
import { listening } from './subscription.js';
import { decodeText } from './wire.js';

/** One message of a list: below the command limit, so that it passes any server that passes commands. */
const LIST_BYTES = 896 * 1024;
const LONGEST_ADDRESS = 512;
const SAFE_ADDRESS = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

export class JetStreamChangeFeed implements ChangeFeed {
  readonly #connection: Connection;
  readonly #inboxRoots: readonly string[];
  readonly #subscriptions = new Set<Subscription>();

  constructor(connection: Connection) {
    this.#connection = connection;
    const { subjects } = connection;
    this.#inboxRoots = (['client', 'worker'] satisfies SenderRole[]).map((role) =>
      subjects.inboxPrefix(role, 'x').slice(0, -2),
    );
  }

  receipts(inbox: string, receipts: readonly Receipt[]): void {
    if (receipts.length === 0) return;
    // The address comes from the payload of a command: it must not reach any other subject of the server.
    if (!this.#isInbox(inbox)) {
      this.#connection.report(
        new GraphrunError(
          'InvalidArgument',
          `receipts for ${inbox.slice(0, 128)} are dropped: that is no inbox of this cluster`,
        ),
        'receipts',
      );
      return;
    }
    this.#sendList(inbox, receipts, 'receipts');
  }

  async openInbox(
    role: SenderRole,
    principal: string,
    onReceipt: (receipt: Receipt) => void,
  ): Promise<Subscription & { readonly address: string }> {
    const address = this.#connection.subjects.inbox(role, principal, nuid.next());
    const subscription = await this.#follow(address, `inbox ${address}`, (text) => {
      for (const receipt of decodeReceipts(text)) {
        // One bad consumer of a receipt must not cost the others theirs.
        try {
          onReceipt(receipt);
        } catch (failure) {
          this.#connection.report(failure, `inbox ${address}`);
        }
      }
    });
    return { address, close: () => subscription.close() };
  }

  announce(notices: readonly ChangeNotice[]): void {
    this.#sendList(this.#connection.subjects.changes(), notices, 'changes');
  }

  watch(onNotice: (notice: ChangeNotice) => void): Promise<Subscription> {
    return this.#follow(this.#connection.subjects.changes(), 'changes', (text) => {
      for (const notice of decodeNotices(text)) onNotice(notice);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()));
  }

  #isInbox(address: string): boolean {
    if (address.length > LONGEST_ADDRESS || !SAFE_ADDRESS.test(address)) return false;
    return this.#inboxRoots.some((root) => address.startsWith(root));
  }

  async #follow(subject: string, where: string, handler: (text: string) => void): Promise<Subscription> {
    const subscription = await listening(this.#connection, subject, where, (message) =>
      handler(decodeText(message.data)),
    );
    const tracked: Subscription = {
      close: () => {
        this.#subscriptions.delete(tracked);
        return subscription.close();
      },
    };
    this.#subscriptions.add(tracked);
    return tracked;
  }

  /** A list that would not fit into one message is halved until it does. */
  #sendList(subject: string, list: readonly unknown[], where: string): void {
    if (list.length === 0) return;
    const text = JSON.stringify(list);
    if (list.length > 1 && Buffer.byteLength(text, 'utf8') > LIST_BYTES) {
      const half = list.length >> 1;
      this.#sendList(subject, list.slice(0, half), where);
      this.#sendList(subject, list.slice(half), where);
      return;
    }
    this.#connection.send(subject, text, where);
  }
}
