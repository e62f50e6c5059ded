/** An owner of partitions that does what a test says, over the real in-process ports. */
import { createEmbeddedMessaging } from '@graphrun/messaging';
import type { EmbeddedMessaging, LoggedCommand } from '@graphrun/messaging';
import type { CommandResult, StartRequest } from '@graphrun/protocol';
import type { ManualClock } from './manual-clock.js';

export class ScriptedOwner {
  readonly messaging: EmbeddedMessaging;
  readonly #arrived: LoggedCommand[] = [];
  readonly #waiting: ((command: LoggedCommand) => void)[] = [];

  private constructor(clock: ManualClock) {
    this.messaging = createEmbeddedMessaging({ clock: () => clock.now() });
  }

  static async of(partitions: number, clock: ManualClock): Promise<ScriptedOwner> {
    const owner = new ScriptedOwner(clock);
    for (let partition = 0; partition < partitions; partition += 1) {
      const position = { incarnation: 0, seq: 0, messageId: '', timestamp: 0 };
      await owner.messaging.log.read(partition, position, {
        onCommand: (command) => owner.#take(command),
        onIncarnationLost: (reason) => {
          throw new Error(reason);
        },
      });
    }
    return owner;
  }

  /** Commands that arrived and that nobody has asked for. */
  get unread(): number {
    return this.#arrived.length;
  }

  /** The next command, when it comes. */
  next(): Promise<LoggedCommand> {
    const there = this.#arrived.shift();
    return there === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(there);
  }

  answer(command: LoggedCommand, result: CommandResult): void {
    const { id, replyTo } = JSON.parse(command.data) as StartRequest;
    this.messaging.feed.receipts(replyTo, [{ kind: 'client', id, result }]);
  }

  #take(command: LoggedCommand): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#arrived.push(command);
    else waiting(command);
  }
}
