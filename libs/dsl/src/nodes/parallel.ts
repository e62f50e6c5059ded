/** `parallel`: several bodies at once; their outputs as a tuple, in the order of the branches. */
import { normalizeBinding, readBinding } from '../bindings/parse.js';
import { checkBinding } from '../bindings/typing.js';
import { isArray, isObject } from '../canonical.js';
import { ANNOTATIONS, required, type FieldTable } from '../fields.js';
import type { SchemaRef } from '../ir.js';
import { LIMITS } from '../limits.js';
import { readAnnotation } from '../read-annotation.js';
import { SYNTAX } from '../syntax.js';
import type { Json } from '../value.js';
import { INPUT, NEXT, nodeFields, ON_ERROR } from './common-fields.js';
import { readNamedEntries } from './named-entries.js';
import { defineNodeKind, readEdge, sound, type RestoreRegion } from './node-kind.js';
import { errorEdges, normalizeErrorRoutes, readErrorRoutes, restoreErrorRoutes } from './on-error.js';

export const BRANCH_FIELDS = {
  name: required(SYNTAX.name, 'Name of the branch, unique in its node.'),
  input: INPUT,
  body: required(SYNTAX.body, 'What the branch does.'),
  ...ANNOTATIONS,
} as const satisfies FieldTable;

export const parallel = defineNodeKind({
  kind: 'parallel',
  what: 'a parallel node',
  about: 'Does several things at once and waits for all of them.',
  fields: nodeFields('parallel', {
    branches: required(SYNTAX.branches, `1 to ${LIMITS.parallelBranches} branches.`),
    next: NEXT,
    on_error: ON_ERROR,
  }),
  parse(fields, place, context) {
    const { entries, whole } = readNamedEntries(fields, 'branches', BRANCH_FIELDS, 'a branch', LIMITS.parallelBranches);
    const branches = entries.map(({ entry, name, index }) => {
      const at = `/branches/${index}`;
      readAnnotation(entry, place.pointer + at, context);
      const input = entry.tree('input');
      return {
        name,
        input: input === undefined ? undefined : readBinding(input, context),
        body: place.body(entry, 'body', `${at}/body`)?.settle({}),
      };
    });
    return {
      branches,
      whole,
      next: readEdge(fields, 'next', 'output'),
      routes: readErrorRoutes(fields, context),
    };
  },
  edges: ({ next, routes }) => [next, ...errorEdges(routes)],
  output({ branches, whole }) {
    const outputs: SchemaRef[] = [];
    for (const { body } of branches) if (body?.outputSchema !== undefined) outputs.push(body.outputSchema);
    return whole && outputs.length === branches.length ? { tuple: outputs } : undefined;
  },
  check({ branches }, scope) {
    for (const { input, body } of branches) {
      if (input !== undefined) checkBinding(input, body?.inputSchema, scope);
      body?.check({ ...scope.frame, isRoot: false });
    }
  },
  normalize: ({ branches, next, routes }) => ({
    kind: 'parallel',
    branches: branches.map(({ name, input, body }) => ({
      name: sound(name),
      input: normalizeBinding(sound(input)),
      body: sound(body).normalize(),
    })),
    next: sound(next).to,
    ...normalizeErrorRoutes(routes),
  }),
  restore({ branches, onError, ...node }, restoreRegion) {
    return { ...node, branches: restoreBranches(branches, restoreRegion), ...restoreErrorRoutes(onError) };
  },
});

function restoreBranches(branches: Json | undefined, restoreRegion: RestoreRegion): Json {
  if (branches === undefined || !isArray(branches)) return branches ?? null;
  return branches.map((entry) => (isObject(entry) ? { ...entry, body: restoreRegion(entry['body']) } : entry));
}
