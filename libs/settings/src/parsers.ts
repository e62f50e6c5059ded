/** How the text of a setting is read. A parser returns the value or says in a few words what the text must be. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly expected: string };
export type Parser<T> = (text: string) => Parsed<T>;

const refuse = (expected: string): Parsed<never> => ({ ok: false, expected });
const accept = <T>(value: T): Parsed<T> => ({ ok: true, value });

export const text: Parser<string> = (given) => accept(given);

export const name: Parser<string> = (given) =>
  /^[A-Za-z0-9_.-]{1,64}$/.test(given) ? accept(given) : refuse('a name of 1 to 64 characters of A-Z a-z 0-9 _ . -');

/** `payment.charge`, or one version of it as `payment.charge/v1`. */
export const activity: Parser<string> = (given) =>
  /^[A-Za-z0-9_.-]{1,64}(\/v[1-9]\d{0,8})?$/.test(given)
    ? accept(given)
    : refuse('activities such as payment.charge or payment.charge/v1');

export function integer(min: number, max: number): Parser<number> {
  return (given) => {
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    return value >= min && value <= max ? accept(value) : refuse(`an integer from ${min} to ${max}`);
  };
}

export function oneOf<T extends string>(...allowed: readonly T[]): Parser<T> {
  return (given) => {
    const value = allowed.find((candidate) => candidate === given);
    return value === undefined ? refuse(`one of ${allowed.join(', ')}`) : accept(value);
  };
}

export function list<T>(parse: Parser<T>, least = 0): Parser<readonly T[]> {
  return (given) => {
    const values: T[] = [];
    for (const part of given.split(',').map((entry) => entry.trim())) {
      if (part === '') continue;
      const parsed = parse(part);
      if (!parsed.ok) return refuse(`a list, separated by commas, of ${parsed.expected}`);
      values.push(parsed.value);
    }
    return values.length < least ? refuse(`a list, separated by commas, of at least ${least}`) : accept(values);
  };
}

export function url(...protocols: readonly string[]): Parser<string> {
  return (given) => {
    const expected = `a URL such as ${protocols[0] ?? 'http'}://host:port`;
    try {
      const { protocol } = new URL(given);
      return protocols.includes(protocol.slice(0, -1)) ? accept(given) : refuse(expected);
    } catch {
      // Not a URL at all: the parser's answer says what it must be.
      return refuse(expected);
    }
  };
}

export interface ApiKey {
  /** Principal of requests that bring this key. */
  readonly name: string;
  readonly token: string;
}

const SHORTEST_TOKEN = 16;

/** `name:token`. The token is never repeated in a message. */
export const apiKey: Parser<ApiKey> = (given) => {
  const colon = given.indexOf(':');
  const parsed = name(given.slice(0, Math.max(0, colon)));
  const token = given.slice(colon + 1);
  if (!parsed.ok || token.length < SHORTEST_TOKEN) {
    return refuse(`name:token with a token of at least ${SHORTEST_TOKEN} characters`);
  }
  return accept({ name: parsed.value, token });
};
