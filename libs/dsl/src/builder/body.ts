/** Bodies of containers: regions put together in place, or reusable ones by name. */
import type { SchemaRef } from '../ir.js';
import type { JsonObject } from '../value.js';
import { RegionDraft } from './draft.js';
import type { ItemFrame, LoopFrame } from './origin.js';
import { assembleRegion } from './path-builder.js';
import { definitionOf, type AssembleBody, type ReusableDefinition } from './reusable.js';
import { itemValues, loopValues, scopeInput, workflowInput } from './values.js';

/** What a container says about one of its bodies. */
export interface BodyPlace {
  /** As messages name the body: `the body of "book"`, `the case "big" of "route"`. */
  readonly title: string;
  /** As messages name the container: `"book"`. */
  readonly user: string;
  readonly inputSchema: SchemaRef;
  readonly outputSchema: SchemaRef;
  /** Set by loops and foreach; other containers hand down what is around them. */
  readonly loop?: LoopFrame;
  readonly item?: ItemFrame;
}

/** The body as the document says it. `around` is what its callback gets beside the region: loop or item. */
export function bodyToJson(parent: RegionDraft, body: unknown, place: BodyPlace, around?: unknown): JsonObject {
  const { document } = parent;
  const { title, inputSchema, outputSchema, loop = parent.loop, item = parent.item } = place;
  // A container's type says what a body is: a reusable region, or a callback.
  const definition = definitionOf(body as object);
  if (definition === undefined) {
    const region = new RegionDraft({ title, document, inputSchema, outputSchema, loop, item });
    return assembleRegion(region, scopeInput(region), body as AssembleBody, around);
  }
  definition.requireNeeds(place.user, document, loop, item);
  document.declareRegion(definition.name, definition, () => definitionToJson(definition, parent));
  return { use: definition.name };
}

function definitionToJson(definition: ReusableDefinition, { document }: RegionDraft): JsonObject {
  const { title, inputSchema, outputSchema, loop, item, needs } = definition;
  const around = {
    ...(needs.workflow === undefined ? {} : { workflow: { input: workflowInput(document) } }),
    ...(loop === null ? {} : { loop: loopValues(loop) }),
    ...(item === null ? {} : { item: itemValues(item) }),
  };
  const region = new RegionDraft({ title, document, inputSchema, outputSchema, loop, item });
  return assembleRegion(region, scopeInput(region), definition.assemble, around);
}
