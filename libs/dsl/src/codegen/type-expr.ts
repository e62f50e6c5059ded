/** Types of TypeScript as the generator builds them: values to combine, before they are text. */

export type TypeExpr =
  /** Any JSON value. It holds every other type, so a union with it is itself and an intersection with it the rest. */
  | { readonly kind: 'json' }
  | { readonly kind: 'never' }
  /** A keyword, a literal, or the name of another type. */
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'array'; readonly item: TypeExpr }
  | {
      readonly kind: 'tuple';
      readonly items: readonly { readonly type: TypeExpr; readonly optional: boolean }[];
      /** Type of all items after those; null when there are none. */
      readonly rest: TypeExpr | null;
    }
  | {
      readonly kind: 'object';
      readonly members: readonly MemberType[];
      /** Type of all members that are not listed, under an index signature; null when the type says nothing of them. */
      readonly index: TypeExpr | null;
    }
  | { readonly kind: 'union' | 'intersection'; readonly parts: readonly TypeExpr[] };

export interface MemberType {
  readonly key: string;
  readonly optional: boolean;
  readonly type: TypeExpr;
  /** Lines of its doc comment; none without. */
  readonly doc: readonly string[];
}

export const JSON_VALUE: TypeExpr = { kind: 'json' };
export const NEVER: TypeExpr = { kind: 'never' };
export const NULL: TypeExpr = { kind: 'name', text: 'null' };
export const JSON_OBJECT: TypeExpr = { kind: 'object', members: [], index: JSON_VALUE };
export const JSON_ARRAY: TypeExpr = { kind: 'array', item: JSON_VALUE };

export function name(text: string): TypeExpr {
  return { kind: 'name', text };
}

/** One of the types; `null` comes last, as people write it. */
export function union(types: readonly TypeExpr[]): TypeExpr {
  const parts = distinct(
    types.flatMap((type) => (type.kind === 'union' ? type.parts : type.kind === 'never' ? [] : [type])),
  );
  if (parts.some((part) => part.kind === 'json')) return JSON_VALUE;
  return combined('union', [...parts.filter((part) => !isNull(part)), ...parts.filter(isNull)], NEVER);
}

/** All of the types at once. */
export function intersection(types: readonly TypeExpr[]): TypeExpr {
  const parts = distinct(
    types.flatMap((type) => (type.kind === 'intersection' ? type.parts : type.kind === 'json' ? [] : [type])),
  );
  return parts.some((part) => part.kind === 'never') ? NEVER : combined('intersection', parts, JSON_VALUE);
}

function combined(kind: 'union' | 'intersection', parts: readonly TypeExpr[], ofNone: TypeExpr): TypeExpr {
  const [first, second] = parts;
  if (first === undefined) return ofNone;
  return second === undefined ? first : { kind, parts };
}

/**
 * An object type. TypeScript refuses optional members beside an index signature that leaves `undefined` out, and one that
 * has it would let `undefined` pass for a JSON value; as two types in an intersection they get along.
 */
export function objectType(members: readonly MemberType[], index: TypeExpr | null): TypeExpr {
  if (index === null || !members.some((member) => member.optional)) return { kind: 'object', members, index };
  return intersection([
    { kind: 'object', members, index: null },
    { kind: 'object', members: [], index },
  ]);
}

function distinct(types: readonly TypeExpr[]): readonly TypeExpr[] {
  if (types.length < 2) return types;
  const seen = new Set<string>();
  return types.filter((type) => {
    const spelling = JSON.stringify(type);
    if (seen.has(spelling)) return false;
    seen.add(spelling);
    return true;
  });
}

export function isNull(type: TypeExpr): boolean {
  return type.kind === 'name' && type.text === 'null';
}

/** Whether the type mentions JSON values of any kind, which the module then has to import. */
export function mentionsJson(type: TypeExpr): boolean {
  switch (type.kind) {
    case 'json':
      return true;
    case 'never':
    case 'name':
      return false;
    case 'array':
      return mentionsJson(type.item);
    case 'tuple':
      return type.items.some((item) => mentionsJson(item.type)) || (type.rest !== null && mentionsJson(type.rest));
    case 'object':
      return (
        type.members.some((member) => mentionsJson(member.type)) || (type.index !== null && mentionsJson(type.index))
      );
    case 'union':
    case 'intersection':
      return type.parts.some(mentionsJson);
  }
}
