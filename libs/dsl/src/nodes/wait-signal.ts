/** `wait_signal`: waits for a message from outside, for ever or until a timeout. */
import { normalizeBinding, readBinding } from '../bindings/parse.js';
import { checkBinding } from '../bindings/typing.js';
import type { CompileContext } from '../context.js';
import { optional, required, shorten, type Fields } from '../fields.js';
import type { ConsumeFrom, SchemaRef } from '../ir.js';
import { LIMITS, POLICIES } from '../limits.js';
import { didYouMean } from '../suggest.js';
import { choiceSyntax, SYNTAX, withDefault } from '../syntax.js';
import { nodeFields } from './common-fields.js';
import { defineNodeKind, readEdge, restoreDuration, sound, type Edge } from './node-kind.js';
import { checkTextLiteral } from './written-values.js';

const CONSUME_FROM = ['buffered', 'after_activation'] as const satisfies readonly ConsumeFrom[];
const DEFAULT_CONSUME_FROM: ConsumeFrom = 'buffered';

export const waitSignal = defineNodeKind({
  kind: 'wait_signal',
  what: 'a wait_signal node',
  about: 'Waits for a signal from outside, for ever or until a timeout.',
  fields: nodeFields('wait_signal', {
    signal: required(SYNTAX.name, 'Name of a signal that the document declares.'),
    key: required(SYNTAX.binding, 'Which of them: a string that the sender knows as well.'),
    timeout: required({ anyOf: [SYNTAX.duration, { type: 'null' }] }, 'How long to wait, or null to wait for ever.'),
    next: required(SYNTAX.nodeKey, 'The node that follows when the signal came; it can read the payload.'),
    on_timeout: optional(SYNTAX.nodeKey, 'The node that follows when it did not; exactly with a finite timeout.'),
    consume_from: optional(
      withDefault(choiceSyntax(CONSUME_FROM), DEFAULT_CONSUME_FROM),
      'Whether a signal that came before the node was reached counts: buffered (it does) or after_activation.',
    ),
  }),
  constraint: {
    if: { properties: { timeout: { type: 'null' } }, required: ['timeout'] },
    then: { properties: { on_timeout: false } },
    else: { if: { required: ['timeout'] }, then: { required: ['on_timeout'] } },
  },
  parse(fields, _place, context) {
    const key = fields.tree('key');
    const timeoutMs = readTimeout(fields);
    return {
      ...readSignal(fields, context),
      key: key === undefined ? undefined : readBinding(key, context),
      timeoutMs,
      consumeFrom: fields.choice('consume_from', CONSUME_FROM) ?? DEFAULT_CONSUME_FROM,
      next: readEdge(fields, 'next', 'output'),
      onTimeout: readTimeoutEdge(fields, timeoutMs),
    };
  },
  edges: ({ next, onTimeout }) => (onTimeout === null ? [next] : [next, onTimeout]),
  output: ({ payload }) => payload,
  check({ key }, scope) {
    if (key === undefined) return;
    checkBinding(key, 'string/v1', scope);
    checkTextLiteral(key, { what: 'the key of a signal', maxBytes: LIMITS.signalKeyBytes }, scope.context.reporter);
  },
  normalize: ({ signal, key, timeoutMs, consumeFrom, next, onTimeout }) => ({
    kind: 'wait_signal',
    signal: sound(signal),
    key: normalizeBinding(sound(key)),
    timeoutMs: sound(timeoutMs),
    consumeFrom,
    next: sound(next).to,
    ...(onTimeout === null ? {} : { onTimeout: sound(onTimeout).to }),
  }),
  restore({ timeoutMs, consumeFrom, onTimeout, ...node }) {
    return {
      ...node,
      timeout: restoreDuration(timeoutMs),
      consume_from: consumeFrom ?? null,
      ...(onTimeout === undefined ? {} : { on_timeout: onTimeout }),
    };
  },
});

function readSignal(
  fields: Fields,
  context: CompileContext,
): { readonly signal: string | undefined; readonly payload: SchemaRef | undefined } {
  const signal = fields.string('signal');
  if (signal === undefined) return { signal: undefined, payload: undefined };
  if (!context.signals.has(signal.text) && !context.unreadable.has('signals')) {
    const message = `the document declares no signal "${shorten(signal.text)}"`;
    fields.reporter.error(
      'GR1208',
      signal.span,
      message,
      () => didYouMean(signal.text, context.signals.keys()) ?? 'declare it under "signals"',
    );
  }
  return { signal: signal.text, payload: context.signals.get(signal.text) };
}

/** Milliseconds, null for ever; undefined after reporting, and when it is missing. */
function readTimeout(fields: Fields): number | null | undefined {
  const tree = fields.tree('timeout');
  if (tree?.kind === 'scalar' && tree.value === null) return null;
  return fields.durationMs('timeout', 1, POLICIES.waitMaxMs);
}

/** Null when there is none and none is needed, undefined when it is not known where it leads. */
function readTimeoutEdge(fields: Fields, timeoutMs: number | null | undefined): Edge | null | undefined {
  const endless = timeoutMs === null;
  if (fields.has('on_timeout')) {
    if (endless) {
      const span = fields.get('on_timeout')?.keySpan ?? fields.anchor;
      fields.reporter.error('GR1209', span, 'a wait without a timeout never takes "on_timeout"', 'remove it');
    }
    return readEdge(fields, 'on_timeout', null);
  }
  if (endless) return null;
  // A timeout that is broken or missing was complained about; it may have been meant either way.
  if (timeoutMs !== undefined) {
    const message = 'a wait with a timeout needs "on_timeout"';
    fields.reporter.error('GR1209', fields.anchor, message, 'or write "timeout: null"');
  }
  return undefined;
}
