/** What every part of one compilation shares. */
import type { Catalog } from './catalog/catalog.js';
import type { Reporter } from './diagnostic.js';
import type { SchemaShapes } from './schema/shape.js';

export interface CompileContext {
  readonly catalog: Catalog;
  readonly reporter: Reporter;
  /** Structural views of the catalog's schemas. */
  readonly shapes: SchemaShapes;
  /** Nodes of all regions so far. */
  nodeCount: number;
}
