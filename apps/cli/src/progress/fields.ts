/** Fields of events, as lines show them. */
import type { EventView } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';

/** A scalar field; empty when the event has none. */
export function text(event: EventView, field: string): string {
  const value = event[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function count(event: EventView, field: string): number | null {
  const value = event[field];
  return typeof value === 'number' ? value : null;
}

export function lengthOf(event: EventView, field: string): number | null {
  const value = event[field];
  return Array.isArray(value) ? value.length : null;
}

export function failure(event: EventView, field = 'failure'): string {
  const { code, message } = (event[field] ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return `${String(code)}: ${String(message)}`;
}

/** A time in UTC; empty when the event has none. */
export function moment(event: EventView, field: string): string {
  const ms = count(event, field);
  return ms === null ? '' : new Date(ms).toISOString();
}

export function shorten(value: Json | undefined): string {
  const json = JSON.stringify(value ?? null);
  return json.length <= 100 ? json : `${json.slice(0, 97)}...`;
}

/** `1 item`, `2 items`. */
export function counted(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
