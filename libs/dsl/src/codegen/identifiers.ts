/**
 * Identifiers for names of a catalog. Those allow dots, dashes and leading digits, differ by case and punctuation alone,
 * and come in versions; identifiers do not. Names are given out in a fixed order, so the same catalog always gets the same.
 */

/** Words that no variable of a module may be called, once it is compiled to CommonJS included. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private protected public return ' +
    'static super switch this throw true try typeof undefined var void while with yield ' +
    'exports globalThis module require __dirname __filename'
  ).split(' '),
);

/** Hands out each identifier once. */
export class Identifiers {
  readonly #taken: Set<string>;

  /** `taken`: what must not be handed out, such as names that the module imports. */
  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** `wanted`, or where that is taken `wanted_2`, `wanted_3`, and so on. */
  claim(wanted: string): string {
    let free = wanted;
    for (let number = 2; this.#taken.has(free); number += 1) free = `${wanted}_${number}`;
    this.#taken.add(free);
    return free;
  }

  has(identifier: string): boolean {
    return this.#taken.has(identifier);
  }
}

/** `reserved_order` and `reserved-order` become `ReservedOrder`; `3d.model` becomes `_3dModel`. */
export function pascalCase(name: string): string {
  return startSafely(pascalPart(name));
}

/** The same for what is put after something, and may begin with a digit; `_` when nothing is left. */
export function pascalPart(name: string): string {
  return words(name).map(capitalized).join('') || '_';
}

/** `reserve` and `order_items` stay as they are; `payment-gateway` becomes `paymentGateway`. For members of objects. */
export function memberName(name: string): string {
  const [first = '', ...rest] = name.split(/[^A-Za-z0-9_]+/).filter((word) => word !== '');
  return startSafely(first + rest.map(capitalized).join(''));
}

/** As `memberName`, for variables: `delete` becomes `delete_`. */
export function variableName(name: string): string {
  const identifier = memberName(name);
  return RESERVED.has(identifier) ? `${identifier}_` : identifier;
}

/** Names of a catalog are ASCII letters, digits and `_.-`; other characters come from the names of parts of a schema. */
function words(name: string): readonly string[] {
  return name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function startSafely(identifier: string): string {
  return /^[A-Za-z_$]/.test(identifier) ? identifier : `_${identifier}`;
}
