/** `activity`: one call of a worker's handler, with its timeout and retries. */
import { normalizeBinding, readBinding } from '../bindings/parse.js';
import { checkBinding } from '../bindings/typing.js';
import { contractIndex } from '../catalog/catalog.js';
import type { CompileContext } from '../context.js';
import { ANNOTATIONS, Fields } from '../fields.js';
import type { ActivityRef, Contract } from '../ir.js';
import { POLICIES } from '../limits.js';
import { versionedName } from '../names.js';
import { didYouMean } from '../suggest.js';
import { defineNodeKind, readEdge, restoreDuration, sound } from './node-kind.js';
import { checkRetry, readRetry, restoreRetry } from './retry.js';

export const activity = defineNodeKind({
  kind: 'activity',
  what: 'an activity node',
  fields: {
    kind: 'required',
    activity: 'required',
    input: 'required',
    next: 'required',
    timeout: 'optional',
    retry: 'optional',
    compensation: 'later',
    on_error: 'later',
    ...ANNOTATIONS,
  },
  parse(fields, context) {
    const input = fields.tree('input');
    const ref = readActivityRef(fields);
    return {
      ref,
      contract: ref === undefined ? undefined : findContract(ref, fields, context),
      input: input === undefined ? undefined : readBinding(input, context),
      timeoutMs:
        fields.durationMs('timeout', POLICIES.attemptTimeoutMinMs, POLICIES.attemptTimeoutMaxMs) ??
        POLICIES.forwardTimeoutMs,
      retry: readRetry(fields, { maxAttempts: POLICIES.forwardBudget, backoffCapMs: POLICIES.forwardBackoffCapMs }),
      next: readEdge(fields, 'next', true),
    };
  },
  edges: ({ next }) => [next],
  output: ({ contract }) => contract?.outputSchema,
  check({ contract, input, retry }, scope) {
    if (input !== undefined) checkBinding(input, contract?.inputSchema, scope);
    if (contract !== undefined) checkRetry(retry, contract, scope.context.reporter);
  },
  normalize: ({ ref, input, timeoutMs, retry, next }) => ({
    kind: 'activity',
    activity: sound(ref),
    input: normalizeBinding(sound(input)),
    timeoutMs,
    retry: retry.policy,
    next: sound(next).to,
  }),
  restore({ timeoutMs, retry, ...node }) {
    return { ...node, timeout: restoreDuration(timeoutMs), retry: restoreRetry(retry) };
  },
});

/** Reads `activity: {name, version}`; undefined after reporting. */
function readActivityRef(owner: Fields): ActivityRef | undefined {
  const found = owner.map('activity');
  if (found === undefined) return undefined;
  const place = { what: 'an activity reference', anchor: found.keySpan };
  const fields = new Fields(found.map, { name: 'required', version: 'required' }, place, owner.reporter);
  const name = fields.name('name');
  const version = fields.integer('version', 1, Number.MAX_SAFE_INTEGER);
  return name === undefined || version === undefined ? undefined : { name, version };
}

function findContract(ref: ActivityRef, fields: Fields, context: CompileContext): Contract | undefined {
  const contract = contractIndex(context.catalog).get(versionedName(ref.name, ref.version));
  if (contract !== undefined) return contract;
  const span = fields.tree('activity')?.span ?? fields.anchor;
  const message = `the catalog has no activity "${ref.name}" in version ${ref.version}`;
  context.reporter.error('GR1501', span, message, () => suggestActivity(ref, context));
  return undefined;
}

function suggestActivity(ref: ActivityRef, context: CompileContext): string | null {
  const { contracts } = context.catalog;
  const versions = contracts.filter(({ name }) => name === ref.name).map(({ version }) => version);
  if (versions.length > 0) return `its versions are ${versions.toSorted((a, b) => a - b).join(', ')}`;
  return didYouMean(ref.name, new Set(contracts.map(({ name }) => name)));
}
