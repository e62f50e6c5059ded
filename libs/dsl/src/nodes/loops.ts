/** `while`, `do_while` and `repeat`: a body whose output is the input of the next iteration. */
import { checkCondition } from '../bindings/condition-typing.js';
import { normalizeCondition, readCondition, type ParsedCondition } from '../bindings/condition.js';
import { normalizeBinding, readBinding, type ParsedBinding } from '../bindings/parse.js';
import { checkBinding } from '../bindings/typing.js';
import type { CompileContext } from '../context.js';
import { required, type Fields } from '../fields.js';
import type { Node, SchemaRef } from '../ir.js';
import { LIMITS } from '../limits.js';
import { readSchemaRef } from '../schema/schema-ref.js';
import { integerSyntax, SYNTAX } from '../syntax.js';
import type { JsonObject } from '../value.js';
import { NEXT, nodeFields, ON_ERROR } from './common-fields.js';
import {
  defineNodeKind,
  readEdge,
  sound,
  type Edge,
  type NodeKind,
  type NodePlace,
  type NodeScope,
  type RegionFrame,
  type RestoreRegion,
  type SettledBody,
} from './node-kind.js';
import {
  errorEdges,
  normalizeErrorRoutes,
  readErrorRoutes,
  restoreErrorRoutes,
  type ParsedErrorRoute,
} from './on-error.js';
import { checkIntegerLiteral } from './written-values.js';

const LOOP_FIELDS = {
  state: required(SYNTAX.binding, 'The first carry, evaluated in the region around the node.'),
  state_schema: required(SYNTAX.schemaRef, 'Schema of the carry: input and output of the body.'),
  max_iterations: required(
    integerSyntax(1, LIMITS.loopIterations),
    'No more iterations than this; a loop that wants more fails with LoopLimitExceeded.',
  ),
  body: required(SYNTAX.loopBody, 'One iteration: its input is the carry, its output the next carry.'),
  next: NEXT,
  on_error: ON_ERROR,
} as const;

interface ParsedLoop {
  readonly state: ParsedBinding | undefined;
  readonly stateSchema: SchemaRef | undefined;
  readonly maxIterations: number | undefined;
  readonly body: SettledBody | undefined;
  readonly next: Edge | undefined;
  readonly routes: readonly ParsedErrorRoute[];
}

function readLoop(fields: Fields, place: NodePlace, context: CompileContext): ParsedLoop {
  const state = fields.tree('state');
  const stateTree = fields.tree('state_schema');
  const stateSchema = stateTree === undefined ? undefined : readSchemaRef(stateTree, context);
  const fixed = { ref: stateSchema, by: 'the state_schema' };
  return {
    state: state === undefined ? undefined : readBinding(state, context),
    stateSchema,
    maxIterations: fields.integer('max_iterations', 1, LIMITS.loopIterations),
    body: place.body(fields, 'body', '/body')?.settle({ input: fixed, output: fixed }),
    next: readEdge(fields, 'next', 'output'),
    routes: readErrorRoutes(fields, context),
  };
}

function checkLoop(loop: ParsedLoop, scope: NodeScope): void {
  if (loop.state !== undefined) checkBinding(loop.state, loop.stateSchema, scope);
  loop.body?.check(insideOf(loop, scope));
}

/** Inside the loop `loop.*` is this loop's, which hides that of a loop around it. */
function insideOf({ stateSchema }: ParsedLoop, scope: NodeScope): RegionFrame {
  return { ...scope.frame, loopState: stateSchema, isRoot: false };
}

function normalizeLoop({ state, stateSchema, maxIterations, body, next, routes }: ParsedLoop) {
  return {
    state: normalizeBinding(sound(state)),
    stateSchema: sound(stateSchema),
    maxIterations: sound(maxIterations),
    body: sound(body).normalize(),
    next: sound(next).to,
    ...normalizeErrorRoutes(routes),
  };
}

function restoreLoop(
  { stateSchema, maxIterations, body, onError, ...node }: JsonObject,
  restoreRegion: RestoreRegion,
): JsonObject {
  return {
    ...node,
    state_schema: stateSchema ?? null,
    max_iterations: maxIterations ?? null,
    body: restoreRegion(body),
    ...restoreErrorRoutes(onError),
  };
}

/** A loop that goes on while a condition holds. The condition sees `loop.*` of this loop, not of one around it. */
function conditional<Kind extends 'while' | 'do_while'>(
  kind: Kind,
  about: string,
  normalize: (loop: ReturnType<typeof normalizeLoop>, condition: ParsedCondition) => Extract<Node, { kind: Kind }>,
): NodeKind {
  return defineNodeKind<Kind, ParsedLoop & { readonly condition: ParsedCondition | undefined }>({
    kind,
    what: `a ${kind} node`,
    about,
    fields: nodeFields(kind, {
      ...LOOP_FIELDS,
      condition: required(
        SYNTAX.condition,
        'Another iteration follows while this holds; loop.state is the carry, loop.index the iterations done.',
      ),
    }),
    parse(fields, place, context) {
      const condition = fields.tree('condition');
      return {
        ...readLoop(fields, place, context),
        condition: condition === undefined ? undefined : readCondition(condition, context),
      };
    },
    edges: ({ next, routes }) => [next, ...errorEdges(routes)],
    output: ({ stateSchema }) => stateSchema,
    check(loop, scope) {
      checkLoop(loop, scope);
      if (loop.condition !== undefined) checkCondition(loop.condition, scope.within(insideOf(loop, scope)));
    },
    normalize: (loop) => normalize(normalizeLoop(loop), sound(loop.condition)),
    restore: restoreLoop,
  });
}

export const whileLoop = conditional(
  'while',
  'Repeats a body while a condition holds; checks first.',
  (loop, condition) => ({
    kind: 'while',
    ...loop,
    condition: normalizeCondition(condition),
  }),
);

export const doWhileLoop = conditional(
  'do_while',
  'Repeats a body while a condition holds; checks after each iteration.',
  (loop, condition) => ({ kind: 'do_while', ...loop, condition: normalizeCondition(condition) }),
);

export const repeatLoop = defineNodeKind({
  kind: 'repeat',
  what: 'a repeat node',
  about: 'Repeats a body a number of times.',
  fields: nodeFields('repeat', {
    ...LOOP_FIELDS,
    count: required(SYNTAX.binding, 'How often: an integer from 0 to max_iterations, read once.'),
  }),
  parse(fields, place, context) {
    const count = fields.tree('count');
    return {
      ...readLoop(fields, place, context),
      count: count === undefined ? undefined : readBinding(count, context),
    };
  },
  edges: ({ next, routes }) => [next, ...errorEdges(routes)],
  output: ({ stateSchema }) => stateSchema,
  check(loop, scope) {
    checkLoop(loop, scope);
    if (loop.count === undefined) return;
    checkBinding(loop.count, 'integer/v1', scope);
    checkIntegerLiteral(
      loop.count,
      { what: '"count"', min: 0, max: loop.maxIterations ?? LIMITS.loopIterations },
      scope.context.reporter,
    );
  },
  normalize: (loop) => ({ kind: 'repeat', ...normalizeLoop(loop), count: normalizeBinding(sound(loop.count)) }),
  restore: restoreLoop,
});
