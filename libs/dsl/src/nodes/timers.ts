/** `delay` and `wait_until`: waiting for time to pass, or for a moment. */
import { normalizeBinding, readBinding, type ParsedBinding } from '../bindings/parse.js';
import { checkBinding } from '../bindings/typing.js';
import type { CompileContext } from '../context.js';
import { required, type Fields } from '../fields.js';
import type { Binding } from '../ir.js';
import { POLICIES } from '../limits.js';
import type { Tree } from '../source/tree.js';
import { SYNTAX } from '../syntax.js';
import { NEXT, nodeFields } from './common-fields.js';
import { defineNodeKind, readEdge, sound } from './node-kind.js';
import { checkIntegerLiteral } from './written-values.js';

export const delay = defineNodeKind({
  kind: 'delay',
  what: 'a delay node',
  about: 'Waits for some time.',
  fields: nodeFields('delay', {
    duration: required(
      { type: ['string', 'object'], oneOf: [SYNTAX.binding, SYNTAX.duration] },
      'How long: a duration as in "30s", or a binding to milliseconds, a positive integer.',
    ),
    next: NEXT,
  }),
  parse: (fields, _place, context) => ({
    duration: readDuration(fields, context),
    next: readEdge(fields, 'next', 'output'),
  }),
  edges: ({ next }) => [next],
  output: () => null,
  check({ duration }, scope) {
    if (duration === undefined || 'durationMs' in duration) return;
    checkBinding(duration, 'integer/v1', scope);
    checkIntegerLiteral(
      duration,
      { what: '"duration" in milliseconds', min: 1, max: POLICIES.waitMaxMs },
      scope.context.reporter,
    );
  },
  normalize: ({ duration, next }) => ({
    kind: 'delay',
    duration: normalizeDuration(sound(duration)),
    next: sound(next).to,
  }),
  restore: (node) => node,
});

/** A duration that is written out, in milliseconds, or a binding to one. */
type ParsedDuration = { readonly durationMs: number } | ParsedBinding;

function readDuration(fields: Fields, context: CompileContext): ParsedDuration | undefined {
  const tree = fields.tree('duration');
  if (tree === undefined) return undefined;
  const text = tree.kind === 'map' ? onlyLiteral(tree) : tree.kind === 'scalar' ? tree : undefined;
  if (text === undefined) return readBinding(tree, context);
  const durationMs = fields.durationOf(text, 'duration', 1, POLICIES.waitMaxMs);
  return durationMs === undefined ? undefined : { durationMs };
}

/** The text of `{literal: "30s"}`, which means the same as the text alone. */
function onlyLiteral(tree: Extract<Tree, { kind: 'map' }>): Tree | undefined {
  const literal = tree.members.size === 1 ? tree.members.get('literal')?.value : undefined;
  return literal?.kind === 'scalar' && typeof literal.value === 'string' ? literal : undefined;
}

function normalizeDuration(duration: ParsedDuration): Binding {
  return 'durationMs' in duration ? { literal: duration.durationMs } : normalizeBinding(duration);
}

export const waitUntil = defineNodeKind({
  kind: 'wait_until',
  what: 'a wait_until node',
  about: 'Waits for a moment; one that has passed is there at once.',
  fields: nodeFields('wait_until', {
    at: required(SYNTAX.binding, 'The moment, as UTC milliseconds.'),
    next: NEXT,
  }),
  parse(fields, _place, context) {
    const at = fields.tree('at');
    return { at: at === undefined ? undefined : readBinding(at, context), next: readEdge(fields, 'next', 'output') };
  },
  edges: ({ next }) => [next],
  output: () => null,
  check({ at }, scope) {
    if (at === undefined) return;
    checkBinding(at, 'integer/v1', scope);
    checkIntegerLiteral(
      at,
      { what: '"at" in UTC milliseconds', min: 0, max: Number.MAX_SAFE_INTEGER },
      scope.context.reporter,
    );
  },
  normalize: ({ at, next }) => ({ kind: 'wait_until', at: normalizeBinding(sound(at)), next: sound(next).to }),
  restore: (node) => node,
});
