/**
 * Collects the events of one command. Each is applied to the run as soon as it is recorded, so that what decides next
 * sees the state that the event made.
 */
import { byteLength } from '@graphrun/dsl';
import { EVENT_VERSIONS } from './appliers/registry.js';
import type { CommandContext } from './commands.js';
import type { Cause, EventBody, RunEvent } from './events.js';
import { applyEvent } from './evolve.js';
import type { ProgramSource } from './program-source.js';
import type { Run } from './state.js';

/** An event and its JSON text, made once: storing, measuring and sending all use this text. */
export interface RecordedEvent {
  readonly event: RunEvent;
  readonly text: string;
}

export class Recorder {
  readonly events: RecordedEvent[] = [];
  /** Time of everything this command decides, UTC ms. Never before the run's last event. */
  readonly now: number;

  constructor(
    private current: Run | null,
    private readonly programs: ProgramSource,
    private readonly cause: Cause,
    readonly context: CommandContext,
  ) {
    this.now = current === null ? context.now : Math.max(context.now, current.updatedAt);
  }

  /** The run as all events so far have made it. */
  get run(): Run {
    if (this.current === null) throw new Error('a processor asked for a run before it was admitted');
    return this.current;
  }

  record(body: EventBody): void {
    const event: RunEvent = {
      seq: (this.current?.seq ?? 0) + 1,
      at: this.now,
      v: EVENT_VERSIONS[body.kind],
      cause: this.cause,
      by: this.context.by,
      body,
    };
    const text = JSON.stringify(event);
    this.current = applyEvent(this.current, event, this.programs, byteLength(text));
    this.events.push({ event, text });
  }
}
