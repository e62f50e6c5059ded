/**
 * A look over the tokens of a YAML source before anything recursive touches them.
 *
 * The composer of the `yaml` package descends recursively and makes an error object for each misplaced token, so a
 * hostile source could exhaust its stack or keep it busy for seconds. The survey is iterative and cheap: it measures
 * the nesting, counts the junk, and finds the YAML features that documents may not use, with their exact places.
 */
import type { CST } from 'yaml';
import { SOURCE_DEPTH, type Span } from './tree.js';

export interface ForbiddenFeature {
  readonly feature: 'anchor' | 'alias' | 'tag' | 'directive';
  readonly text: string;
  readonly span: Span;
}

export interface Survey {
  /** The first collection inside more than `SOURCE_DEPTH` others; what is in it was not looked at. */
  readonly tooDeep: Span | null;
  readonly forbidden: readonly ForbiddenFeature[];
  /** Places no parser could make sense of; once there are many the source is not worth composing. */
  readonly junkCount: number;
  readonly firstJunk: Span;
  /** Where the second document begins. */
  readonly secondDocument: Span | null;
}

interface Visit {
  readonly token: CST.Token;
  readonly depth: number;
}

/** Tokens that may stand between values. */
const FILLER: ReadonlySet<string> = new Set([
  'space',
  'newline',
  'comment',
  'comma',
  'doc-start',
  'doc-end',
  'doc-mode',
  'flow-map-start',
  'flow-map-end',
  'flow-seq-start',
  'flow-seq-end',
  'explicit-key-ind',
  'map-value-ind',
  'seq-item-ind',
  'byte-order-mark',
  'block-scalar-header',
]);

export function survey(tokens: readonly CST.Token[]): Survey {
  const forbidden: ForbiddenFeature[] = [];
  let tooDeep: Span | null = null;
  let junkCount = 0;
  let firstJunk: Span = { start: 0, end: 0 };
  let documents = 0;
  let secondDocument: Span | null = null;

  const junk = (span: Span): void => {
    if (junkCount === 0) firstJunk = span;
    junkCount += 1;
  };
  const glance = (marks: readonly CST.SourceToken[] | undefined, asProperties: boolean): void => {
    let properties = 0;
    let commas = 0;
    for (const mark of marks ?? []) {
      const span = spanOf(mark);
      if (mark.type === 'comma') {
        commas += 1;
        // `[,,,]`: an item without anything in it.
        if (commas > 1) junk(span);
      }
      if (FILLER.has(mark.type)) continue;
      if (asProperties && (mark.type === 'anchor' || mark.type === 'tag')) {
        forbidden.push({ feature: mark.type, text: mark.source, span });
        properties += 1;
        if (properties > 2) junk(span);
      } else junk(span);
    }
  };

  const pending: Visit[] = tokens.toReversed().map((token) => ({ token, depth: 0 }));
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { token, depth: outer } = visit;
    switch (token.type) {
      case 'directive':
        if (token.source.trim() !== '%YAML 1.2') {
          forbidden.push({ feature: 'directive', text: token.source, span: spanOf(token) });
          if (forbidden.length > 2) junk(spanOf(token));
        }
        break;
      case 'document':
        documents += 1;
        if (documents === 2) secondDocument = spanOf(token.start[0] ?? token);
        if (documents > 2) junk(spanOf(token));
        glance(token.start, true);
        glance(token.end, false);
        if (token.value) pending.push({ token: token.value, depth: outer });
        break;
      case 'error':
        junk({ start: token.offset, end: token.offset + Math.max(1, token.source.length) });
        break;
      case 'alias':
        forbidden.push({ feature: 'alias', text: token.source, span: spanOf(token) });
        glance(token.end, false);
        break;
      case 'block-map':
      case 'block-seq':
      case 'flow-collection': {
        if (outer === SOURCE_DEPTH) {
          tooDeep ??= { start: token.offset, end: token.offset + 1 };
          break;
        }
        if (token.type === 'flow-collection') glance(token.end, false);
        for (const item of token.items.toReversed()) {
          glance(item.start, true);
          glance(item.sep, true);
          if (item.value) pending.push({ token: item.value, depth: outer + 1 });
          if (item.key) pending.push({ token: item.key, depth: outer + 1 });
        }
        break;
      }
      default:
        if ('end' in token) glance(token.end, false);
    }
  }
  return { tooDeep, forbidden, junkCount, firstJunk, secondDocument };
}

function spanOf(token: { readonly offset: number } | CST.Token): Span {
  const length = 'source' in token ? token.source.length : 1;
  return { start: token.offset, end: token.offset + length };
}
