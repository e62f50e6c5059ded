/**
 * The TypeScript type of a JSON Schema. Every value that the schema accepts is of the type; what types cannot say (ranges,
 * lengths, formats, `not`, conditions) they leave out, and validation at run time says it.
 *
 * An own converter, because the schemas of a catalog are a small part of JSON Schema: references are local and never
 * recursive, there are no patterns, and there is one draft. A library for all of JSON Schema would bring along a parser of
 * references, a formatter and several drafts, give `any` or an index signature where a schema is silent, and could still
 * not be used in a browser.
 */
import { isArray, isObject } from '../canonical.js';
import { resolvePointer } from '../pointer.js';
import { ANY_TYPE, meet, TYPE, typeKeyword, typeOf } from '../schema/json-types.js';
import { localTokens } from '../schema/shape.js';
import type { Json, JsonObject } from '../value.js';
import { commentLines, stringLiteral } from './print-type.js';
import {
  intersection,
  JSON_ARRAY,
  JSON_OBJECT,
  JSON_VALUE,
  name,
  NEVER,
  NULL,
  objectType,
  union,
  type MemberType,
  type TypeExpr,
} from './type-expr.js';

/** A part of a schema that others refer to, as a type of its own. */
export interface PartType {
  readonly name: string;
  readonly type: TypeExpr;
  readonly doc: readonly string[];
}

export interface SchemaType {
  readonly type: TypeExpr;
  /** What it refers to, each before those that use it. */
  readonly parts: readonly PartType[];
}

/** The type of a schema. `namePart` gives a name to a part that is referred to, called with what its pointer ends in. */
export function schemaType(schema: Json, namePart: (label: string) => string): SchemaType {
  const converter = new Converter(schema, namePart);
  const type = converter.convert(schema, ANY_TYPE);
  return { type, parts: converter.parts };
}

/** The doc comment that a schema asks for. */
export function schemaDoc(schema: Json | undefined): readonly string[] {
  if (!isObject(schema)) return [];
  const text = typeof schema['description'] === 'string' ? schema['description'] : schema['title'];
  const lines = typeof text === 'string' ? commentLines(text) : [];
  return schema['deprecated'] === true ? [...lines, '@deprecated'] : lines;
}

class Converter {
  readonly parts: PartType[] = [];
  readonly #named = new Map<string, TypeExpr>();
  readonly #types = new WeakMap<object, number>();

  constructor(
    private readonly root: Json,
    private readonly namePart: (label: string) => string,
  ) {}

  /** The type of the values of `schema` that are of one of the JSON types `allowed`. */
  convert(schema: Json, allowed: number): TypeExpr {
    const types = meet(allowed, this.#typesOf(schema));
    if (!isObject(schema)) return bareType(types);
    const literals = literalsOf(schema);
    const parts: TypeExpr[] = [];
    if (literals !== null) parts.push(union(literals.filter((value) => fitsTypes(value, types)).map(literalType)));
    else if (describesMembers(schema, types)) parts.push(this.#collections(schema, types));
    const reference = this.#reference(schema, types);
    if (reference !== null) parts.push(reference);
    for (const part of schemaList(schema['allOf'])) parts.push(this.convert(part, types));
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schemaList(schema[keyword]);
      if (branches.length > 0) parts.push(union(branches.map((branch) => this.convert(branch, types))));
    }
    return parts.length === 0 ? bareType(types) : intersection(parts);
  }

  /** The object or array that the keywords of `schema` describe, or one of the other types it leaves open. */
  #collections(schema: JsonObject, types: number): TypeExpr {
    const object = (types & TYPE.object) === 0 ? [] : [this.#object(schema)];
    const array = (types & TYPE.array) === 0 ? [] : [this.#array(schema)];
    return union([...object, ...array, bareType(types & ~(TYPE.object | TYPE.array))]);
  }

  #object(schema: JsonObject): TypeExpr {
    if (!describesObject(schema)) return JSON_OBJECT;
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const others = schema['additionalProperties'];
    const required = new Set(strings(schema['required']));
    const names = isObject(schema['propertyNames']) ? literalsOf(schema['propertyNames']) : null;
    const keys = new Set([...Object.keys(properties), ...required, ...strings(names ?? [])]);
    const members = [...keys].toSorted().map((key): MemberType => {
      const property = Object.hasOwn(properties, key) ? properties[key] : others;
      const forbidden = names !== null && !names.includes(key);
      const type = forbidden ? NEVER : this.convert(property ?? true, ANY_TYPE);
      return {
        key,
        optional: !required.has(key),
        type,
        doc: Object.hasOwn(properties, key) ? schemaDoc(property) : [],
      };
    });
    return objectType(members, this.#index(schema, members, names !== null));
  }

  /** The type under the index signature. A schema that is silent about other members gets none: types are open anyway. */
  #index(schema: JsonObject, members: readonly MemberType[], closed: boolean): TypeExpr | null {
    const others = schema['additionalProperties'];
    if (closed || others === false) return members.length === 0 ? NEVER : null;
    if (others === undefined) return members.length === 0 ? JSON_VALUE : null;
    // TypeScript wants the listed members under it too.
    return union([this.convert(others, ANY_TYPE), ...members.map((member) => member.type)]);
  }

  #array(schema: JsonObject): TypeExpr {
    const items = schema['items'] ?? true;
    const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0;
    const most = typeof schema['maxItems'] === 'number' ? schema['maxItems'] : Infinity;
    const prefix = schemaList(schema['prefixItems']).slice(0, most);
    const rest = items === false || most <= prefix.length ? null : this.convert(items, ANY_TYPE);
    if (prefix.length === 0 && rest !== null) return { kind: 'array', item: rest };
    const leading = prefix.map((item, index) => ({
      type: this.convert(item, ANY_TYPE),
      optional: index >= least,
    }));
    return { kind: 'tuple', items: leading, rest };
  }

  /** What `$ref` leads to, under a name of its own. */
  #reference(schema: JsonObject, types: number): TypeExpr | null {
    const target = this.#target(schema);
    if (target === null) return null;
    const pointer = JSON.stringify(target.tokens);
    let type = this.#named.get(pointer);
    if (type === undefined) {
      const converted = this.convert(target.schema, ANY_TYPE);
      const part = { name: this.namePart(target.tokens.at(-1) ?? ''), type: converted, doc: schemaDoc(target.schema) };
      this.parts.push(part);
      type = name(part.name);
      this.#named.set(pointer, type);
    }
    const itsTypes = this.#typesOf(target.schema);
    return meet(itsTypes, types) === itsTypes ? type : intersection([type, bareType(types)]);
  }

  /** Null without `$ref`; the catalog has checked that references lead somewhere. */
  #target(schema: JsonObject): { readonly tokens: readonly string[]; readonly schema: Json } | null {
    const ref = schema['$ref'];
    const tokens = typeof ref === 'string' ? localTokens(ref) : null;
    const target = tokens === null ? undefined : resolvePointer(this.root, tokens);
    return tokens === null || target === undefined ? null : { tokens, schema: target };
  }

  /** The JSON types that values of `schema` may have, all its keywords considered. */
  #typesOf(schema: Json): number {
    if (schema === false) return 0;
    if (!isObject(schema)) return ANY_TYPE;
    let types = this.#types.get(schema);
    if (types === undefined) {
      types = this.#findTypes(schema);
      this.#types.set(schema, types);
    }
    return types;
  }

  #findTypes(schema: JsonObject): number {
    let types = typeKeyword(schema['type']);
    const literals = literalsOf(schema);
    if (literals !== null)
      types = meet(
        types,
        literals.reduce<number>((all, value) => all | typeOf(value), 0),
      );
    const target = this.#target(schema);
    if (target !== null) types = meet(types, this.#typesOf(target.schema));
    for (const part of schemaList(schema['allOf'])) types = meet(types, this.#typesOf(part));
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schemaList(schema[keyword]);
      if (branches.length > 0)
        types = meet(
          types,
          branches.reduce<number>((all, branch) => all | this.#typesOf(branch), 0),
        );
    }
    return types;
  }
}

/** The values that `const` or `enum` list, or null when there is neither. */
function literalsOf(schema: JsonObject): readonly Json[] | null {
  const values = schema['enum'] !== undefined && isArray(schema['enum']) ? schema['enum'] : null;
  const constant = schema['const'];
  if (constant === undefined) return values;
  const spelling = JSON.stringify(constant);
  return values === null || values.some((value) => JSON.stringify(value) === spelling) ? [constant] : [];
}

function fitsTypes(value: Json, types: number): boolean {
  return meet(typeOf(value), types) !== 0;
}

function describesMembers(schema: JsonObject, types: number): boolean {
  const object = (types & TYPE.object) !== 0 && describesObject(schema);
  return object || ((types & TYPE.array) !== 0 && describesArray(schema));
}

function describesArray(schema: JsonObject): boolean {
  return schema['items'] !== undefined || schema['prefixItems'] !== undefined || schema['maxItems'] === 0;
}

function describesObject(schema: JsonObject): boolean {
  if (isObject(schema['propertyNames']) && literalsOf(schema['propertyNames']) !== null) return true;
  return ['properties', 'required', 'additionalProperties'].some((keyword) => schema[keyword] !== undefined);
}

function schemaList(value: Json | undefined): readonly Json[] {
  return value !== undefined && isArray(value) ? value : [];
}

function strings(value: Json | undefined): readonly string[] {
  return schemaList(value).filter((item) => typeof item === 'string');
}

/** Any value of the JSON types. */
function bareType(types: number): TypeExpr {
  if ((types | TYPE.integer) === ANY_TYPE && (types & TYPE.number) !== 0) return JSON_VALUE;
  const isNumber = (types & (TYPE.integer | TYPE.number)) !== 0;
  return union([
    ...((types & TYPE.object) === 0 ? [] : [JSON_OBJECT]),
    ...((types & TYPE.array) === 0 ? [] : [JSON_ARRAY]),
    ...((types & TYPE.string) === 0 ? [] : [name('string')]),
    ...(isNumber ? [name('number')] : []),
    ...((types & TYPE.boolean) === 0 ? [] : [name('boolean')]),
    ...((types & TYPE.null) === 0 ? [] : [NULL]),
  ]);
}

/** The type of exactly this value. */
function literalType(value: Json): TypeExpr {
  if (value === null) return NULL;
  if (isArray(value))
    return { kind: 'tuple', items: value.map((item) => ({ type: literalType(item), optional: false })), rest: null };
  if (typeof value === 'object') {
    const members = Object.keys(value)
      .toSorted()
      .map((key) => ({
        key,
        optional: false,
        type: literalType(value[key] ?? null),
        doc: [],
      }));
    return members.length === 0 ? { kind: 'object', members, index: NEVER } : { kind: 'object', members, index: null };
  }
  return name(typeof value === 'string' ? stringLiteral(value) : String(value));
}
