/** Bindings as somebody would say them: `workflow.input.customer.tier`, `"gold"`, `{id, total}`. */
import type { Binding, Json, Projection } from '@graphrun/dsl';
import { cleanText } from '../text/clean.js';

const LITERAL_CHARS = 48;
const SIMPLE_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const INDEX = /^(0|[1-9][0-9]*)$/;

export function bindingWords(binding: Binding): string {
  if ('literal' in binding) return literalWords(binding.literal);
  if ('object' in binding) return `{${Object.keys(binding.object).map(cleanText).join(', ')}}`;
  if ('array' in binding) return `[${binding.array.map(bindingWords).join(', ')}]`;
  const from = projectionWords(binding);
  return binding.default === undefined ? from : `${from} (or ${literalWords(binding.default)} if missing)`;
}

/** The reference with the pointer's steps behind it, as JavaScript writes them. */
export function projectionWords({ from, path }: Projection): string {
  const steps = (path ?? '').split('/').slice(1);
  return from + steps.map((step) => stepWords(step.replaceAll('~1', '/').replaceAll('~0', '~'))).join('');
}

function stepWords(step: string): string {
  if (SIMPLE_KEY.test(step)) return `.${step}`;
  return INDEX.test(step) ? `[${step}]` : `[${cleanText(JSON.stringify(step))}]`;
}

/** JSON, cut where it is long. */
function literalWords(value: Json): string {
  const text = cleanText(JSON.stringify(value));
  const characters = Array.from(text);
  return characters.length <= LITERAL_CHARS ? text : `${characters.slice(0, LITERAL_CHARS - 1).join('')}\u2026`;
}
