/**
 * Does a binding fit the schema that consumes it? Whole values must have the very schema; what is picked out of a
 * named schema, written out or put together is compared by shape, and refused only when it can never fit (spec 01
 * "Typing"). What may fit is validated at run time.
 */
import type { CompileContext } from '../context.js';
import { shorten } from '../fields.js';
import type { SchemaRef } from '../ir.js';
import { arrayIndex } from '../pointer.js';
import { TYPE, typeNames, typeOf, typesMeet } from '../schema/json-types.js';
import { formatSchemaRef, sameSchema } from '../schema/schema-ref.js';
import type { Shape } from '../schema/shape.js';
import type { Span, Tree } from '../source/tree.js';
import { didYouMean } from '../suggest.js';
import type { ParsedBinding, ParsedProjection } from './parse.js';
import type { ParsedReference } from './reference.js';

/** What is known of a value: a schema with its identity, or only a shape. */
export type Typed = { readonly ref: SchemaRef } | { readonly shape: Shape };

/** What a binding can see from where it stands. */
export interface BindingScope {
  readonly context: CompileContext;
  /** What a reference gives, or undefined when it is unusable; complains if that is the binding's fault. */
  resolve(reference: ParsedReference, span: Span): Typed | undefined;
}

/** Checks `binding` against its consumer. An undefined consumer is unknown: only references are checked then. */
export function checkBinding(binding: ParsedBinding, expected: SchemaRef | undefined, scope: BindingScope): void {
  switch (binding.form) {
    case 'broken':
      return;
    case 'from':
      checkFrom(binding, expected === undefined ? null : { ref: expected }, scope);
      return;
    case 'literal':
      if (expected !== undefined)
        checkLiteral(binding.literal.tree, scope.context.shapes.of(expected), 'literal', scope);
      return;
    case 'object':
      checkObject(binding, expected === undefined ? { kind: 'any' } : scope.context.shapes.of(expected), scope);
      return;
    case 'array':
      checkArray(binding, expected, scope);
  }
}

function checkFrom(binding: ParsedProjection, consumer: Typed | null, scope: BindingScope): void {
  const { shapes, reporter } = scope.context;
  const found = checkProjection(binding, scope);
  const consumerShape = consumer === null ? null : 'ref' in consumer ? shapes.of(consumer.ref) : consumer.shape;
  if (binding.fallback !== null && consumerShape !== null) {
    checkLiteral(binding.fallback.tree, consumerShape, 'default', scope);
  }
  if (found === undefined || consumer === null || consumerShape === null) return;
  if ('ref' in found && 'ref' in consumer) {
    if (sameSchema(found.ref, consumer.ref)) return;
    const message = `this is ${formatSchemaRef(found.ref)}, but ${formatSchemaRef(consumer.ref)} is expected here`;
    reporter.error('GR1403', binding.span, message);
    return;
  }
  checkShape('ref' in found ? shapes.of(found.ref) : found.shape, consumerShape, binding.span, scope);
}

/** What a projection finds, whatever consumes it; undefined when it can find nothing, after reporting why. */
export function checkProjection(binding: ParsedProjection, scope: BindingScope): Typed | undefined {
  if (binding.fallback !== null && binding.tokens.length === 0) {
    const message = 'this default is never taken: a whole value is always there';
    scope.context.reporter.warning('GR1308', binding.fallback.tree.span, message, 'remove it, or add a "path"');
  }
  const source = scope.resolve(binding.reference, binding.referenceSpan);
  return source === undefined ? undefined : project(binding, source, scope);
}

/** Follows the pointer: through constructors it keeps its identity, inside a named schema only a shape is left. */
function project(binding: ParsedProjection, source: Typed, scope: BindingScope): Typed | undefined {
  const { shapes, reporter } = scope.context;
  let found = source;
  for (const [position, token] of binding.tokens.entries()) {
    const within = shapeOf(found, scope.context);
    found = step(found, token, scope.context);
    if (!('shape' in found) || found.shape.kind !== 'never') continue;
    const before = binding.tokens.slice(0, position);
    const owner = before.length === 0 ? nameOf(source) : `"/${shorten(before.join('/'))}" of ${nameOf(source)}`;
    const message = `${owner} has no "${shorten(token)}", so "${shorten(binding.path)}" can never exist`;
    reporter.error('GR1407', binding.pathSpan, message, () => didYouMean(token, shapes.knownMembers(within)));
    return undefined;
  }
  return found;
}

function step(from: Typed, token: string, { shapes }: CompileContext): Typed {
  if ('shape' in from) return { shape: shapes.child(from.shape, token) };
  const { ref } = from;
  if (typeof ref === 'string') return { shape: shapes.child(shapes.of(ref), token) };
  const index = arrayIndex(token);
  const item: SchemaRef | undefined = index === null ? undefined : 'array' in ref ? ref.array : ref.tuple[index];
  return item === undefined ? { shape: { kind: 'never' } } : { ref: item };
}

export function shapeOf(typed: Typed, { shapes }: CompileContext): Shape {
  return 'ref' in typed ? shapes.of(typed.ref) : typed.shape;
}

function nameOf(typed: Typed): string {
  return 'ref' in typed ? formatSchemaRef(typed.ref) : 'this value';
}

function checkLiteral(tree: Tree, consumer: Shape, what: string, scope: BindingScope): void {
  const { shapes, reporter } = scope.context;
  if (tree.kind === 'broken' || consumer.kind === 'any') return;
  const types = tree.kind === 'map' ? TYPE.object : tree.kind === 'list' ? TYPE.array : typeOf(tree.value);
  const expected = shapes.types(consumer);
  if (!typesMeet(types, expected)) {
    reporter.error(
      'GR1404',
      tree.span,
      `the ${what} is ${typeNames(types)}, but ${typeNames(expected)} is expected here`,
    );
    return;
  }
  if (tree.kind === 'list') {
    if (!checkLength(tree.items.length, consumer, tree.span, scope)) return;
    for (const [index, item] of tree.items.entries()) {
      checkLiteral(item, shapes.item(consumer, String(index)), what, scope);
    }
  }
  if (tree.kind !== 'map') return;
  for (const member of tree.members.values()) {
    const inner = shapes.member(consumer, member.key);
    if (inner.kind === 'never') reportForbidden(member.key, member.keySpan, consumer, scope);
    else checkLiteral(member.value, inner, what, scope);
  }
  checkRequired((key) => tree.members.has(key), consumer, tree.span, scope);
}

type ObjectBinding = Extract<ParsedBinding, { form: 'object' }>;

function checkObject(binding: ObjectBinding, consumer: Shape, scope: BindingScope): void {
  const { shapes, reporter } = scope.context;
  const expected = shapes.types(consumer);
  const fits = typesMeet(TYPE.object, expected);
  if (!fits) {
    reporter.error('GR1404', binding.span, `this is object, but ${typeNames(expected)} is expected here`);
  }
  for (const member of binding.members) {
    const inner: Shape = fits ? shapes.member(consumer, member.key) : { kind: 'any' };
    if (inner.kind === 'never') reportForbidden(member.key, member.keySpan, consumer, scope);
    checkAgainstShape(member.binding, inner.kind === 'never' ? { kind: 'any' } : inner, scope);
  }
  const keys = new Set(binding.members.map(({ key }) => key));
  if (fits) checkRequired((key) => keys.has(key), consumer, binding.span, scope);
}

/** A binding whose consumer is a place inside a schema: there is no identity to compare with. */
function checkAgainstShape(binding: ParsedBinding, consumer: Shape, scope: BindingScope): void {
  const { shapes, reporter } = scope.context;
  switch (binding.form) {
    case 'broken':
      return;
    case 'from':
      checkFrom(binding, { shape: consumer }, scope);
      return;
    case 'literal':
      checkLiteral(binding.literal.tree, consumer, 'literal', scope);
      return;
    case 'object':
      checkObject(binding, consumer, scope);
      return;
    case 'array': {
      const expected = shapes.types(consumer);
      const fits = typesMeet(TYPE.array, expected);
      if (!fits) {
        reporter.error('GR1404', binding.span, `this is array, but ${typeNames(expected)} is expected here`);
      }
      const sized = fits && checkLength(binding.items.length, consumer, binding.span, scope);
      for (const [index, item] of binding.items.entries()) {
        checkAgainstShape(item, sized ? shapes.item(consumer, String(index)) : { kind: 'any' }, scope);
      }
    }
  }
}

type ArrayBinding = Extract<ParsedBinding, { form: 'array' }>;

/** Against a constructor the items are bindings of their own, with identity. */
function checkArray(binding: ArrayBinding, expected: SchemaRef | undefined, scope: BindingScope): void {
  if (expected === undefined || typeof expected === 'string') {
    checkAgainstShape(binding, expected === undefined ? { kind: 'any' } : scope.context.shapes.of(expected), scope);
    return;
  }
  if ('array' in expected) {
    for (const item of binding.items) checkBinding(item, expected.array, scope);
    return;
  }
  const sized = checkLength(binding.items.length, { kind: 'ref', ref: expected }, binding.span, scope);
  for (const [index, item] of binding.items.entries()) {
    checkBinding(item, sized ? expected.tuple[index] : undefined, scope);
  }
}

/** A pointer's result against a place inside a schema, or the reverse: types and members that can never fit. */
function checkShape(source: Shape, consumer: Shape, span: Span, scope: BindingScope): void {
  const { shapes, reporter } = scope.context;
  if (source.kind === 'any' || consumer.kind === 'any') return;
  const types = shapes.types(source);
  const expected = shapes.types(consumer);
  if (!typesMeet(types, expected)) {
    reporter.error('GR1404', span, `this is ${typeNames(types)}, but ${typeNames(expected)} is expected here`);
    return;
  }
  // Members matter only if the value is an object for certain, on both sides.
  if (types !== TYPE.object) return;
  for (const key of shapes.required(source)) {
    if (shapes.member(consumer, key).kind === 'never') {
      reporter.error('GR1406', span, `this always has a member "${shorten(key)}", which is not allowed here`);
    }
  }
  checkRequired((key) => shapes.member(source, key).kind !== 'never', consumer, span, scope);
}

function checkRequired(has: (key: string) => boolean, consumer: Shape, span: Span, scope: BindingScope): void {
  for (const key of scope.context.shapes.required(consumer)) {
    if (!has(key)) {
      scope.context.reporter.error('GR1405', span, `the member "${shorten(key)}", which is required here, is missing`);
    }
  }
}

function reportForbidden(key: string, span: Span, consumer: Shape, scope: BindingScope): void {
  const { shapes, reporter } = scope.context;
  const hint = (): string | null => didYouMean(key, shapes.knownMembers(consumer));
  reporter.error('GR1406', span, `the member "${shorten(key)}" is not allowed here`, hint);
}

/** Tuples have a length, and a schema may have no place for further items; the rest is left to validation. */
function checkLength(length: number, consumer: Shape, span: Span, scope: BindingScope): boolean {
  const { shapes, reporter } = scope.context;
  if (consumer.kind === 'ref' && 'tuple' in consumer.ref) {
    const items = consumer.ref.tuple.length;
    if (items === length) return true;
    reporter.error('GR1408', span, `this has ${itemsOf(length)}, but ${formatSchemaRef(consumer.ref)} has ${items}`);
    return false;
  }
  for (let index = 0; index < length; index += 1) {
    if (shapes.item(consumer, String(index)).kind !== 'never') continue;
    reporter.error('GR1408', span, `this has ${itemsOf(length)}, but at most ${index} fit here`);
    return false;
  }
  return true;
}

function itemsOf(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
