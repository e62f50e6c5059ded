/** An event as `history` shows it (spec 05): `{seq, at, kind, ...}` in snake_case. */
import type { Json } from '@graphrun/dsl';
import type { EventKind, RunEvent } from './events.js';

export interface EventView {
  readonly seq: number;
  /** UTC ms. */
  readonly at: number;
  readonly kind: EventKind;
  readonly v: number;
  /** Id of the client's command, absent when the engine acted by itself. */
  readonly command?: string;
  /** Kind of the internal command, absent when a client's command was the cause. */
  readonly internal?: string;
  readonly by: string;
  /** The event's own fields. */
  readonly [field: string]: Json | undefined;
}

export function describeEvent(event: RunEvent): EventView {
  const { kind, ...fields } = event.body;
  return {
    seq: event.seq,
    at: event.at,
    kind,
    v: event.v,
    ...event.cause,
    by: event.by,
    ...describeFields(fields),
  };
}

/** Values of users keep their keys: only the names that the engine chose are respelled. */
const ENGINE_OBJECTS: ReadonlySet<string> = new Set(['policy']);

function describeFields(fields: object): { [field: string]: Json } {
  const view: { [field: string]: Json } = {};
  // Bodies of events are plain JSON whose members are listed in `events.ts`.
  for (const [name, value] of Object.entries(fields) as [string, Json][]) {
    view[snakeCase(name)] = ENGINE_OBJECTS.has(name) ? describeFields(value as object) : value;
  }
  return view;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
