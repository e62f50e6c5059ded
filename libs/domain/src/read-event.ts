/**
 * Reads an event as it was stored, in whatever version it was written (spec 02 "Events"). A version whose shape has
 * changed gets an upcaster here; its applier stays the one of its own version where its meaning has changed.
 */
import type { Json } from '@graphrun/dsl';
import { ADMISSIONS } from './appliers/admission.js';
import { APPLIERS, type ChangingKind } from './appliers/registry.js';
import { HistoryError, UnknownEventError } from './errors.js';
import type { EventKind, RunEvent } from './events.js';

/**
 * @throws UnknownEventError when the kind or version has no reader: the run must be set aside.
 * @throws HistoryError when the row is no event at all.
 */
export function readEvent(raw: Json): RunEvent {
  // Looked at member by member below, before anything is believed.
  const event = raw as Partial<Omit<RunEvent, 'body'>> & { readonly body?: { readonly kind?: unknown } };
  const kind = raw === null || typeof raw !== 'object' ? undefined : event.body?.kind;
  if (typeof kind !== 'string' || !isCount(event.seq) || !isCount(event.v) || typeof event.at !== 'number') {
    throw new HistoryError('a stored event lacks its kind, sequence, version or time: the row is damaged');
  }
  if (!versionsOf(kind)?.includes(event.v)) throw new UnknownEventError(kind, event.v);
  return raw as unknown as RunEvent;
}

/** Every kind and version that can be read. */
export function readableVersions(): { readonly kind: EventKind; readonly v: number }[] {
  const kinds: EventKind[] = ['run_admitted', ...(Object.keys(APPLIERS) as ChangingKind[])];
  return kinds.flatMap((kind) => (versionsOf(kind) ?? []).map((v) => ({ kind, v })));
}

function versionsOf(kind: string): number[] | undefined {
  if (kind === 'run_admitted') return Object.keys(ADMISSIONS).map(Number);
  return Object.hasOwn(APPLIERS, kind) ? Object.keys(APPLIERS[kind as ChangingKind]).map(Number) : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
