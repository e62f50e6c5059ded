/**
 * Reads YAML into a positioned tree under the rules of spec 01 "Workflow document": one document of at most 256 KiB,
 * YAML 1.2 core scalars, no tags, anchors, aliases, merge keys or duplicate keys, and numbers only as JSON spells
 * them. Every fault is reported with its place; nothing here throws on any input.
 */
import { Composer, isMap, isScalar, isSeq, type Node as YamlNode, type Pair, type YAMLParseError } from 'yaml';
import { byteLength } from '../canonical.js';
import type { Reporter } from '../diagnostic.js';
import { shorten } from '../fields.js';
import { LIMITS } from '../limits.js';
import { numberIssue, scalarIssue } from '../value-check.js';
import { survey, type ForbiddenFeature } from './cst-survey.js';
import { readTokens } from './tokens.js';
import { SOURCE_DEPTH, type Member, type Span, type Tree } from './tree.js';

/** Beyond this many misplaced tokens only the first is reported. */
const MAX_JUNK = 50;

/** Characters of a message of the parser. */
const MAX_MESSAGE = 160;

const START: Span = { start: 0, end: 1 };

/** The tree of a document, or null when the source is so broken that nothing else can be said about it. */
export function readYaml(source: string, reporter: Reporter): Tree | null {
  const bytes = source.length > LIMITS.yamlBytes ? source.length : byteLength(source);
  if (bytes > LIMITS.yamlBytes) {
    reporter.error('GR1002', START, `the document is larger than ${LIMITS.yamlBytes} bytes; split the workflow`);
    return null;
  }
  const { tokens, tooDeep } = readTokens(source, MAX_JUNK);
  const found = survey(tokens);
  const deepest = tooDeep ?? found.tooDeep;
  if (deepest !== null) {
    reporter.error('GR1008', deepest, `maps and lists are nested deeper than ${SOURCE_DEPTH} levels`);
    return null;
  }
  if (found.junkCount > MAX_JUNK) {
    reporter.error('GR1001', found.firstJunk, 'this is not YAML from here on');
    return null;
  }
  for (const feature of found.forbidden) reportFeature(feature, reporter);
  if (found.secondDocument !== null) {
    reporter.error('GR1003', found.secondDocument, 'a second document begins here; put each workflow in its own file');
    return null;
  }
  const options = { version: '1.2', schema: 'core', uniqueKeys: false, merge: false, prettyErrors: false } as const;
  const [document] = [...new Composer({ ...options, logLevel: 'silent' }).compose(tokens)];
  if (document === undefined || document.contents === null) {
    reporter.error('GR1003', START, 'there is no document here; a workflow begins with "dsl: graphrun/v1"');
    return null;
  }
  if (reportSyntax(document.errors, found.forbidden, source, reporter)) return null;
  return new YamlReader(source, reporter).read(document.contents, null, true);
}

function reportFeature(feature: ForbiddenFeature, reporter: Reporter): void {
  const advice = {
    anchor: 'write the value out where it is needed',
    alias: 'write the value out where it is needed',
    tag: 'the kind of a value comes from its schema',
    directive: 'only "%YAML 1.2" may stand before a document',
  }[feature.feature];
  const text = feature.text.length > 40 ? `${feature.text.slice(0, 40)}...` : feature.text;
  reporter.error('GR1004', feature.span, `the ${feature.feature} "${text}" is not allowed; ${advice}`);
}

/** Reports syntax errors, the first of each line. What the parser says about forbidden features is known already. */
function reportSyntax(
  errors: readonly YAMLParseError[],
  forbidden: readonly ForbiddenFeature[],
  source: string,
  reporter: Reporter,
): boolean {
  let reported = false;
  let lineEnd = -1;
  const known = new Set(forbidden.map((feature) => feature.span.start));
  for (const error of errors.toSorted((a, b) => a.pos[0] - b.pos[0])) {
    const [start, end] = error.pos;
    if (known.has(start)) continue;
    reported = true;
    if (start <= lineEnd) continue;
    const newline = source.indexOf('\n', start);
    lineEnd = newline === -1 ? source.length : newline;
    const from = Math.min(start, source.length);
    // Some messages hold what follows in the source, to its end.
    const message = shorten(error.message.replace(/\.$/, ''), MAX_MESSAGE);
    reporter.error('GR1001', { start: from, end: Math.max(from, Math.min(end, lineEnd)) }, lowerFirst(message));
  }
  return reported;
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

class YamlReader {
  readonly #source: string;
  readonly #reporter: Reporter;
  /** Part of the line that was asked for last. */
  #line: Span = { start: 0, end: -1 };

  constructor(source: string, reporter: Reporter) {
    this.#source = source;
    this.#reporter = reporter;
  }

  /** `key` is the span of the key that the value belongs to: block values are anchored there. */
  read(node: unknown, key: Span | null, isRoot = false): Tree {
    if (isScalar(node)) return this.#scalar(node, key);
    if (isMap(node)) return this.#map(node.items, this.#anchor(node, key, isRoot));
    if (isSeq(node)) {
      const span = this.#anchor(node, key, isRoot);
      return { kind: 'list', items: node.items.map((item) => this.read(item, null)), span };
    }
    // An alias, reported by the survey, or nothing at all.
    const span = key ?? this.#firstLine(rangeOf(node as YamlNode | null, START));
    return node === null ? { kind: 'scalar', value: null, span } : { kind: 'broken', span };
  }

  /**
   * Flow collections stand where they begin, block collections at their key, or at their first line. The document stands at
   * its first character: no complaint is about all of it.
   */
  #anchor(node: YamlNode & { flow?: boolean }, key: Span | null, isRoot: boolean): Span {
    const range = rangeOf(node, START);
    if (node.flow !== true) return key ?? this.#firstLine(range);
    if (isRoot) return { start: range.start, end: range.start + 1 };
    return key !== null && this.#beginsLater(range, key) ? key : range;
  }

  /** True for a value that begins on a line below its key: whoever reads the complaint should see the key. */
  #beginsLater(value: Span, key: Span): boolean {
    return this.#source.slice(key.end, value.start).includes('\n');
  }

  #firstLine(span: Span): Span {
    return { start: span.start, end: Math.min(span.end, this.#lineEnd(span.start)) };
  }

  /** Remembered, since a line may hold a hundred thousand values. */
  #lineEnd(at: number): number {
    if (at < this.#line.start || at > this.#line.end) {
      const newline = this.#source.indexOf('\n', at);
      this.#line = { start: at, end: newline === -1 ? this.#source.length : newline };
    }
    return this.#line.end;
  }

  #map(pairs: readonly Pair[], span: Span): Tree {
    const members = new Map<string, Member>();
    for (const pair of pairs) {
      const key = this.#key(pair.key, span);
      if (key === null) continue;
      const value = this.read(pair.value, key.span);
      if (members.has(key.text)) {
        this.#reporter.error('GR1005', key.span, `the key "${shorten(key.text)}" is here twice; remove one`);
        continue;
      }
      members.set(key.text, { key: key.text, keySpan: key.span, value });
    }
    return { kind: 'map', members, span };
  }

  #key(node: unknown, map: Span): { readonly text: string; readonly span: Span } | null {
    if (!isScalar(node)) {
      const span = rangeOf(node as YamlNode | null, map);
      this.#reporter.error('GR1010', this.#firstLine(span), 'a key must be a plain word or a quoted string');
      return null;
    }
    const span = this.#firstLine(rangeOf(node, map));
    if (node.type === 'PLAIN' && node.source === '<<') {
      this.#reporter.error('GR1004', span, 'the merge key "<<" is not allowed; write the members out');
      return null;
    }
    if (typeof node.value !== 'string') {
      const text = this.#source.slice(span.start, span.end);
      this.#reporter.error(
        'GR1010',
        span,
        `the key ${text === '' ? 'is empty' : `${shorten(text)} is not a string`}; quote it`,
      );
      return null;
    }
    const issue = scalarIssue(node.value);
    if (issue !== null) {
      this.#reporter.error('GR1009', span, `the key ${issue}`);
      return null;
    }
    return { text: node.value, span };
  }

  #scalar(node: YamlNode & { type?: unknown; value: unknown; source?: string }, key: Span | null): Tree {
    const range = rangeOf(node, START);
    const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
    const away = range.start === range.end || isBlock;
    const span = key !== null && (away || this.#beginsLater(range, key)) ? key : this.#firstLine(range);
    const value = node.value;
    if (typeof value === 'number') return this.#number(value, node.source ?? '', span);
    if (typeof value === 'string') {
      const issue = scalarIssue(value);
      if (issue === null) return { kind: 'scalar', value, span };
      this.#reporter.error('GR1009', span, `the text ${issue}`);
      return { kind: 'broken', span };
    }
    if (value === null || typeof value === 'boolean') return { kind: 'scalar', value, span };
    return { kind: 'broken', span };
  }

  #number(value: number, spelling: string, span: Span): Tree {
    if (!JSON_NUMBER.test(spelling)) {
      const shown = spelling.length > 40 ? `${spelling.slice(0, 40)}...` : spelling;
      this.#reporter.error('GR1006', span, `${shown} is an odd spelling of a number; quote it or write it plainly`);
      return { kind: 'broken', span };
    }
    const issue = numberIssue(value);
    if (issue === null) return { kind: 'scalar', value, span };
    this.#reporter.error('GR1007', span, `the number ${issue}`);
    return { kind: 'broken', span };
  }
}

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

function rangeOf(node: YamlNode | null, fallback: Span): Span {
  const range = node?.range;
  return range ? { start: range[0], end: range[1] } : fallback;
}
