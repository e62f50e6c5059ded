/** What the regions of one document share while it is put together. */
import type { SchemaRef } from '../ir.js';
import { formatSchemaRef, sameSchema } from '../schema/schema-ref.js';
import type { Json, JsonObject } from '../value.js';
import { BuildError } from './build-error.js';
import type { DocumentFrame } from './origin.js';
import type { Signal } from './signal.js';
import type { AnySchema } from './witness.js';

export class DocumentDraft implements DocumentFrame {
  readonly #signals = new Map<string, SchemaRef>();
  readonly #regions = new Map<string, { readonly of: object; body: JsonObject | null }>();

  constructor(
    readonly title: string,
    readonly inputSchema: SchemaRef,
  ) {}

  /** Declares a signal. Throws `BuildError` when it was declared with another schema. */
  declareSignal({ name, schema }: Signal<AnySchema>): void {
    const before = this.#signals.get(name);
    if (before !== undefined && !sameSchema(before, schema.ref)) {
      const schemas = `${formatSchemaRef(before)} and ${formatSchemaRef(schema.ref)}`;
      throw new BuildError(`the signal "${name}" is declared twice, with ${schemas}`);
    }
    this.#signals.set(name, schema.ref);
  }

  /** Puts a reusable region into the document when it is used for the first time. */
  declareRegion(name: string, of: object, assemble: () => JsonObject): void {
    const before = this.#regions.get(name);
    if (before === undefined) {
      const region: { readonly of: object; body: JsonObject | null } = { of, body: null };
      this.#regions.set(name, region);
      region.body = assemble();
      return;
    }
    if (before.of !== of) throw new BuildError(`there are two reusable regions with the name "${name}"`);
    if (before.body === null) throw new BuildError(`the region "${name}" would be inside itself`);
  }

  /** The members of the document, without those that would be empty. */
  toJson(): JsonObject {
    const signals = [...this.#signals].map(([name, schema]): [string, Json] => [name, { schema }]);
    const regions = [...this.#regions].map(([name, { body }]): [string, Json] => [name, body]);
    return {
      ...(signals.length === 0 ? {} : { signals: Object.fromEntries(signals) }),
      ...(regions.length === 0 ? {} : { regions: Object.fromEntries(regions) }),
    };
  }
}
