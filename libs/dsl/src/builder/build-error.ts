/**
 * A workflow that is put together wrongly in a way the type checker cannot see: an unfinished path, a key that is used
 * twice, a value that is out of reach. Thrown by the call that makes the mistake, so its stack leads to the line; the
 * message names the node. What is wrong in the document as a whole is said by `compile`.
 */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}
