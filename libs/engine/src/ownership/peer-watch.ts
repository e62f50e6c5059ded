/** Which of the other members live: two missed answers in a row are a death, one answer is a life. */
import type { PeerProbe } from '@graphrun/messaging';

const TIMES = 2;

export class PeerWatch {
  readonly #missed = new Map<string, number>();

  constructor(
    readonly peers: PeerProbe,
    readonly self: string,
    readonly members: readonly string[],
    readonly timeoutMs: number,
  ) {
    // Until they have answered once, others are only hoped for: nobody waits for a member that never came.
    for (const member of members) if (member !== self) this.#missed.set(member, TIMES);
  }

  async ask(): Promise<void> {
    await Promise.all(
      [...this.#missed.keys()].map(async (member) => {
        const liveness = await this.peers.ask(member, this.timeoutMs);
        this.#missed.set(member, liveness === 'alive' ? 0 : (this.#missed.get(member) ?? 0) + 1);
      }),
    );
  }

  /** This member and all others that live. */
  live(): readonly string[] {
    return this.members.filter((member) => member === this.self || this.alive(member));
  }

  alive(member: string): boolean {
    return member === this.self || (this.#missed.get(member) ?? TIMES) < TIMES;
  }
}
