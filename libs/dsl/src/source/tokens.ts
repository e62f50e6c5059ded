/**
 * The tokens of a YAML source, as far as they are worth having: reading stops where collections are nested too deeply,
 * and where so much is wrong that the first faults say it all. A hostile source is answered after a few hundred tokens.
 */
import { Lexer, Parser, type CST } from 'yaml';
import { SOURCE_DEPTH, type Span } from './tree.js';

export interface Tokens {
  readonly tokens: readonly CST.Token[];
  /** Where the first collection begins that is inside more than `SOURCE_DEPTH` others; reading stopped there. */
  readonly tooDeep: Span | null;
}

/** Documents that are read: the second one is complained about, and what follows is not looked at. */
const MAX_DOCUMENTS = 2;

/** Reads up to `maxErrors` faults and directives between documents, and one more. */
export function readTokens(source: string, maxErrors: number): Tokens {
  const tokens: CST.Token[] = [];
  const parser = new Parser();
  let documents = 0;
  let errors = 0;
  const add = (token: CST.Token): void => {
    tokens.push(token);
    if (token.type === 'document') documents += 1;
    if (token.type === 'error' || token.type === 'directive') errors += 1;
  };
  for (const lexeme of new Lexer().lex(source)) {
    for (const token of parser.next(lexeme)) add(token);
    if (documents > MAX_DOCUMENTS || errors > maxErrors) return { tokens, tooDeep: null };
    if (parser.stack.length > SOURCE_DEPTH) {
      const tooDeep = collectionAt(parser.stack, SOURCE_DEPTH);
      if (tooDeep !== undefined) return { tokens, tooDeep: { start: tooDeep.offset, end: tooDeep.offset + 1 } };
    }
  }
  for (const token of parser.end()) add(token);
  return { tokens, tooDeep: null };
}

/** The collection inside `depth` others, among those that are open. */
function collectionAt(open: readonly CST.Token[], depth: number): CST.Token | undefined {
  return open.filter(({ type }) => COLLECTIONS.has(type))[depth];
}

const COLLECTIONS: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);
