/** Every shape that stands under `$defs`, by its name. */
import { isArray, isObject } from '../canonical.js';
import { shapePointer, type ShapeName, type Syntax } from '../syntax.js';
import type { Json, JsonObject } from '../value.js';
import { BINDING, CONDITION, FORWARD_BINDING, OPERANDS, PROJECTION } from './bindings.js';
import { CONTRACTS, ERROR_CODES, RECONCILERS } from './catalog.js';
import { LABELS, SEARCH_ATTRIBUTES, SIGNALS } from './document.js';
import { JSON_SCHEMA, JSON_SCHEMAS } from './json-schema.js';
import * as nodes from './nodes.js';
import { BODY, CASE_BODY, FOREACH_BODY, LOOP_BODY, REGIONS } from './regions.js';
import * as words from './words.js';

/** What the tables name. */
const NAMED: Readonly<Record<ShapeName, Syntax>> = {
  name: words.NAME,
  nodeKey: words.NODE_KEY,
  version: words.VERSION,
  duration: words.DURATION,
  schemaRef: words.SCHEMA_REF,
  reference: words.REFERENCE,
  forwardReference: words.FORWARD_REFERENCE,
  pointer: words.POINTER,
  binding: BINDING,
  forwardBinding: FORWARD_BINDING,
  condition: CONDITION,
  operands: OPERANDS,
  projection: PROJECTION,
  activityRef: nodes.ACTIVITY_REF,
  retry: nodes.RETRY,
  backoff: nodes.BACKOFF,
  compensationRetry: nodes.COMPENSATION_RETRY,
  compensationBackoff: nodes.COMPENSATION_BACKOFF,
  compensation: nodes.COMPENSATION,
  errorRoutes: nodes.ERROR_ROUTES,
  failure: nodes.FAILURE,
  nodes: nodes.NODES,
  cases: nodes.CASES,
  branches: nodes.BRANCHES,
  body: BODY,
  caseBody: CASE_BODY,
  loopBody: LOOP_BODY,
  foreachBody: FOREACH_BODY,
  regions: REGIONS,
  signals: SIGNALS,
  searchAttributes: SEARCH_ATTRIBUTES,
  labels: LABELS,
  jsonSchemas: JSON_SCHEMAS,
  contracts: CONTRACTS,
  errorCodes: ERROR_CODES,
  reconcilers: RECONCILERS,
};

const SHAPES: JsonObject = { ...NAMED, ...nodes.NODE_SHAPES, jsonSchema: JSON_SCHEMA };

const PREFIX = shapePointer('');

/** The shapes that a schema refers to, those that they refer to, and so on, in the order of this file. */
export function shapesOf(schema: Syntax): JsonObject {
  const used = new Set<string>();
  const visit = (value: Json): void => {
    if (isArray(value)) value.forEach(visit);
    else if (isObject(value)) Object.values(value).forEach(visit);
    else if (typeof value === 'string' && value.startsWith(PREFIX)) use(value.slice(PREFIX.length));
  };
  const use = (name: string): void => {
    if (used.has(name)) return;
    used.add(name);
    const shape = SHAPES[name];
    if (shape === undefined) throw new Error(`The shape "${name}" has no definition`);
    visit(shape);
  };
  visit(schema);
  return Object.fromEntries(Object.entries(SHAPES).filter(([name]) => used.has(name)));
}
