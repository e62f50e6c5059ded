/**
 * Shapes of request bodies and queries. One declaration gives both the strict reader and the JSON Schema of the
 * OpenAPI document, so the two cannot disagree. Readers collect every issue they can instead of stopping at the first.
 */

/** A JSON Schema 2020-12 fragment, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What is wrong and where: a JSON pointer into the body, or `?name` for a query parameter. */
export interface Issue {
  readonly pointer: string;
  readonly message: string;
}

/** Says that a value was refused; the reason is among the issues. */
export const REFUSED: unique symbol = Symbol('refused');

export interface Shape<T> {
  readonly schema: JsonSchema;
  read(value: unknown, pointer: string, issues: Issue[]): T | typeof REFUSED;
}

export interface Field<T> {
  readonly shape: Shape<T>;
  /** Taken when the field is absent; a required field has none. */
  readonly fallback?: { readonly value: T };
}

export type Fields<T> = { readonly [K in keyof T]: Field<T[K]> };

export function required<T>(shape: Shape<T>): Field<T> {
  return { shape };
}

export function optional<T, D>(shape: Shape<T>, fallback: D): Field<T | D> {
  return { shape: shape, fallback: { value: fallback } };
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** An object with exactly these fields. */
export function object<T extends object>(fields: Fields<T>): Shape<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  const known = new Set<string>(names);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, fields[name].shape.schema])),
      required: names.filter((name) => fields[name].fallback === undefined),
      additionalProperties: false,
    },
    read(value, pointer, issues) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        issues.push({ pointer, message: `must be an object with ${names.join(', ')}` });
        return REFUSED;
      }
      const given = value as Record<string, unknown>;
      const before = issues.length;
      for (const name in given) {
        if (!known.has(name)) {
          issues.push({
            pointer: `${pointer}/${escapePointer(name)}`,
            message: `is not a known field; known are ${names.join(', ')}`,
          });
        }
      }
      const out: Partial<T> = {};
      for (const name of names) {
        const { shape, fallback } = fields[name];
        const raw = given[name];
        if (raw === undefined) {
          if (fallback === undefined) issues.push({ pointer: `${pointer}/${name}`, message: 'is required' });
          else out[name] = fallback.value;
          continue;
        }
        const read = shape.read(raw, `${pointer}/${name}`, issues);
        if (read !== REFUSED) out[name] = read;
      }
      return issues.length === before ? (out as T) : REFUSED; // no issue: every field has been set
    },
  };
}

/**
 * An object whose text `tag` says which of the variants it is: each has the fields of its own besides. An unknown tag is
 * the only issue that is told: nothing else can be said about such an object.
 */
export function variants<T extends object>(
  tag: keyof T & string,
  fields: Readonly<Record<string, Readonly<Record<string, Field<unknown>>>>>,
): Shape<T> {
  const members = new Map<string, Shape<object>>();
  for (const [name, own] of Object.entries(fields))
    members.set(name, object({ [tag]: required(constant(name)), ...own }));
  return {
    schema: { oneOf: Array.from(members.values(), (member) => member.schema) },
    read(value, pointer, issues) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        issues.push({ pointer, message: `must be an object with ${tag} and what belongs to it` });
        return REFUSED;
      }
      const given = (value as Readonly<Record<string, unknown>>)[tag];
      const member = typeof given === 'string' ? members.get(given) : undefined;
      if (member === undefined) {
        issues.push({ pointer: `${pointer}/${tag}`, message: `must be one of ${[...members.keys()].join(', ')}` });
        return REFUSED;
      }
      return member.read(value, pointer, issues) as T | typeof REFUSED; // the variants together are T
    },
  };
}

function constant(value: string): Shape<string> {
  return { schema: { const: value }, read: () => value }; // compared by whoever has chosen the variant
}
