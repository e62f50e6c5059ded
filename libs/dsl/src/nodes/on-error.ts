/**
 * `on_error`: edges that are taken instead of the failure of a node, once that failure is settled and compensated
 * (spec 01 "Beyond the original"). The first route whose codes match is taken.
 */
import { isArray, isObject } from '../canonical.js';
import type { CompileContext } from '../context.js';
import { Fields, required, shorten, type FieldTable } from '../fields.js';
import type { ErrorRoute } from '../ir.js';
import { isName } from '../names.js';
import { describeTree, type Span, type Tree } from '../source/tree.js';
import { listSyntax, SYNTAX } from '../syntax.js';
import type { Json } from '../value.js';
import { readEdge, sound, type Edge } from './node-kind.js';

export const ERROR_ROUTE_FIELDS = {
  codes: required(
    { anyOf: [{ const: 'any' }, { ...listSyntax(SYNTAX.name), uniqueItems: true }] },
    'Codes that take this route, or "any".',
  ),
  next: required(SYNTAX.nodeKey, 'The node to go on with; it can read nodes.<key>.error.'),
} as const satisfies FieldTable;

export interface ParsedErrorRoute {
  readonly codes: readonly string[] | 'any' | undefined;
  readonly edge: Edge | undefined;
}

/** These end the whole run: no edge can be taken after them. */
const UNCATCHABLE: ReadonlySet<string> = new Set(['run.cancelled', 'run.timeout', 'saga.abandoned']);

/** Stands for routes that could not be read: they may lead anywhere. */
const UNKNOWN_ROUTE: ParsedErrorRoute = { codes: undefined, edge: undefined };

/** Reads the field; no routes when the node has none. */
export function readErrorRoutes(owner: Fields, context: CompileContext): readonly ParsedErrorRoute[] {
  if (!owner.has('on_error')) return [];
  context.extensions.add('on_error');
  const trees = owner.list('on_error');
  if (trees === undefined) return [UNKNOWN_ROUTE];
  if (trees.length > 0) return new RouteReader(owner).read(trees);
  owner.reporter.error('GR1115', owner.tree('on_error')?.span ?? owner.anchor, '"on_error" needs at least one entry');
  return [UNKNOWN_ROUTE];
}

class RouteReader {
  readonly #owner: Fields;
  readonly #seen = new Set<string>();
  #caughtAll = false;

  constructor(owner: Fields) {
    this.#owner = owner;
  }

  read(trees: readonly Tree[]): readonly ParsedErrorRoute[] {
    return trees.map((tree) => this.#route(tree));
  }

  #route(tree: Tree): ParsedErrorRoute {
    const { reporter } = this.#owner;
    if (tree.kind !== 'map') {
      if (tree.kind !== 'broken') {
        const message = `each of "on_error" is a map with "codes" and "next"; this is ${describeTree(tree)}`;
        reporter.error('GR1103', tree.span, message);
      }
      return UNKNOWN_ROUTE;
    }
    const fields = new Fields(tree, ERROR_ROUTE_FIELDS, { what: 'an error route', anchor: tree.span }, reporter);
    if (this.#caughtAll) {
      reporter.error('GR1210', tree.span, 'this route is never taken: one before it takes any code');
    }
    return { codes: this.#codes(fields), edge: readEdge(fields, 'next', 'error') };
  }

  #codes(fields: Fields): readonly string[] | 'any' | undefined {
    const tree = fields.tree('codes');
    if (tree?.kind === 'scalar' && tree.value === 'any') {
      this.#caughtAll = true;
      return 'any';
    }
    if (tree === undefined) return undefined;
    if (tree.kind !== 'list') {
      const message = `"codes" is "any" or a list of error codes; this is ${describeTree(tree)}`;
      fields.reporter.error('GR1103', tree.span, message);
      return undefined;
    }
    if (tree.items.length === 0) fields.reporter.error('GR1115', tree.span, '"codes" needs at least one entry');
    return tree.items.map((item) => this.#code(item)).filter((code) => code !== undefined);
  }

  #code(tree: Tree): string | undefined {
    const { reporter } = this.#owner;
    if (tree.kind === 'broken') return undefined;
    if (tree.kind !== 'scalar' || typeof tree.value !== 'string') {
      reporter.error(
        'GR1103',
        tree.span,
        `each of "codes" is an error code, which is a string; this is ${describeTree(tree)}`,
      );
      return undefined;
    }
    const code = tree.value;
    if (!isName(code)) reporter.error('GR1106', tree.span, `"${shorten(code)}" is not an error code: ${NAME_RULE}`);
    else if (UNCATCHABLE.has(code)) this.#uncatchable(code, tree.span);
    else if (this.#seen.has(code)) reporter.error('GR1111', tree.span, `the code "${code}" is listed twice`);
    this.#seen.add(code);
    return code;
  }

  #uncatchable(code: string, span: Span): void {
    this.#owner.reporter.error('GR1506', span, `"${code}" ends the run, so no route can be taken after it`);
  }
}

const NAME_RULE = '1 to 64 letters, digits, "_", "." and "-"';

/** Edges of the routes, in the order in which they are tried. */
export function errorEdges(routes: readonly ParsedErrorRoute[]): readonly (Edge | undefined)[] {
  return routes.map(({ edge }) => edge);
}

/** The member of the normal form; no member for a node without routes. */
export function normalizeErrorRoutes(routes: readonly ParsedErrorRoute[]): {
  readonly onError?: readonly ErrorRoute[];
} {
  if (routes.length === 0) return {};
  return { onError: routes.map(({ codes, edge }) => ({ codes: sound(codes), next: sound(edge).to })) };
}

/** The member of a document, from the normal form's. */
export function restoreErrorRoutes(onError: Json | undefined): { readonly on_error?: Json } {
  if (onError === undefined) return {};
  if (!isArray(onError)) return { on_error: onError };
  return { on_error: onError.map((route) => (isObject(route) ? { ...route } : route)) };
}
