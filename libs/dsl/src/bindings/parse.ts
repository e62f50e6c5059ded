/** Bindings as written: exactly one of four forms (spec 01 "Bindings"). */
import type { CompileContext } from '../context.js';
import { Fields, optional, required, shorten, type FieldTable } from '../fields.js';
import type { Binding, Projection } from '../ir.js';
import { LIMITS } from '../limits.js';
import { parsePointer } from '../pointer.js';
import { describeTree, isWhole, toJson, type MapTree, type Span, type Tree } from '../source/tree.js';
import { closest } from '../suggest.js';
import { SYNTAX } from '../syntax.js';
import { checkValue } from '../value-check.js';
import type { Json } from '../value.js';
import { formatReference, looksLikeReference, readReference, type ParsedReference } from './reference.js';

export interface ParsedLiteral {
  readonly value: Json;
  readonly tree: Tree;
}

/** `from` with its path: a place inside the value of a reference. */
export interface ParsedProjection {
  readonly form: 'from';
  readonly span: Span;
  readonly reference: ParsedReference;
  readonly referenceSpan: Span;
  /** Tokens of the pointer; empty for the whole value. */
  readonly tokens: readonly string[];
  readonly path: string;
  readonly pathSpan: Span;
  readonly fallback: ParsedLiteral | null;
}

export type ParsedBinding =
  | ParsedProjection
  | { readonly form: 'literal'; readonly span: Span; readonly literal: ParsedLiteral }
  | {
      readonly form: 'object';
      readonly span: Span;
      readonly members: readonly { readonly key: string; readonly keySpan: Span; readonly binding: ParsedBinding }[];
    }
  | { readonly form: 'array'; readonly span: Span; readonly items: readonly ParsedBinding[] }
  /** Complained about already. */
  | { readonly form: 'broken'; readonly span: Span };

const FORMS = ['from', 'literal', 'object', 'array'] as const;
type Form = (typeof FORMS)[number];

/** Tables of the four ways to write a binding, by the field that tells them apart. */
export const BINDING_FIELDS = {
  from: {
    from: required(SYNTAX.reference, 'Where the value comes from.'),
    path: optional(SYNTAX.pointer, 'JSON pointer into the value; the whole value without one.'),
    default: optional(SYNTAX.anything, 'Taken when the pointer finds nothing.'),
  },
  literal: { literal: required(SYNTAX.anything, 'The value itself.') },
  object: {
    object: required(
      { type: 'object', additionalProperties: SYNTAX.binding },
      'An object put together from bindings, by member.',
    ),
  },
  array: { array: required({ type: 'array', items: SYNTAX.binding }, 'An array put together from bindings.') },
} as const satisfies Readonly<Record<Form, FieldTable>>;

export function readBinding(tree: Tree, context: CompileContext, depth = 0): ParsedBinding {
  const broken: ParsedBinding = { form: 'broken', span: tree.span };
  if (tree.kind === 'broken') return broken;
  const { reporter } = context;
  if (tree.kind !== 'map') {
    const text = tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : '';
    const hint = looksLikeReference(text)
      ? `write {from: ${shorten(text)}}`
      : 'write {literal: ...} around a value, and {from: ...} around a reference';
    reporter.error('GR1301', tree.span, `a binding is a map; this is ${describeTree(tree)}`, hint);
    return broken;
  }
  const forms = FORMS.filter((form) => tree.members.has(form));
  const [form] = forms;
  if (form === undefined || forms.length > 1) {
    const found = form === undefined ? 'this has none of them' : `this has ${forms.join(' and ')}`;
    const message = `a binding has exactly one of from, literal, object and array; ${found}`;
    reporter.error('GR1301', tree.span, message, () => (form === undefined ? meantForm(tree) : null));
    return broken;
  }
  if (depth >= LIMITS.depth && (form === 'object' || form === 'array')) {
    reporter.error('GR1307', tree.span, `the value is nested deeper than ${LIMITS.depth} levels`);
    return broken;
  }
  const place = {
    what: `${form === 'object' || form === 'array' ? 'an' : 'a'} "${form}" binding`,
    anchor: tree.span,
    elsewhere: belongsToFrom,
  };
  const fields = new Fields(tree, BINDING_FIELDS[form], place, reporter);
  switch (form) {
    case 'from':
      return readFrom(tree, fields, context, depth);
    case 'literal': {
      const literal = readLiteral(fields.get('literal')?.value, context, depth);
      return literal === null ? broken : { form, span: tree.span, literal };
    }
    case 'object': {
      const object = fields.map('object');
      if (object === undefined) return broken;
      const members = [...object.map.members.values()].map(({ key, keySpan, value }) => {
        return { key, keySpan, binding: readBinding(value, context, depth + 1) };
      });
      return { form, span: tree.span, members };
    }
    case 'array': {
      const items = fields.list('array');
      if (items === undefined) return broken;
      return { form, span: tree.span, items: items.map((item) => readBinding(item, context, depth + 1)) };
    }
  }
}

function meantForm(tree: MapTree): string | null {
  const [form] = [...tree.members.keys()].map((key) => closest(key, FORMS)).filter((found) => found !== null);
  return form === undefined ? null : `did you mean "${form}"?`;
}

function belongsToFrom(field: string): string | null {
  return field === 'path' || field === 'default' ? `"${field}" goes with "from"` : null;
}

/** Reads `from`, `path` and `default`, whatever else the map holds; a broken binding after reporting. */
export function readFrom(
  tree: MapTree,
  fields: Fields,
  context: CompileContext,
  depth = 0,
): ParsedProjection | Extract<ParsedBinding, { form: 'broken' }> {
  const from = fields.string('from');
  const reference = from === undefined ? undefined : readReference(from.text, from.span, context);
  const path = fields.has('path') ? fields.string('path') : { text: '', span: tree.span };
  const tokens = path === undefined ? null : parsePointer(path.text);
  if (path !== undefined && tokens === null) {
    const message = `"${shorten(path.text)}" is not a JSON pointer; it begins with "/", and "~" is written "~0"`;
    context.reporter.error('GR1306', path.span, message);
  }
  if (fields.has('default')) context.extensions.add('default');
  const fallback = fields.has('default') ? readLiteral(fields.get('default')?.value, context, depth) : null;
  const ok = from !== undefined && reference !== undefined && path !== undefined && tokens !== null;
  if (!ok) return { form: 'broken', span: tree.span };
  return {
    form: 'from',
    span: tree.span,
    reference,
    referenceSpan: from.span,
    tokens,
    path: path.text,
    pathSpan: path.span,
    fallback,
  };
}

/** A value that is written out, `depth` levels inside the value that is built; null after reporting. */
function readLiteral(tree: Tree | undefined, context: CompileContext, depth: number): ParsedLiteral | null {
  if (tree === undefined || !isWhole(tree)) return null;
  const value = toJson(tree);
  const issue = checkValue(value, { maxDepth: LIMITS.depth - depth });
  if (issue === null) return { value, tree };
  const message =
    issue.limit === 'depth' ? `the value is nested deeper than ${LIMITS.depth} levels` : `the literal ${issue.message}`;
  context.reporter.error('GR1307', tree.span, message);
  return null;
}

/** The normal form. Only for definitions without errors: a broken binding is a fault of the compiler here. */
export function normalizeBinding(binding: ParsedBinding): Binding {
  switch (binding.form) {
    case 'from':
      return {
        ...normalizeProjection(binding),
        ...(binding.fallback === null ? {} : { default: binding.fallback.value }),
      };
    case 'literal':
      return { literal: binding.literal.value };
    case 'object':
      return { object: Object.fromEntries(binding.members.map(({ key, binding: of }) => [key, normalizeBinding(of)])) };
    case 'array':
      return { array: binding.items.map(normalizeBinding) };
    case 'broken':
      throw new Error('A binding that was complained about has no normal form; the compiler must stop before');
  }
}

export function normalizeProjection({ reference, path }: ParsedProjection): Projection {
  return { from: formatReference(reference), ...(path === '' ? {} : { path }) };
}
