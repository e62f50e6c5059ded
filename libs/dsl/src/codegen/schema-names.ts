/** How the schemas of a catalog are called in a module: types, witnesses, and references to them. */
import { BUILTIN_SCHEMAS } from '../catalog/builtins.js';
import type { SchemaRef } from '../ir.js';
import { parseVersionedName } from '../names.js';
import { list, type Doc } from './doc.js';
import { pascalCase, type Identifiers } from './identifiers.js';
import { name, NULL, type TypeExpr } from './type-expr.js';

/** Names in the module of `@graphrun/dsl/builder` that a witness may need. */
export type BuilderName = 'activityReference' | 'arrayOf' | 'builtin' | 'schema' | 'tupleOf';

/** Builtins need no types of their own. */
const BUILTIN_TYPES: Readonly<Record<string, TypeExpr>> = {
  'unit/v1': NULL,
  'string/v1': name('string'),
  'integer/v1': name('number'),
  'number/v1': name('number'),
  'boolean/v1': name('boolean'),
};

/** Names grouped with their versions, by name; the highest version of each first. */
export function byHighestVersion<Item extends { readonly name: string; readonly version: number }>(
  items: readonly Item[],
): readonly Item[] {
  return items.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : b.version - a.version));
}

export class SchemaNames {
  readonly #identifiers = new Map<string, string>();

  /**
   * The highest version of a schema gets the plain name, older ones `OrderV1`. Plain names are given out first: what an old
   * version is called never takes the name of another schema.
   */
  constructor(refs: readonly string[], identifiers: Identifiers) {
    const sorted = byHighestVersion(
      refs
        .filter((ref) => !Object.hasOwn(BUILTIN_SCHEMAS, ref))
        .flatMap((ref) => {
          const parsed = parseVersionedName(ref);
          return parsed === null ? [] : [{ ...parsed, ref }];
        }),
    );
    const isPlain = (index: number): boolean => sorted[index - 1]?.name !== sorted[index]?.name;
    const plain = sorted.filter((_, index) => isPlain(index));
    const older = sorted.filter((_, index) => !isPlain(index));
    for (const { ref, name: of } of plain) this.#identifiers.set(ref, identifiers.claim(pascalCase(of)));
    for (const { ref, name: of, version } of older) {
      this.#identifiers.set(ref, identifiers.claim(`${pascalCase(of)}V${version}`));
    }
  }

  /** Schemas that get a declaration, with their identifiers, ordered by identifier. */
  get declared(): readonly (readonly [ref: string, identifier: string])[] {
    return [...this.#identifiers].toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  }

  /** The type of the values. */
  type(ref: SchemaRef): TypeExpr {
    if (typeof ref === 'string') return BUILTIN_TYPES[ref] ?? name(this.#identifier(ref));
    if ('array' in ref) return { kind: 'array', item: this.type(ref.array) };
    return { kind: 'tuple', items: ref.tuple.map((item) => ({ type: this.type(item), optional: false })), rest: null };
  }

  /** The expression of the witness; `use` is told what it needs from the builder. */
  witness(ref: SchemaRef, use: (needed: BuilderName) => void): Doc {
    if (typeof ref !== 'string') {
      const [maker, items] = 'array' in ref ? (['arrayOf', [ref.array]] as const) : (['tupleOf', ref.tuple] as const);
      use(maker);
      return [
        maker,
        list(
          '(',
          items.map((item) => this.witness(item, use)),
          ')',
        ),
      ];
    }
    if (!Object.hasOwn(BUILTIN_SCHEMAS, ref)) return this.#identifier(ref);
    use('builtin');
    return `builtin.${parseVersionedName(ref)?.name}`;
  }

  #identifier(ref: string): string {
    const identifier = this.#identifiers.get(ref);
    if (identifier === undefined) throw new TypeError(`the catalog has no schema "${ref}"`);
    return identifier;
  }
}
