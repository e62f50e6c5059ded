/** A promise that was not kept. */
export class Violation extends Error {
  override readonly name = 'Violation';

  constructor(
    /** Number and name of the invariant: `3 one success`. */
    readonly invariant: string,
    message: string,
  ) {
    super(`${invariant}: ${message}`);
  }
}

export function violated(invariant: string, message: string): never {
  throw new Violation(invariant, message);
}
