/** Nodes and what belongs to them. */
import { required, type FieldRule, type FieldTable } from '../fields.js';
import { LIMITS } from '../limits.js';
import { ACTIVITY_REF_FIELDS } from '../nodes/activity-ref.js';
import { CASE_FIELDS } from '../nodes/choose.js';
import { COMPENSATION_FIELDS } from '../nodes/compensation.js';
import { FAILURE_FIELDS } from '../nodes/fail.js';
import { NODE_KINDS } from '../nodes/index.js';
import type { NodeKind } from '../nodes/node-kind.js';
import { ERROR_ROUTE_FIELDS } from '../nodes/on-error.js';
import { BRANCH_FIELDS } from '../nodes/parallel.js';
import {
  BACKOFF_FIELDS,
  COMPENSATION_BACKOFF_FIELDS,
  COMPENSATION_RETRY_FIELDS,
  RETRY_FIELDS,
} from '../nodes/retry.js';
import { constantSyntax, listSyntax, shapeSyntax, SYNTAX, type Syntax } from '../syntax.js';
import { byKind } from './alternatives.js';
import { dictionarySchema, mapSchema } from './table.js';

const KINDS = [...NODE_KINDS.values()];

/** The name of a kind's shape: `doWhileNode`. */
export function nodeShapeName(kind: string): string {
  return `${kind.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())}Node`;
}

/** Every kind of node by the name of its shape. */
export const NODE_SHAPES: Readonly<Record<string, Syntax>> = Object.fromEntries(
  KINDS.map((kind) => [nodeShapeName(kind.kind), nodeOfKind(kind)]),
);

function nodeOfKind({ kind, what, about, fields, constraint }: NodeKind): Syntax {
  const described = { ...fields, kind: required(constantSyntax(kind), about) };
  return {
    // Without its article: `activity node`.
    title: what.replace(/^an? /, ''),
    description: about,
    markdownDescription: `${about}\n\n${overview(fields)}`,
    ...mapSchema(described),
    ...constraint,
  };
}

/** The fields of a kind at a glance, for whoever points at a node. */
function overview(fields: FieldTable): string {
  const listed = (use: FieldRule['use']): string =>
    Object.keys(fields)
      .filter((field) => field !== 'kind' && fields[field]?.use === use)
      .map((field) => `\`${field}\``)
      .join(', ');
  return `Needs ${listed('required')}; takes ${listed('optional')}.`;
}

export const NODE: Syntax = {
  title: 'node',
  ...byKind(
    KINDS.map(({ kind, about }) => ({ kind, about, schema: shapeSyntax(nodeShapeName(kind)) })),
    'The kind of the node.',
  ),
};

export const NODES: Syntax = {
  title: 'nodes',
  ...dictionarySchema(SYNTAX.nodeKey, NODE),
  minProperties: 1,
  maxProperties: LIMITS.nodesPerDefinition,
};

export const ACTIVITY_REF: Syntax = { title: 'activity', ...mapSchema(ACTIVITY_REF_FIELDS) };
export const RETRY: Syntax = { title: 'retry', ...mapSchema(RETRY_FIELDS) };
export const BACKOFF: Syntax = { title: 'backoff', ...mapSchema(BACKOFF_FIELDS) };
export const COMPENSATION_RETRY: Syntax = { title: 'retry', ...mapSchema(COMPENSATION_RETRY_FIELDS) };
export const COMPENSATION_BACKOFF: Syntax = { title: 'backoff', ...mapSchema(COMPENSATION_BACKOFF_FIELDS) };
export const FAILURE: Syntax = { title: 'error', ...mapSchema(FAILURE_FIELDS) };

export const COMPENSATION: Syntax = {
  title: 'compensation',
  ...byKind(
    Object.entries(COMPENSATION_FIELDS).map(([kind, table]) => ({
      kind,
      about: table.kind.about,
      schema: mapSchema(table),
    })),
    'Whether the effect can be undone.',
  ),
};

export const ERROR_ROUTES: Syntax = { title: 'error routes', ...listSyntax(mapSchema(ERROR_ROUTE_FIELDS)) };
export const CASES: Syntax = { title: 'cases', ...listSyntax(mapSchema(CASE_FIELDS)) };
export const BRANCHES: Syntax = { title: 'branches', ...listSyntax(mapSchema(BRANCH_FIELDS), LIMITS.parallelBranches) };
