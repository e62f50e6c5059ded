import type { MemberInfo, PeerProbe } from '../peers.js';
import type { Liveness, Subscription } from '../ports.js';

/** In one process a member that answers is alive and any other is gone. */
export class EmbeddedPeerProbe implements PeerProbe {
  readonly #members = new Map<string, () => MemberInfo>();

  answer(memberId: string, info: () => MemberInfo): Promise<Subscription> {
    const entry = (): MemberInfo => info();
    this.#members.set(memberId, entry);
    return Promise.resolve({
      close: () => {
        if (this.#members.get(memberId) === entry) this.#members.delete(memberId);
        return Promise.resolve();
      },
    });
  }

  ask(memberId: string): Promise<Liveness> {
    return Promise.resolve(this.#members.has(memberId) ? 'alive' : 'gone');
  }
}
