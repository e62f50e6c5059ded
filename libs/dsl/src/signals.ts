/** `signals` of a document: what may be sent to a run, each with the schema of its payload. */
import type { CompileContext } from './context.js';
import { Fields, required, shorten, type FieldTable } from './fields.js';
import type { Definition, SchemaRef } from './ir.js';
import { isName } from './names.js';
import { sound } from './nodes/node-kind.js';
import { readSchemaRef } from './schema/schema-ref.js';
import { describeTree } from './source/tree.js';
import { SYNTAX } from './syntax.js';

export const SIGNAL_FIELDS = {
  schema: required(SYNTAX.schemaRef, 'Schema of the payload.'),
} as const satisfies FieldTable;

/** Reads the declarations into the context; broken ones keep their name, so that waits for them are not at fault. */
export function readSignals(fields: Fields, context: CompileContext): void {
  const { reporter } = context;
  const found = fields.map('signals');
  if (found === undefined && fields.has('signals')) context.unreadable.add('signals');
  for (const { key, keySpan, value } of found?.map.members.values() ?? []) {
    context.signals.set(key, undefined);
    if (!isName(key)) {
      const message = `"${shorten(key)}" is not a signal name: 1 to 64 letters, digits, "_", "." and "-"`;
      reporter.error('GR1106', keySpan, message);
    }
    if (value.kind === 'broken') continue;
    if (value.kind !== 'map') {
      const message = `the signal "${shorten(key)}" is a map with "schema"; this is ${describeTree(value)}`;
      reporter.error('GR1103', value.span, message);
      continue;
    }
    const signal = new Fields(value, SIGNAL_FIELDS, { what: 'a signal', anchor: keySpan }, reporter);
    const tree = signal.tree('schema');
    if (tree !== undefined) context.signals.set(key, readSchemaRef(tree, context));
  }
}

/** The member of the normal form; no member for a document without signals. */
export function normalizeSignals(signals: ReadonlyMap<string, SchemaRef | undefined>): Pick<Definition, 'signals'> {
  if (signals.size === 0) return {};
  return { signals: Object.fromEntries([...signals].map(([name, schema]) => [name, { schema: sound(schema) }])) };
}
