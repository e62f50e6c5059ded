/** What every part of one compilation shares. */
import type { Annotation } from './annotations.js';
import type { Catalog } from './catalog/catalog.js';
import type { Reporter } from './diagnostic.js';
import type { Extension } from './extensions.js';
import type { SchemaRef } from './ir.js';
import type { NamedRegion } from './named-regions.js';
import { SchemaShapes } from './schema/shape.js';

export interface CompileContext {
  readonly catalog: Catalog;
  readonly reporter: Reporter;
  /** Structural views of the catalog's schemas. */
  readonly shapes: SchemaShapes;
  /** Nodes of all regions so far. */
  nodeCount: number;
  /** Signals that the document declares; the schema is undefined where it is broken. */
  readonly signals: Map<string, SchemaRef | undefined>;
  /** Regions that the document names, as they are written: each use reads its region anew. */
  readonly regions: Map<string, NamedRegion>;
  /** Which of the two could not be read: nothing is unknown for not being among them. */
  readonly unreadable: Set<'signals' | 'regions'>;
  /** Names among them that some body uses. */
  readonly usedRegions: Set<string>;
  /** Size of all regions that were put in the place of a name so far. */
  expandedBytes: number;
  /** What the document uses beyond the original language. */
  readonly extensions: Set<Extension>;
  /** Descriptions and labels by the pointer of what has them. */
  readonly annotations: Map<string, Annotation>;
}

export function createContext(catalog: Catalog, reporter: Reporter): CompileContext {
  return {
    catalog,
    reporter,
    shapes: new SchemaShapes(catalog.schemas),
    nodeCount: 0,
    signals: new Map(),
    regions: new Map(),
    unreadable: new Set(),
    usedRegions: new Set(),
    expandedBytes: 0,
    extensions: new Set(),
    annotations: new Map(),
  };
}
