import type { MemberInfo, PeerProbe } from '../peers.js';
import type { Liveness, Subscription } from '../ports.js';
import type { Connection } from './connection.js';
import { askLiveness } from './liveness.js';
import { listening } from './subscription.js';

export class JetStreamPeerProbe implements PeerProbe {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  answer(memberId: string, info: () => MemberInfo): Promise<Subscription> {
    return listening(this.#connection, this.#connection.subjects.member(memberId), `member ${memberId}`, (message) => {
      message.respond(JSON.stringify(info()));
    });
  }

  ask(memberId: string, timeoutMs: number): Promise<Liveness> {
    return askLiveness(this.#connection, this.#connection.subjects.member(memberId), timeoutMs);
  }
}
