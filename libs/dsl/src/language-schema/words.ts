/** Names, durations, references and other words. What an editor says of a word that is none stands beside its pattern. */
import { NODE_PORTS, REFERENCES, type NamedReference } from '../bindings/reference.js';
import { BUILTIN_SCHEMAS } from '../catalog/builtins.js';
import { DURATION_PATTERN } from '../duration.js';
import { LIMITS } from '../limits.js';
import { NAME_PATTERN, NODE_KEY_PATTERN, SCHEMA_NAME_PATTERN } from '../names.js';
import { POINTER_PATTERN } from '../pointer.js';
import { SCHEMA_CONSTRUCTORS } from '../schema/schema-ref.js';
import { integerSyntax, type Syntax } from '../syntax.js';
import type { JsonObject } from '../value.js';
import { alone, exactlyOne } from './alternatives.js';

function word(title: string, pattern: string, rule: string, more: JsonObject = {}): Syntax {
  // The rule is said by VS Code and by the YAML language server, which could only show the pattern otherwise.
  return { title, type: 'string', pattern: `^${pattern}$`, errorMessage: rule, ...more };
}

export const NAME = word('name', NAME_PATTERN, `A name is 1 to ${LIMITS.nameChars} letters, digits, "_", "." and "-".`);

export const NODE_KEY = word(
  'node',
  NODE_KEY_PATTERN,
  `A node key is a lower-case letter, then lower-case letters, digits and "_", at most ${LIMITS.nameChars}.`,
);

const SCHEMA_RULE = 'A schema is written name/vN, as in "order/v1", or {array: schema} or {tuple: [schema, ...]}.';

export const SCHEMA_NAME = word('schema', SCHEMA_NAME_PATTERN, 'A schema is written name/vN, as in "order/v1".', {
  defaultSnippets: Object.keys(BUILTIN_SCHEMAS).map((name) => ({ label: name, description: 'Built in.', body: name })),
});

export const DURATION = word(
  'duration',
  DURATION_PATTERN,
  'A duration is a positive integer and ms, s, m, h or d, as in "30s".',
  { examples: ['30s'] },
);

export const POINTER = word(
  'JSON pointer',
  POINTER_PATTERN,
  'A JSON pointer begins with "/"; a "~" in it is written "~0", a "/" in a key "~1".',
);

export const VERSION: Syntax = { title: 'version', ...integerSyntax(1, Number.MAX_SAFE_INTEGER), examples: [1] };

/** `order/v1`, `{array: order/v1}` or `{tuple: [order/v1, string/v1]}`. */
export const SCHEMA_REF: Syntax = {
  title: 'schema',
  type: ['string', 'object'],
  errorMessage: SCHEMA_RULE,
  // Of alternatives an editor looks at that of the right type first only if it is `oneOf`, with the map before the text.
  oneOf: [exactlyOne('A schema that is put together', alone(SCHEMA_CONSTRUCTORS), SCHEMA_RULE), SCHEMA_NAME],
};

/** References that only the bindings of a compensation see, and that are all these see. */
const FORWARD = ['forward.input', 'forward.output'] as const satisfies readonly NamedReference[];

function named(references: readonly NamedReference[], rule: string): Syntax {
  const descriptions = references.map((reference) => REFERENCES[reference]);
  return { enum: references, enumDescriptions: descriptions, errorMessage: rule };
}

const isForward = (reference: string): boolean => FORWARD.some((candidate) => candidate === reference);
const elsewhere = (Object.keys(REFERENCES) as NamedReference[]).filter((reference) => !isForward(reference));

const REFERENCE_RULE = `References are ${elsewhere.join(', ')}, ${NODE_PORTS.map((port) => `nodes.<key>.${port}`).join(' and ')}; what follows in the value goes into "path".`;

export const REFERENCE: Syntax = {
  title: 'reference',
  type: 'string',
  oneOf: [
    named(elsewhere, REFERENCE_RULE),
    {
      pattern: `^nodes\\.${NODE_KEY_PATTERN}\\.(${NODE_PORTS.join('|')})$`,
      errorMessage: REFERENCE_RULE,
      defaultSnippets: NODE_PORTS.map((port) => ({
        label: `nodes.<key>.${port}`,
        description: `The ${port} of a node of this region.`,
        body: `nodes.\${1:key}.${port}`,
      })),
    },
  ],
};

export const FORWARD_REFERENCE: Syntax = {
  title: 'reference',
  ...named(FORWARD, `The references of a compensation are ${FORWARD.join(' and ')}.`),
};
