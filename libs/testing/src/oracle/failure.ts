/** Failures as the oracle knows them. */

export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** The failure of a scope, on its way to the scope's end. */
export class Fails extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** A failure that belongs to the node and not to its scope: an error route of the node may take it. */
export class NodeFails extends Fails {}

/** The engine chooses its own words, so all of one code stand for one another: see `isWords`. */
export function engineFailure(code: string): Failure {
  return { code, message: `⟨words of ${code}⟩` };
}

/** True for a text that holds words of the engine, which the oracle cannot know. */
export function isWords(text: string): boolean {
  return text.includes('⟨words of ');
}

/** The run depends on something that the oracle cannot know; there is nothing to compare. */
export class Unpredictable extends Error {
  override readonly name = 'Unpredictable';
}
