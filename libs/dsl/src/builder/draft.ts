/** A region while it is put together: its nodes, and the ways through it that lead nowhere yet. */
import type { SchemaRef } from '../ir.js';
import { isNodeKey } from '../names.js';
import type { Json, JsonObject } from '../value.js';
import { BuildError } from './build-error.js';
import type { DocumentDraft } from './document-draft.js';
import type { Fact, ItemFrame, LoopFrame, RegionFrame } from './origin.js';

/** A node without what it leads to, as the document says it. */
export class NodeDraft {
  fields: JsonObject = {};
  next: string | null = null;
  onTimeout: string | null = null;
  readonly onError: { readonly codes: Json; next: string | null }[] = [];

  toJson(): JsonObject {
    const { fields, next, onTimeout, onError } = this;
    return {
      ...fields,
      ...(next === null ? {} : { next }),
      ...(onTimeout === null ? {} : { on_timeout: onTimeout }),
      ...(onError.length === 0 ? {} : { on_error: onError.map((route) => ({ ...route })) }),
    };
  }
}

/** A way on that has no target yet. */
export interface OpenEdge {
  /** Where it comes from, for messages: `after "charge"`. */
  readonly from: string;
  /** What is certain on it. */
  readonly facts: ReadonlySet<Fact>;
  leadTo(key: string): void;
}

export interface RegionSurroundings {
  /** As a message names the region: `the body of "book"`. */
  readonly title: string;
  readonly document: DocumentDraft;
  readonly inputSchema: SchemaRef;
  readonly outputSchema: SchemaRef;
  readonly loop: LoopFrame | null;
  readonly item: ItemFrame | null;
}

export class RegionDraft implements RegionFrame {
  readonly title: string;
  readonly document: DocumentDraft;
  readonly loop: LoopFrame | null;
  readonly item: ItemFrame | null;
  readonly #surroundings: RegionSurroundings;
  readonly #nodes = new Map<string, NodeDraft>();
  readonly #open = new Set<OpenEdge>();
  #start: string | null = null;

  constructor(surroundings: RegionSurroundings) {
    const { title, document, loop, item } = surroundings;
    this.title = title;
    this.document = document;
    this.loop = loop;
    this.item = item;
    this.#surroundings = surroundings;
  }

  /** The way into the region. */
  entry(): OpenEdge {
    return this.edge('at the start', new Set(), (key) => {
      this.#start = key;
    });
  }

  /** A way on, which must lead somewhere before the region is done. */
  edge(from: string, facts: ReadonlySet<Fact>, leadTo: (key: string) => void): OpenEdge {
    const edge: OpenEdge = {
      from,
      facts,
      leadTo: (key) => {
        this.#open.delete(edge);
        leadTo(key);
      },
    };
    this.#open.add(edge);
    return edge;
  }

  /** A new node. Throws `BuildError` for a key that is none or is taken. */
  add(key: string): NodeDraft {
    if (!isNodeKey(key)) {
      const rule = 'a lower-case letter, then lower-case letters, digits and "_", at most 64';
      throw new BuildError(`"${key}" is not a node key: ${rule}`);
    }
    if (this.#nodes.has(key)) throw new BuildError(`the key "${key}" is used twice in ${this.title}`);
    const node = new NodeDraft();
    this.#nodes.set(key, node);
    return node;
  }

  /** The region as the document says it. Throws `BuildError` when a way through it leads nowhere. */
  toJson(): JsonObject {
    if (this.#open.size > 0 || this.#start === null) throw new BuildError(this.unfinished([...this.#open]));
    return {
      input_schema: this.#surroundings.inputSchema,
      output_schema: this.#surroundings.outputSchema,
      start: this.#start,
      nodes: Object.fromEntries([...this.#nodes].map(([key, node]) => [key, node.toJson()])),
    };
  }

  /** What to say about ways that lead nowhere. `opener` is the node that opened the path they are on. */
  unfinished(edges: readonly OpenEdge[], opener: string | null = null): string {
    const ends = opener === null ? 'complete or fail' : 'complete, fail or goTo';
    const joins = opener === null ? '' : `, or return join() to go on after "${opener}"`;
    const from = [...new Set(edges.map((edge) => edge.from))].join(' and ');
    return `the path ${from} is unfinished in ${this.title}: end it with ${ends}${joins}`;
  }
}
