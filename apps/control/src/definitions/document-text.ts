/** Documents that come as plain JSON instead of YAML text: what the one says, the other would. */
import { LIMITS } from '@graphrun/dsl';
import type { Json } from '@graphrun/dsl';

/**
 * The text of a document, which the compiler reads as YAML, since JSON is YAML. Laid out in lines, so that diagnostics
 * can point into it; a document that only fits without its indentation stays on one line.
 */
export function documentText(document: Readonly<Record<string, Json>>): string {
  const lines = JSON.stringify(document, null, 2);
  return Buffer.byteLength(lines) <= LIMITS.yamlBytes ? lines : JSON.stringify(document);
}
