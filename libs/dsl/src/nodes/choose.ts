/** `choose`: the first case whose condition holds, or the default. Bodies that are not chosen create nothing. */
import { checkCondition } from '../bindings/condition-typing.js';
import { normalizeCondition, readCondition } from '../bindings/condition.js';
import { normalizeBinding, readBinding } from '../bindings/parse.js';
import { checkBinding } from '../bindings/typing.js';
import { isArray, isObject } from '../canonical.js';
import type { CompileContext } from '../context.js';
import type { Fields, FieldTable } from '../fields.js';
import { ANNOTATIONS, required } from '../fields.js';
import { readAnnotation } from '../read-annotation.js';
import { SYNTAX } from '../syntax.js';
import type { Json } from '../value.js';
import { INPUT, NEXT, nodeFields, ON_ERROR } from './common-fields.js';
import { readNamedEntries } from './named-entries.js';
import {
  defineNodeKind,
  readEdge,
  sound,
  type FixedSchema,
  type NodePlace,
  type ParsedBody,
  type RegionFrame,
  type RestoreRegion,
} from './node-kind.js';
import { errorEdges, normalizeErrorRoutes, readErrorRoutes, restoreErrorRoutes } from './on-error.js';

export const CASE_FIELDS = {
  name: required(SYNTAX.name, 'Name of the case, unique in its node.'),
  when: required(SYNTAX.condition, 'Taken when this holds and no case before it was taken.'),
  body: required(SYNTAX.caseBody, 'What is done then.'),
  ...ANNOTATIONS,
} as const satisfies FieldTable;

export const choose = defineNodeKind({
  kind: 'choose',
  what: 'a choose node',
  about: 'Does one of several things.',
  fields: nodeFields('choose', {
    input: INPUT,
    cases: required(SYNTAX.cases, 'Checked in order; the first that holds is taken.'),
    default: required(SYNTAX.caseBody, 'What is done when no case holds.'),
    next: NEXT,
    on_error: ON_ERROR,
  }),
  parse(fields, place, context) {
    const input = fields.tree('input');
    const { cases, whole } = readCases(fields, place, context);
    const fallback = place.body(fields, 'default', '/default');
    const bodies = [
      ...cases.map(({ name, body }) => ({ by: `case "${name ?? ''}"`, body })),
      { by: '"default"', body: fallback },
    ];
    // A body that could not be read may have said what the others leave out.
    const readable = whole && bodies.every(({ body }) => body !== undefined);
    const schemas = {
      input: firstStated(bodies, 'input') ?? (readable ? null : UNKNOWN),
      output: firstStated(bodies, 'output') ?? (readable ? null : UNKNOWN),
    };
    // What none of them says is missing once, in the first.
    const others = { input: schemas.input ?? UNKNOWN, output: schemas.output ?? UNKNOWN };
    const settled = bodies.map(({ body }, index) => body?.settle(index === 0 ? schemas : others));
    return {
      input: input === undefined ? undefined : readBinding(input, context),
      schemas,
      cases: cases.map(({ name, when }, index) => ({ name, when, body: settled[index] })),
      fallback: settled.at(-1),
      next: readEdge(fields, 'next', 'output'),
      routes: readErrorRoutes(fields, context),
    };
  },
  edges: ({ next, routes }) => [next, ...errorEdges(routes)],
  output: ({ schemas }) => schemas.output?.ref,
  check({ input, schemas, cases, fallback }, scope) {
    if (input !== undefined) checkBinding(input, schemas.input?.ref, scope);
    const frame: RegionFrame = { ...scope.frame, isRoot: false };
    for (const { when, body } of cases) {
      if (when !== undefined) checkCondition(when, scope);
      body?.check(frame);
    }
    fallback?.check(frame);
  },
  normalize: ({ input, cases, fallback, next, routes }) => ({
    kind: 'choose',
    input: normalizeBinding(sound(input)),
    cases: cases.map(({ name, when, body }) => ({
      name: sound(name),
      when: normalizeCondition(sound(when)),
      body: sound(body).normalize(),
    })),
    default: sound(fallback).normalize(),
    next: sound(next).to,
    ...normalizeErrorRoutes(routes),
  }),
  restore({ cases, default: fallback, onError, ...node }, restoreRegion) {
    return {
      ...node,
      cases: restoreCases(cases, restoreRegion),
      default: restoreRegion(fallback),
      ...restoreErrorRoutes(onError),
    };
  },
});

const UNKNOWN: FixedSchema = { ref: undefined, by: '' };

function readCases(fields: Fields, place: NodePlace, context: CompileContext) {
  const { entries, whole } = readNamedEntries(fields, 'cases', CASE_FIELDS, 'a case');
  const cases = entries.map(({ entry, name, index }) => {
    const at = `/cases/${index}`;
    readAnnotation(entry, place.pointer + at, context);
    const when = entry.tree('when');
    return {
      name,
      when: when === undefined ? undefined : readCondition(when, context),
      body: place.body(entry, 'body', `${at}/body`),
    };
  });
  return { cases, whole };
}

/** All bodies share their schemas, so what the first says that says anything holds for the others. */
function firstStated(
  bodies: readonly { readonly by: string; readonly body: ParsedBody | undefined }[],
  which: 'input' | 'output',
): FixedSchema | null {
  for (const { by, body } of bodies) {
    const stated = body?.[which];
    if (stated !== undefined && stated !== null) return { ref: stated.ref, by: `that of the ${by}` };
  }
  return null;
}

function restoreCases(cases: Json | undefined, restoreRegion: RestoreRegion): Json {
  if (cases === undefined || !isArray(cases)) return cases ?? null;
  return cases.map((entry) => (isObject(entry) ? { ...entry, body: restoreRegion(entry['body']) } : entry));
}
