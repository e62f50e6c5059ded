import type { ChangeNotice, Receipt, SenderRole, Subjects } from '@graphrun/protocol';
import type { ChangeFeed, Subscription } from '../ports.js';
import type { EmbeddedScope } from './scope.js';

export class EmbeddedChangeFeed implements ChangeFeed {
  readonly #scope: EmbeddedScope;
  readonly #subjects: Subjects;
  readonly #inboxes = new Map<string, (receipt: Receipt) => void>();
  readonly #watchers = new Set<(notice: ChangeNotice) => void>();
  #opened = 0;

  constructor(scope: EmbeddedScope, subjects: Subjects) {
    this.#scope = scope;
    this.#subjects = subjects;
  }

  receipts(inbox: string, receipts: readonly Receipt[]): void {
    if (receipts.length === 0 || !this.#inboxes.has(inbox)) return;
    this.#scope.soon(`inbox ${inbox}`, () => {
      for (const receipt of receipts) {
        // One bad consumer of a receipt must not cost the others theirs.
        try {
          this.#inboxes.get(inbox)?.(receipt);
        } catch (failure) {
          this.#scope.report(failure, `inbox ${inbox}`);
        }
      }
    });
  }

  openInbox(
    role: SenderRole,
    principal: string,
    onReceipt: (receipt: Receipt) => void,
  ): Promise<Subscription & { readonly address: string }> {
    this.#opened += 1;
    const address = this.#subjects.inbox(role, principal, `${process.pid}-${this.#opened}`);
    this.#inboxes.set(address, onReceipt);
    return Promise.resolve({
      address,
      close: () => {
        this.#inboxes.delete(address);
        return Promise.resolve();
      },
    });
  }

  announce(notices: readonly ChangeNotice[]): void {
    if (this.#watchers.size === 0 || notices.length === 0) return;
    this.#scope.soon('changes', () => {
      for (const watcher of [...this.#watchers]) {
        try {
          for (const notice of notices) watcher(notice);
        } catch (failure) {
          this.#scope.report(failure, 'changes');
        }
      }
    });
  }

  watch(onNotice: (notice: ChangeNotice) => void): Promise<Subscription> {
    const watcher = (notice: ChangeNotice): void => {
      onNotice(notice);
    };
    this.#watchers.add(watcher);
    return Promise.resolve({
      close: () => {
        this.#watchers.delete(watcher);
        return Promise.resolve();
      },
    });
  }

  close(): Promise<void> {
    this.#inboxes.clear();
    this.#watchers.clear();
    return Promise.resolve();
  }
}
