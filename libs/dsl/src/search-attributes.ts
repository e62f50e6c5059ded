/** `search_attributes`: scalars of the input under which runs can be found (spec 01 "Workflow document"). */
import { BINDING_FIELDS, normalizeBinding, readBinding, type ParsedBinding } from './bindings/parse.js';
import { checkProjection, shapeOf, type BindingScope } from './bindings/typing.js';
import type { CompileContext } from './context.js';
import type { Reporter } from './diagnostic.js';
import { required, shorten, type Fields, type FieldTable } from './fields.js';
import type { Definition, SchemaRef } from './ir.js';
import { LIMITS } from './limits.js';
import { isName } from './names.js';
import { checkTextLiteral } from './nodes/written-values.js';
import { TYPE, typeNames, typeOf } from './schema/json-types.js';
import type { Span } from './source/tree.js';
import { constantSyntax } from './syntax.js';

/** The one form of binding that a search attribute has. */
export const SEARCH_ATTRIBUTE_FIELDS = {
  ...BINDING_FIELDS.from,
  from: required(constantSyntax('workflow.input'), 'A search attribute comes from the input.'),
} as const satisfies FieldTable;

const SCALAR = TYPE.null | TYPE.boolean | TYPE.string | TYPE.integer | TYPE.number;

export type ParsedSearchAttributes = readonly { readonly name: string; readonly binding: ParsedBinding }[];

export function readSearchAttributes(fields: Fields, context: CompileContext): ParsedSearchAttributes {
  const found = fields.map('search_attributes');
  if (found === undefined) return [];
  const { reporter } = context;
  const members = [...found.map.members.values()];
  if (members.length > LIMITS.searchAttributes) {
    const message = `a workflow has at most ${LIMITS.searchAttributes} search attributes; this has ${members.length}`;
    reporter.error('GR1115', found.keySpan, message);
    return [];
  }
  return members.map(({ key, keySpan, value }) => {
    if (!isName(key)) {
      const message = `"${shorten(key)}" is not an attribute name: 1 to 64 letters, digits, "_", "." and "-"`;
      reporter.error('GR1106', keySpan, message);
    }
    return { name: key, binding: readBinding(value, context) };
  });
}

/** Each is a projection of `workflow.input` that can be a scalar. */
export function checkSearchAttributes(
  attributes: ParsedSearchAttributes,
  input: SchemaRef | undefined,
  context: CompileContext,
): void {
  const { reporter, shapes } = context;
  const scope: BindingScope = {
    context,
    resolve(reference, span) {
      if (reference.kind === 'workflow.input') return input === undefined ? undefined : { ref: input };
      reporter.error('GR1315', span, 'a search attribute reads workflow.input only');
      return undefined;
    },
  };
  for (const { name, binding } of attributes) {
    if (binding.form === 'broken') continue;
    if (binding.form !== 'from') {
      reporter.error('GR1315', binding.span, 'a search attribute is {from: workflow.input, path: ...}');
      continue;
    }
    const found = checkProjection(binding, scope);
    const what = `the search attribute "${shorten(name)}"`;
    if (found !== undefined) checkScalar(what, shapes.types(shapeOf(found, context)), binding.span, reporter);
    if (binding.fallback === null) continue;
    checkScalar(what, typeOf(binding.fallback.value), binding.fallback.tree.span, reporter);
    checkTextLiteral(binding, { what, maxBytes: LIMITS.searchAttributeBytes }, reporter);
  }
}

function checkScalar(what: string, types: number, span: Span, reporter: Reporter): void {
  if ((types & SCALAR) === 0) reporter.error('GR1316', span, `${what} is a scalar; this is ${typeNames(types)}`);
}

/** The member of the normal form; no member for a document without search attributes. */
export function normalizeSearchAttributes(attributes: ParsedSearchAttributes): Pick<Definition, 'searchAttributes'> {
  if (attributes.length === 0) return {};
  return {
    searchAttributes: Object.fromEntries(attributes.map(({ name, binding }) => [name, normalizeBinding(binding)])),
  };
}
