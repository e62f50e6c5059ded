/** `fail`: fails the region with a code and a message of the author's own. */
import { isReservedErrorCode } from '../error-codes.js';
import { Fields, required, type FieldTable } from '../fields.js';
import { LIMITS } from '../limits.js';
import { SYNTAX, textSyntax } from '../syntax.js';
import { nodeFields } from './common-fields.js';
import { defineNodeKind, sound } from './node-kind.js';

export const FAILURE_FIELDS = {
  code: required(SYNTAX.name, 'A code of your own.'),
  message: required(textSyntax(LIMITS.errorMessageBytes), 'What went wrong, for people.'),
} as const satisfies FieldTable;

export const fail = defineNodeKind({
  kind: 'fail',
  what: 'a fail node',
  about: 'Fails the region with a code and a message.',
  fields: nodeFields('fail', { error: required(SYNTAX.failure, 'The code and the message.') }),
  parse(fields) {
    const error = fields.map('error');
    if (error === undefined) return { code: undefined, message: undefined };
    const place = { what: 'the error of a fail node', anchor: error.keySpan };
    const inner = new Fields(error.map, FAILURE_FIELDS, place, fields.reporter);
    return { code: readCode(inner), message: inner.text('message', LIMITS.errorMessageBytes) };
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
