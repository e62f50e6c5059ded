/** Bindings as written: exactly one of four forms (spec 01 "Bindings"). */
import type { CompileContext } from '../context.js';
import { Fields, shorten, type FieldTable } from '../fields.js';
import type { Binding } from '../ir.js';
import { LIMITS } from '../limits.js';
import { parsePointer } from '../pointer.js';
import { describeTree, isWhole, toJson, type MapTree, type Span, type Tree } from '../source/tree.js';
import { checkValue } from '../value-check.js';
import type { Json } from '../value.js';
import { formatReference, readReference, type ParsedReference } from './reference.js';

export interface ParsedLiteral {
  readonly value: Json;
  readonly tree: Tree;
}

export type ParsedBinding =
  | {
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

const FIELDS: Readonly<Record<Form, FieldTable>> = {
  from: { from: 'required', path: 'optional', default: 'optional' },
  literal: { literal: 'required' },
  object: { object: 'required' },
  array: { array: 'required' },
};

export function readBinding(tree: Tree, context: CompileContext, depth = 0): ParsedBinding {
  const broken: ParsedBinding = { form: 'broken', span: tree.span };
  if (tree.kind === 'broken') return broken;
  const { reporter } = context;
  if (tree.kind !== 'map') {
    const text = tree.kind === 'scalar' && typeof tree.value === 'string' ? shorten(tree.value) : null;
    const hint = text === null ? 'write {literal: ...} around a value' : `write {from: ${text}} or {literal: ...}`;
    reporter.error('GR1301', tree.span, `a binding is a map; this is ${describeTree(tree)}`, hint);
    return broken;
  }
  const forms = FORMS.filter((form) => tree.members.has(form));
  const [form] = forms;
  if (form === undefined || forms.length > 1) {
    const found = form === undefined ? 'this has none of them' : `this has ${forms.join(' and ')}`;
    reporter.error('GR1301', tree.span, `a binding has exactly one of from, literal, object and array; ${found}`);
    return broken;
  }
  if (depth > LIMITS.depth) {
    reporter.error('GR1307', tree.span, `the value is nested deeper than ${LIMITS.depth} levels`);
    return broken;
  }
  const place = { what: `a "${form}" binding`, anchor: tree.span, elsewhere: belongsToFrom };
  const fields = new Fields(tree, FIELDS[form], place, reporter);
  switch (form) {
    case 'from':
      return readFrom(tree, fields, context);
    case 'literal': {
      const literal = readLiteral(fields.get('literal')?.value, context);
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

function belongsToFrom(field: string): string | null {
  return field === 'path' || field === 'default' ? `"${field}" goes with "from"` : null;
}

function readFrom(tree: MapTree, fields: Fields, context: CompileContext): ParsedBinding {
  const from = fields.string('from');
  const reference = from === undefined ? undefined : readReference(from.text, from.span, context);
  const path = fields.has('path') ? fields.string('path') : { text: '', span: tree.span };
  const tokens = path === undefined ? null : parsePointer(path.text);
  if (path !== undefined && tokens === null) {
    const message = `"${shorten(path.text)}" is not a JSON pointer; it begins with "/", and "~" is written "~0"`;
    context.reporter.error('GR1306', path.span, message);
  }
  const fallback = fields.has('default') ? readLiteral(fields.get('default')?.value, context) : null;
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

/** A value that is written out; null after reporting. */
function readLiteral(tree: Tree | undefined, context: CompileContext): ParsedLiteral | null {
  if (tree === undefined || !isWhole(tree)) return null;
  const value = toJson(tree);
  const issue = checkValue(value);
  if (issue === null) return { value, tree };
  const at = issue.pointer === '' ? '' : ` at "${shorten(issue.pointer)}"`;
  context.reporter.error('GR1307', tree.span, `the literal ${issue.message}${at}`);
  return null;
}

/** The normal form. Only for definitions without errors: a broken binding is a fault of the compiler here. */
export function normalizeBinding(binding: ParsedBinding): Binding {
  switch (binding.form) {
    case 'from':
      return {
        from: formatReference(binding.reference),
        ...(binding.path === '' ? {} : { path: binding.path }),
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
