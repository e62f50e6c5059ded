/**
 * A document as YAML: block style, fields in the order in which people write them, nodes in the order in which they run,
 * and nothing that the compiler could read as anything else.
 */
import { Document, isScalar, Scalar, visit, type Node as YamlNode } from 'yaml';
import { isArray, isObject } from './canonical.js';
import type { Json, JsonObject } from './value.js';

/** YAML that the compiler reads back as the same document. The document may be anything: nothing is checked here. */
export function printDocument(document: JsonObject): string {
  const yaml = new Document(orderDocument(document), { aliasDuplicateObjects: false, schema: 'core', merge: false });
  visit(yaml, {
    Scalar(_key, node) {
      quote(node);
    },
    Pair(_key, pair) {
      // Keys of a document made from plain data are nodes.
      quote(pair.key as YamlNode);
    },
  });
  return yaml.toString({ lineWidth: 0, blockQuote: false, flowCollectionPadding: false });
}

/** Line breaks and invisible characters are safe in double quotes only; a plain `<<` would be a merge key. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]|^<<$/u;

function quote(node: YamlNode): void {
  if (isScalar(node) && typeof node.value === 'string' && UNSAFE.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
}

// ---------------------------------------------------------------------------------------------------------- order

const REGION_FIELDS = ['input_schema', 'output_schema', 'start', 'nodes'];
const DOCUMENT_FIELDS = [
  ...['dsl', 'id', 'version', 'description', 'labels', 'input_schema', 'output_schema', 'run_timeout'],
  ...['search_attributes', 'signals', 'start', 'nodes', 'regions'],
];
const ENTRY_FIELDS = ['name', 'description', 'labels', 'when', 'input', 'body'];
const NODE_FIELDS = [
  ...['kind', 'description', 'labels', 'activity', 'signal', 'key', 'input', 'count', 'items', 'item_schema'],
  ...['max_items', 'max_concurrency', 'state', 'state_schema', 'condition', 'max_iterations', 'duration', 'at'],
  ...['timeout', 'consume_from', 'retry', 'compensation', 'output', 'error', 'cases', 'default', 'branches', 'body'],
  ...['next', 'on_timeout', 'on_error'],
];

function orderDocument(document: JsonObject): JsonObject {
  const { regions } = document;
  const ordered = orderRegion(document, DOCUMENT_FIELDS);
  return isObject(regions) ? { ...ordered, regions: mapMembers(regions, orderBody) } : ordered;
}

/** A body is a region, or the name of one. */
function orderBody(body: Json): Json {
  return isObject(body) ? orderRegion(body, REGION_FIELDS) : body;
}

function orderRegion(region: JsonObject, fields: readonly string[]): JsonObject {
  const { nodes } = region;
  const ordered = inOrder(region, fields);
  if (!isObject(nodes)) return ordered;
  const sorted = inOrder(nodes, keysInOrder(nodes, region['start']));
  return { ...ordered, nodes: mapMembers(sorted, orderNode) };
}

function orderNode(node: Json): Json {
  if (!isObject(node)) return node;
  const { body, default: fallback, cases, branches } = node;
  return inOrder(
    {
      ...node,
      ...(body === undefined ? {} : { body: orderBody(body) }),
      ...(fallback === undefined ? {} : { default: orderBody(fallback) }),
      ...(cases === undefined ? {} : { cases: orderEntries(cases) }),
      ...(branches === undefined ? {} : { branches: orderEntries(branches) }),
    },
    NODE_FIELDS,
  );
}

/** Cases of a choice, branches of a parallel. */
function orderEntries(entries: Json): Json {
  if (!isArray(entries)) return entries;
  return entries.map((entry) => {
    if (!isObject(entry)) return entry;
    const { body } = entry;
    return inOrder(body === undefined ? entry : { ...entry, body: orderBody(body) }, ENTRY_FIELDS);
  });
}

function inOrder(members: JsonObject, keys: Iterable<string>): JsonObject {
  const known = [...keys].filter((key) => Object.hasOwn(members, key));
  const rest = Object.keys(members).filter((key) => !known.includes(key));
  return Object.fromEntries([...known, ...rest].map((key) => [key, members[key] ?? null]));
}

function mapMembers(members: JsonObject, map: (member: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, map(member)]));
}

/**
 * Nodes so that each stands after all that lead to it, and what follows `next` stands before other ways: depth first with
 * `next` last, from the end. Iterative, since a chain may be long.
 */
function keysInOrder(nodes: JsonObject, start: Json | undefined): readonly string[] {
  const seen = new Set<string>();
  const finished: string[] = [];
  const stack: { readonly key: string; readonly targets: readonly string[]; next: number }[] = [];
  const enter = (key: Json | undefined): void => {
    if (typeof key !== 'string' || seen.has(key) || !Object.hasOwn(nodes, key)) return;
    seen.add(key);
    stack.push({ key, targets: targetsOf(nodes[key]), next: 0 });
  };
  enter(start);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const target = top.targets[top.next];
    top.next += 1;
    if (target !== undefined) enter(target);
    else {
      finished.push(top.key);
      stack.pop();
    }
  }
  return finished.reverse();
}

function targetsOf(node: Json | undefined): readonly string[] {
  if (!isObject(node)) return [];
  const { next, on_timeout: late, on_error: routes } = node;
  const failed =
    routes !== undefined && isArray(routes) ? routes.map((route) => (isObject(route) ? route['next'] : null)) : [];
  return [...failed.reverse(), late, next].filter((target) => typeof target === 'string');
}
