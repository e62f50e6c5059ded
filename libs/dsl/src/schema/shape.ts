/**
 * What a JSON Schema says about the shape of its values, as far as a compiler can use it: which JSON types are possible,
 * which members must or cannot be there. The view is generous: a keyword it does not understand allows everything, so a
 * definition is refused only when it can never work (spec 01 "Typing").
 */
import { isObject } from '../canonical.js';
import type { SchemaRef } from '../ir.js';
import { arrayIndex, parsePointer, resolvePointer } from '../pointer.js';
import type { Json } from '../value.js';
import { ANY_TYPE, meet, TYPE, typeKeyword, typeOf } from './json-types.js';

export type Shape =
  | { readonly kind: 'any' }
  | { readonly kind: 'never' }
  /** A value of one named schema's JSON: `root` is where its local references start. */
  | { readonly kind: 'schema'; readonly schema: Json; readonly root: Json }
  | { readonly kind: 'all'; readonly parts: readonly Shape[] }
  | { readonly kind: 'one'; readonly parts: readonly Shape[] }
  | { readonly kind: 'ref'; readonly ref: Exclude<SchemaRef, string> };

const ANY: Shape = { kind: 'any' };
const NEVER: Shape = { kind: 'never' };

/**
 * Views of the schemas of one catalog. Every answer is remembered: a definition asks thousands of times, and a schema
 * may be a conjunction of thousands of parts.
 */
export class SchemaShapes {
  readonly #schemas: { readonly [nameAndVersion: string]: Json };
  readonly #named = new Map<string, Shape>();
  readonly #types = new WeakMap<Shape, number>();
  readonly #children = new WeakMap<Shape, Map<string, Shape>>();
  readonly #required = new WeakMap<Shape, ReadonlySet<string>>();
  readonly #alike = new WeakMap<Shape, number>();

  constructor(schemas: { readonly [nameAndVersion: string]: Json }) {
    this.#schemas = schemas;
  }

  of(ref: SchemaRef): Shape {
    if (typeof ref !== 'string') return { kind: 'ref', ref };
    let shape = this.#named.get(ref);
    if (shape === undefined) {
      const schema = Object.hasOwn(this.#schemas, ref) ? this.#schemas[ref] : undefined;
      shape = schema === undefined ? ANY : schemaShape(schema, schema);
      this.#named.set(ref, shape);
    }
    return shape;
  }

  /** The JSON types a value may have. */
  types(shape: Shape): number {
    let types = this.#types.get(shape);
    if (types === undefined) {
      types = this.#findTypes(shape);
      this.#types.set(shape, types);
    }
    return types;
  }

  #findTypes(shape: Shape): number {
    switch (shape.kind) {
      case 'any':
        return ANY_TYPE;
      case 'never':
        return 0;
      case 'ref':
        return TYPE.array;
      case 'all':
        return shape.parts.reduce((types, part) => meet(types, this.types(part)), ANY_TYPE);
      case 'one':
        return shape.parts.reduce((types, part) => types | this.types(part), 0);
      case 'schema': {
        const { schema } = shape;
        if (!isObject(schema)) return ANY_TYPE;
        let types = typeKeyword(schema['type']);
        if (schema['const'] !== undefined) types = meet(types, typeOf(schema['const']));
        const values = schema['enum'];
        if (Array.isArray(values)) {
          types = meet(
            types,
            (values as readonly Json[]).reduce<number>((all, value) => all | typeOf(value), 0),
          );
        }
        return types;
      }
    }
  }

  /** The shape of the member `key` of an object, or of the item `key` of an array; `never` when it cannot exist. */
  child(shape: Shape, key: string): Shape {
    return this.#remember(shape, 'child', key, () => this.#findChild(shape, key));
  }

  #findChild(shape: Shape, key: string): Shape {
    switch (shape.kind) {
      case 'any':
      case 'never':
        return shape;
      case 'ref': {
        const index = arrayIndex(key);
        if (index === null) return NEVER;
        if ('array' in shape.ref) return this.of(shape.ref.array);
        const item = shape.ref.tuple[index];
        return item === undefined ? NEVER : this.of(item);
      }
      case 'all':
        return allOf(shape.parts.map((part) => this.child(part, key)));
      case 'one':
        return oneOf(shape.parts.map((part) => this.child(part, key)));
      case 'schema':
        return oneOf([this.member(shape, key), this.item(shape, key)]);
    }
  }

  /** The shape of the member `key` if the value is an object. */
  member(shape: Shape, key: string): Shape {
    return this.#remember(shape, 'member', key, () => this.#findMember(shape, key));
  }

  #findMember(shape: Shape, key: string): Shape {
    if (shape.kind === 'all') return allOf(shape.parts.map((part) => this.member(part, key)));
    if (shape.kind === 'one') return oneOf(shape.parts.map((part) => this.member(part, key)));
    if (shape.kind === 'ref') return NEVER;
    if (shape.kind !== 'schema') return shape;
    const { schema, root } = shape;
    if (!isObject(schema)) return ANY;
    if ((this.types(shape) & TYPE.object) === 0) return NEVER;
    const properties = schema['properties'];
    if (isObject(properties) && Object.hasOwn(properties, key)) return schemaShape(properties[key] ?? true, root);
    if (schema['additionalProperties'] !== undefined) return schemaShape(schema['additionalProperties'], root);
    if (schema['unevaluatedProperties'] === false && !IN_PLACE.some((keyword) => keyword in schema)) return NEVER;
    return ANY;
  }

  /** The shape of the item at `key` if the value is an array. */
  item(shape: Shape, key: string): Shape {
    const index = arrayIndex(key);
    if (index === null) return this.#findItem(shape, key);
    const alike = String(Math.min(index, this.#alikeFrom(shape)));
    return this.#remember(shape, 'item', alike, () => this.#findItem(shape, alike));
  }

  /** From this index on all items are alike: one answer for all of them, since a literal may have a hundred thousand. */
  #alikeFrom(shape: Shape): number {
    let alike = this.#alike.get(shape);
    if (alike === undefined) {
      alike = this.#findAlikeFrom(shape);
      this.#alike.set(shape, alike);
    }
    return alike;
  }

  #findAlikeFrom(shape: Shape): number {
    switch (shape.kind) {
      case 'any':
      case 'never':
        return 0;
      case 'ref':
        return 'tuple' in shape.ref ? shape.ref.tuple.length : 0;
      case 'all':
      case 'one':
        return shape.parts.reduce((most, part) => Math.max(most, this.#alikeFrom(part)), 0);
      case 'schema': {
        const { maxItems, prefixItems } = isObject(shape.schema) ? shape.schema : {};
        return Math.max(
          Array.isArray(prefixItems) ? prefixItems.length : 0,
          typeof maxItems === 'number' ? maxItems : 0,
        );
      }
    }
  }

  #findItem(shape: Shape, key: string): Shape {
    if (shape.kind === 'all') return allOf(shape.parts.map((part) => this.item(part, key)));
    if (shape.kind === 'one') return oneOf(shape.parts.map((part) => this.item(part, key)));
    if (shape.kind === 'ref') return this.child(shape, key);
    if (shape.kind !== 'schema') return shape;
    const { schema, root } = shape;
    const index = arrayIndex(key);
    if (index === null) return NEVER;
    if (!isObject(schema)) return ANY;
    if ((this.types(shape) & TYPE.array) === 0) return NEVER;
    const maxItems = schema['maxItems'];
    if (typeof maxItems === 'number' && index >= maxItems) return NEVER;
    const prefix = schema['prefixItems'];
    if (Array.isArray(prefix) && index < prefix.length) {
      return schemaShape((prefix as readonly Json[])[index] ?? true, root);
    }
    return schema['items'] === undefined ? ANY : schemaShape(schema['items'], root);
  }

  #remember(shape: Shape, question: string, key: string, find: () => Shape): Shape {
    let answers = this.#children.get(shape);
    if (answers === undefined) {
      answers = new Map();
      this.#children.set(shape, answers);
    }
    let answer = answers.get(`${question} ${key}`);
    if (answer === undefined) {
      answer = find();
      answers.set(`${question} ${key}`, answer);
    }
    return answer;
  }

  /** Members that every object of this shape has. */
  required(shape: Shape): ReadonlySet<string> {
    let required = this.#required.get(shape);
    if (required === undefined) {
      required = this.#findRequired(shape);
      this.#required.set(shape, required);
    }
    return required;
  }

  #findRequired(shape: Shape): ReadonlySet<string> {
    switch (shape.kind) {
      case 'all':
        return new Set(shape.parts.flatMap((part) => [...this.required(part)]));
      case 'one': {
        const objects = shape.parts.filter((part) => (this.types(part) & TYPE.object) !== 0);
        const [first, ...rest] = objects.map((part) => this.required(part));
        return new Set([...(first ?? [])].filter((key) => rest.every((keys) => keys.has(key))));
      }
      case 'schema': {
        const required = isObject(shape.schema) ? shape.schema['required'] : undefined;
        if (!Array.isArray(required)) return NOTHING;
        return new Set((required as readonly Json[]).filter((key) => typeof key === 'string'));
      }
      default:
        return NOTHING;
    }
  }

  /** Member names that a schema lists, for "did you mean". */
  knownMembers(shape: Shape): readonly string[] {
    if (shape.kind === 'all' || shape.kind === 'one') return shape.parts.flatMap((part) => this.knownMembers(part));
    if (shape.kind !== 'schema' || !isObject(shape.schema)) return [];
    const properties = shape.schema['properties'];
    return isObject(properties) ? Object.keys(properties) : [];
  }
}

const NOTHING: ReadonlySet<string> = new Set();
/** Keywords whose subschemas may evaluate members of the same value. */
const IN_PLACE = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'not'] as const;

/** A schema as the conjunction of its own keywords, its reference and its combinations. */
export function schemaShape(schema: Json, root: Json): Shape {
  if (schema === true) return ANY;
  if (schema === false) return NEVER;
  if (!isObject(schema)) return ANY;
  const parts: Shape[] = [{ kind: 'schema', schema, root }];
  const ref = schema['$ref'];
  if (typeof ref === 'string') {
    const target = resolveLocal(ref, root);
    if (target !== undefined) parts.push(schemaShape(target, root));
  }
  const all = schema['allOf'];
  if (Array.isArray(all)) parts.push(...(all as readonly Json[]).map((part) => schemaShape(part, root)));
  for (const keyword of ['anyOf', 'oneOf']) {
    const choices = schema[keyword];
    if (Array.isArray(choices)) parts.push(oneOf((choices as readonly Json[]).map((part) => schemaShape(part, root))));
  }
  return allOf(parts);
}

/** The target of a reference into the same schema (`#/$defs/x`), or undefined. */
function resolveLocal(ref: string, root: Json): Json | undefined {
  const tokens = localTokens(ref);
  return tokens === null ? undefined : resolvePointer(root, tokens);
}

/** The pointer of a reference into the same schema, or null when it is none. */
export function localTokens(ref: string): readonly string[] | null {
  if (!ref.startsWith('#')) return null;
  try {
    return parsePointer(decodeURIComponent(ref.slice(1)));
  } catch {
    // A stray percent sign: not a reference to anything.
    return null;
  }
}

function allOf(parts: readonly Shape[]): Shape {
  if (parts.some((part) => part.kind === 'never')) return NEVER;
  const rest = parts.filter((part) => part.kind !== 'any');
  const [only] = rest;
  if (only === undefined) return ANY;
  return rest.length === 1 ? only : { kind: 'all', parts: rest };
}

function oneOf(parts: readonly Shape[]): Shape {
  const rest = parts.filter((part) => part.kind !== 'never');
  const [only] = rest;
  if (only === undefined) return NEVER;
  if (rest.some((part) => part.kind === 'any')) return ANY;
  return rest.length === 1 ? only : { kind: 'one', parts: rest };
}
