/** `activity`: one call of a worker's handler, with its timeout, its retries and, inside sagas, its compensation. */
import { normalizeBinding, readBinding } from '../bindings/parse.js';
import { checkBinding } from '../bindings/typing.js';
import { formatDuration } from '../duration.js';
import { optional, required } from '../fields.js';
import { POLICIES } from '../limits.js';
import { SYNTAX, withDefault } from '../syntax.js';
import { readActivity } from './activity-ref.js';
import { ABOUT_TIMEOUT, NEXT, nodeFields, ON_ERROR } from './common-fields.js';
import { checkCompensation, normalizeCompensation, readCompensation, restoreCompensation } from './compensation.js';
import { defineNodeKind, readEdge, restoreDuration, sound } from './node-kind.js';
import { errorEdges, normalizeErrorRoutes, readErrorRoutes, restoreErrorRoutes } from './on-error.js';
import { checkRetry, FORWARD_RETRY, readRetry, restoreRetry } from './retry.js';

export const activity = defineNodeKind({
  kind: 'activity',
  what: 'an activity node',
  about: 'Calls a handler of a worker.',
  fields: nodeFields('activity', {
    activity: required(SYNTAX.activityRef, 'The activity of the catalog.'),
    input: required(SYNTAX.binding, 'The input; it must fit the contract.'),
    next: NEXT,
    timeout: optional(withDefault(SYNTAX.duration, formatDuration(POLICIES.forwardTimeoutMs)), ABOUT_TIMEOUT),
    retry: optional(SYNTAX.retry, 'When it is tried again.'),
    compensation: optional(SYNTAX.compensation, 'How the effect is undone; inside sagas only.'),
    on_error: ON_ERROR,
  }),
  parse(fields, _place, context) {
    const input = fields.tree('input');
    return {
      ...readActivity(fields, context),
      input: input === undefined ? undefined : readBinding(input, context),
      timeoutMs:
        fields.durationMs('timeout', POLICIES.attemptTimeoutMinMs, POLICIES.attemptTimeoutMaxMs) ??
        POLICIES.forwardTimeoutMs,
      retry: readRetry(fields, FORWARD_RETRY),
      compensation: readCompensation(fields, context),
      next: readEdge(fields, 'next', 'output'),
      routes: readErrorRoutes(fields, context),
    };
  },
  edges: ({ next, routes }) => [next, ...errorEdges(routes)],
  output: ({ contract }) => contract?.outputSchema,
  check({ contract, input, retry, compensation }, scope) {
    if (input !== undefined) checkBinding(input, contract?.inputSchema, scope);
    if (contract !== undefined) checkRetry(retry, contract, scope.context.reporter);
    checkCompensation(compensation, contract, scope);
  },
  normalize: ({ ref, input, timeoutMs, retry, compensation, next, routes }) => ({
    kind: 'activity',
    activity: sound(ref),
    input: normalizeBinding(sound(input)),
    timeoutMs,
    retry: retry.policy,
    ...(compensation === null ? {} : { compensation: normalizeCompensation(compensation) }),
    next: sound(next).to,
    ...normalizeErrorRoutes(routes),
  }),
  restore({ timeoutMs, retry, compensation, onError, ...node }) {
    return {
      ...node,
      timeout: restoreDuration(timeoutMs),
      retry: restoreRetry(retry),
      ...(compensation === undefined ? {} : { compensation: restoreCompensation(compensation) }),
      ...restoreErrorRoutes(onError),
    };
  },
});
