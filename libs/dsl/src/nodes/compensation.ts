/** `compensation` of an activity inside a saga: how its effect is undone, or that it cannot be (spec 01 "Nodes"). */
import { normalizeBinding, readBinding, type ParsedBinding } from '../bindings/parse.js';
import type { ParsedReference } from '../bindings/reference.js';
import { checkBinding, type BindingScope, type Typed } from '../bindings/typing.js';
import { isObject } from '../canonical.js';
import type { CompileContext } from '../context.js';
import { formatDuration } from '../duration.js';
import { Fields, optional, required, shorten, type FieldTable } from '../fields.js';
import type { ActivityRef, Compensation, Contract } from '../ir.js';
import { LIMITS, POLICIES } from '../limits.js';
import { describeTree, type Span } from '../source/tree.js';
import { didYouMean } from '../suggest.js';
import { constantSyntax, SYNTAX, textSyntax, withDefault } from '../syntax.js';
import type { Json } from '../value.js';
import { readActivity } from './activity-ref.js';
import { ABOUT_TIMEOUT } from './common-fields.js';
import { restoreDuration, sound, type NodeScope } from './node-kind.js';
import { checkRetry, COMPENSATION_RETRY, readRetry, restoreRetry, type ParsedRetry } from './retry.js';

/** The two kinds of compensation, each with its fields. */
export const COMPENSATION_FIELDS = {
  activity: {
    kind: required(constantSyntax('activity'), 'Another activity undoes the effect.'),
    activity: required(SYNTAX.activityRef, 'The activity that undoes the effect.'),
    input: required(SYNTAX.forwardBinding, 'Its input, from forward.input, forward.output and literals only.'),
    timeout: optional(withDefault(SYNTAX.duration, formatDuration(POLICIES.compensationTimeoutMs)), ABOUT_TIMEOUT),
    retry: optional(SYNTAX.compensationRetry, 'When it is tried again.'),
  },
  irreversible: {
    kind: required(constantSyntax('irreversible'), 'The effect cannot be undone.'),
    reason: required(textSyntax(LIMITS.errorMessageBytes), 'Why; the outcome of a failed run shows it.'),
  },
} as const satisfies Readonly<Record<Compensation['kind'], FieldTable>>;

const KINDS = Object.keys(COMPENSATION_FIELDS) as readonly Compensation['kind'][];

export type ParsedCompensation =
  | {
      readonly kind: 'activity';
      readonly keySpan: Span;
      readonly ref: ActivityRef | undefined;
      readonly contract: Contract | undefined;
      readonly input: ParsedBinding | undefined;
      readonly timeoutMs: number;
      readonly retry: ParsedRetry;
    }
  | { readonly kind: 'irreversible'; readonly keySpan: Span; readonly reason: string | undefined }
  /** Complained about already. */
  | { readonly kind: 'broken'; readonly keySpan: Span };

/** Reads the field, null when the node has none. */
export function readCompensation(owner: Fields, context: CompileContext): ParsedCompensation | null {
  const member = owner.get('compensation');
  if (member === undefined) return null;
  const { keySpan } = member;
  const broken: ParsedCompensation = { kind: 'broken', keySpan };
  const found = owner.map('compensation');
  if (found === undefined) return broken;
  const { reporter } = context;
  const kindTree = found.map.members.get('kind')?.value;
  const kind = KINDS.find((candidate) => kindTree?.kind === 'scalar' && kindTree.value === candidate);
  if (kind === undefined) {
    if (kindTree === undefined) reporter.error('GR1102', keySpan, 'a compensation needs the field "kind"');
    else if (kindTree.kind !== 'broken') {
      const shown = kindTree.kind === 'scalar' ? `"${shorten(String(kindTree.value))}"` : describeTree(kindTree);
      const message = `the kind of a compensation is "activity" or "irreversible"; this is ${shown}`;
      reporter.error('GR1110', kindTree.span, message, didYouMean(shown.slice(1, -1), KINDS));
    }
    return broken;
  }
  const place = { what: `a compensation of the kind "${kind}"`, anchor: keySpan, elsewhere: otherKind(kind) };
  const fields = new Fields(found.map, COMPENSATION_FIELDS[kind], place, reporter);
  if (kind === 'irreversible') return { kind, keySpan, reason: fields.text('reason', LIMITS.errorMessageBytes) };
  const input = fields.tree('input');
  const { ref, contract } = readActivity(fields, context);
  return {
    kind,
    keySpan,
    ref,
    contract,
    input: input === undefined ? undefined : readBinding(input, context),
    timeoutMs:
      fields.durationMs('timeout', POLICIES.attemptTimeoutMinMs, POLICIES.attemptTimeoutMaxMs) ??
      POLICIES.compensationTimeoutMs,
    retry: readRetry(fields, { ...COMPENSATION_RETRY, contract }),
  };
}

function otherKind(kind: Compensation['kind']): (field: string) => string | null {
  const other = kind === 'activity' ? 'irreversible' : 'activity';
  return (field) =>
    Object.hasOwn(COMPENSATION_FIELDS[other], field) ? `it belongs to a compensation of the kind "${other}"` : null;
}

/** What undoes `forward`: required for external effects inside sagas, forbidden outside of them. */
export function checkCompensation(
  compensation: ParsedCompensation | null,
  forward: Contract | undefined,
  scope: NodeScope,
): void {
  const { reporter } = scope.context;
  if (compensation === null) {
    if (!scope.frame.insideSaga || forward?.effects !== 'external') return;
    const message = `${forward.name}/v${forward.version} is external, so inside a saga it needs a "compensation"`;
    reporter.error('GR1507', scope.keySpan, message, 'say how to undo it, or that it is irreversible');
    return;
  }
  if (!scope.frame.insideSaga) {
    reporter.error('GR1508', compensation.keySpan, 'a compensation is only possible inside a saga');
  }
  if (compensation.kind !== 'activity') return;
  const { contract, input, retry } = compensation;
  if (input !== undefined) checkBinding(input, contract?.inputSchema, forwardScope(forward, scope.context));
  if (contract !== undefined) checkRetry(retry, contract, reporter);
}

/** A compensation sees its activity and nothing else: what it needs is recorded when the activity succeeds. */
function forwardScope(forward: Contract | undefined, context: CompileContext): BindingScope {
  return {
    context,
    resolve(reference: ParsedReference, span: Span): Typed | undefined {
      if (reference.kind === 'forward.input') return typed(forward?.inputSchema);
      if (reference.kind === 'forward.output') return typed(forward?.outputSchema);
      const message = 'the input of a compensation reads forward.input, forward.output and literals only';
      context.reporter.error('GR1310', span, message);
      return undefined;
    },
  };
}

function typed(ref: Contract['inputSchema'] | undefined): Typed | undefined {
  return ref === undefined ? undefined : { ref };
}

/** The normal form. Only for definitions without errors. */
export function normalizeCompensation(compensation: ParsedCompensation): Compensation {
  switch (compensation.kind) {
    case 'activity':
      return {
        kind: 'activity',
        activity: sound(compensation.ref),
        input: normalizeBinding(sound(compensation.input)),
        timeoutMs: compensation.timeoutMs,
        retry: compensation.retry.policy,
      };
    case 'irreversible':
      return { kind: 'irreversible', reason: sound(compensation.reason) };
    case 'broken':
      throw new Error('A compensation that was complained about has no normal form; the compiler must stop before');
  }
}

/** A compensation of the normal form as a document says it. */
export function restoreCompensation(compensation: Json | undefined): Json {
  if (!isObject(compensation) || compensation['kind'] !== 'activity') return compensation ?? null;
  const { timeoutMs, retry, ...rest } = compensation;
  return { ...rest, timeout: restoreDuration(timeoutMs), retry: restoreRetry(retry) };
}
