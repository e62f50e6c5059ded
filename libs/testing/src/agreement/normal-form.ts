/**
 * What a run has chosen for itself is replaced by what stands for it in predictions: ids of scopes, which are numbers in
 * the order of their opening, and the engine's own words. Both go wherever bindings and handlers carry them.
 */
import { ENGINE_ERROR_CODES, type RunEvent } from '@graphrun/domain';
import type { Json } from '@graphrun/dsl';
import { engineFailure, scopeId, type Observation } from '../oracle/index.js';

/** `scopes` are the paths of all scopes by their numbers. */
export function normalised(
  seen: Observation,
  history: readonly RunEvent[],
  scopes: ReadonlyMap<string, string>,
): Observation {
  const words = wordsIn(history);
  const text = (value: string): string => {
    let normal = value.replace(SCOPE_ID, (id: string, scope: string) => {
      const path = scopes.get(scope);
      return path === undefined ? id : scopeId(path);
    });
    for (const [message, code] of words) normal = normal.replaceAll(message, engineFailure(code).message);
    return normal;
  };
  // An observation is plain data.
  return mapTexts(seen as unknown as Json, text) as unknown as Observation;
}

const SCOPE_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.(s\d+)/g;

function mapTexts(value: Json, text: (value: string) => string): Json {
  if (typeof value === 'string') return text(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, text));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, text)]));
}

/** Messages of failures with codes of the engine; longer ones first, as one may hold another. */
function wordsIn(history: readonly RunEvent[]): readonly (readonly [string, string])[] {
  const words = new Map<string, string>();
  for (const { body } of history) {
    for (const failure of ['failure' in body ? body.failure : null, 'reason' in body ? body.reason : null]) {
      if (failure === null || typeof failure === 'string') continue;
      if (CODES.has(failure.code)) words.set(failure.message, failure.code);
    }
  }
  return [...words].sort(([a], [b]) => b.length - a.length);
}

const CODES: ReadonlySet<string> = new Set(ENGINE_ERROR_CODES);
