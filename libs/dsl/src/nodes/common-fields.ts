/** Fields that several node kinds have. */
import { formatDuration } from '../duration.js';
import { ANNOTATIONS, optional, required, type FieldRule, type FieldTable } from '../fields.js';
import { POLICIES } from '../limits.js';
import { constantSyntax, SYNTAX } from '../syntax.js';

/** `kind` and the annotations, which every node has. */
export function nodeFields<const Own extends FieldTable>(
  kind: string,
  own: Own,
): { readonly kind: FieldRule } & Own & typeof ANNOTATIONS {
  return { kind: required(constantSyntax(kind), 'The kind of the node.'), ...own, ...ANNOTATIONS };
}

export const NEXT = required(SYNTAX.nodeKey, 'The node that follows.');

export const ON_ERROR = optional(
  SYNTAX.errorRoutes,
  'Where to go on when the node has failed with one of the given codes.',
);

export const ABOUT_TIMEOUT = `How long an attempt may take: ${formatDuration(POLICIES.attemptTimeoutMinMs)} to ${formatDuration(POLICIES.attemptTimeoutMaxMs)}.`;

export const INPUT = required(SYNTAX.binding, 'The input, evaluated in the region around the node.');
