/** `fail`: fails the region with a code and a message of the author's own. */
import { byteLength } from '../canonical.js';
import { isReservedErrorCode } from '../error-codes.js';
import { ANNOTATIONS, Fields } from '../fields.js';
import { LIMITS } from '../limits.js';
import { defineNodeKind, sound } from './node-kind.js';

export const fail = defineNodeKind({
  kind: 'fail',
  what: 'a fail node',
  fields: { kind: 'required', error: 'required', ...ANNOTATIONS },
  parse(fields) {
    const error = fields.map('error');
    if (error === undefined) return { code: undefined, message: undefined };
    const place = { what: 'the error of a fail node', anchor: error.keySpan };
    const inner = new Fields(error.map, { code: 'required', message: 'required' }, place, fields.reporter);
    return { code: readCode(inner), message: readMessage(inner) };
  },
  edges: () => [],
  output: () => null,
  check: () => undefined,
  normalize: ({ code, message }) => ({ kind: 'fail', error: { code: sound(code), message: sound(message) } }),
  restore: (node) => node,
});

function readCode(fields: Fields): string | undefined {
  const code = fields.name('code');
  if (code === undefined || !isReservedErrorCode(code)) return code;
  const span = fields.tree('code')?.span ?? fields.anchor;
  fields.reporter.error('GR1505', span, `"${code}" is a code of the engine itself; choose one of your own`);
  return undefined;
}

function readMessage(fields: Fields): string | undefined {
  const message = fields.string('message');
  if (message === undefined || byteLength(message.text) <= LIMITS.errorMessageBytes) return message?.text;
  const text = `the message of a failure is at most ${LIMITS.errorMessageBytes} bytes; this has ${byteLength(message.text)}`;
  fields.reporter.error('GR1112', message.span, text);
  return undefined;
}
