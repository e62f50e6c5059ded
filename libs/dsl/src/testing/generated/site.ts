/** Where a node of a generated definition is written. */
import type { Region, SchemaRef } from '../../ir.js';
import type { Draft, Frame } from './draft.js';
import type { Picks } from './picks.js';
import type { Place } from './places.js';

export interface RegionSchemas {
  readonly input: SchemaRef;
  readonly output: SchemaRef;
}

export interface Site {
  readonly draft: Draft;
  readonly frame: Frame;
  readonly picks: Picks;
  /** What bindings can read. */
  readonly places: readonly Place[];
  /** The node that follows. */
  readonly next: string;
  /** How many bodies a container has at most. */
  readonly bodies: number;
  /** Writes the body that the choices have at `index`. */
  body(index: number, schemas: RegionSchemas, frame?: Partial<Frame>): Region;
}
