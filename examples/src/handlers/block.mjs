/**
 * A handler that blocks its thread, as a synchronous library or a long computation does. JavaScript, because a thread
 * starts it from its file: this one is the same in the sources and in the build.
 */

const BLOCKED_MS = 400;

/**
 * @template Value
 * @param {Value} input
 * @returns {Value}
 */
export function block(input) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, BLOCKED_MS);
  return input;
}
