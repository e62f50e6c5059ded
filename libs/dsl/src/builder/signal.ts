/** Signals a workflow waits for. */
import type { AnySchema } from './witness.js';

/** A signal by name, with the schema of its payload. */
export interface Signal<Payload extends AnySchema> {
  readonly name: string;
  readonly schema: Payload;
}

/** A signal for `waitSignal`. What a workflow waits for is declared in its document by itself. */
export function signal<Payload extends AnySchema>(name: string, schema: Payload): Signal<Payload> {
  return { name, schema };
}
