/** From the normal form back to a document that compiles to it: how artifacts are checked, and definitions printed. */
import { isObject } from './canonical.js';
import type { Definition } from './ir.js';
import { NODE_KINDS } from './nodes/index.js';
import { restoreDuration } from './nodes/node-kind.js';
import type { Json, JsonObject } from './value.js';

/** The document of a definition, with everything written out that the normal form has. */
export function definitionToDocument(definition: Definition): JsonObject {
  // Plain data; interfaces lack the index signature that `JsonObject` asks for.
  return restoreDocument(definition as unknown as JsonObject);
}

/** The same for a value that may be anything: what is not as it should be stays, for the compiler to refuse. */
export function restoreDocument(definition: JsonObject): JsonObject {
  const { runTimeoutMs, searchAttributes, root, ...header } = definition;
  return {
    ...header,
    ...(typeof runTimeoutMs === 'number' ? { run_timeout: restoreDuration(runTimeoutMs) } : {}),
    ...(searchAttributes === undefined ? {} : { search_attributes: searchAttributes }),
    ...(isObject(root) ? restoreFields(root) : {}),
  };
}

function restoreRegion(region: Json | undefined): Json {
  return isObject(region) ? restoreFields(region) : (region ?? null);
}

function restoreFields(region: JsonObject): JsonObject {
  const { inputSchema, outputSchema, nodes, ...rest } = region;
  const restored = isObject(nodes)
    ? Object.fromEntries(Object.entries(nodes).map(([key, node]): [string, Json] => [key, restoreNode(node)]))
    : null;
  return { input_schema: inputSchema ?? null, output_schema: outputSchema ?? null, ...rest, nodes: restored };
}

function restoreNode(node: Json): Json {
  if (!isObject(node) || typeof node['kind'] !== 'string') return node;
  return NODE_KINDS.get(node['kind'])?.restore(node, restoreRegion) ?? node;
}
