/** Reads `graphrun.catalog/v1`: JSON with schemas, activity contracts and reconcilers (spec 01 "Catalog"). */
import { canonicalize, isObject } from '../canonical.js';
import { createContext, type CompileContext } from '../context.js';
import { Reporter, type Diagnostic } from '../diagnostic.js';
import { Fields, shorten } from '../fields.js';
import type { ActivityRef, Contract, SchemaRef } from '../ir.js';
import { parseVersionedName, versionedName } from '../names.js';
import { readSchemaRef } from '../schema/schema-ref.js';
import { readJson } from '../source/json.js';
import { describeTree, isWhole, toJson, type Span, type Tree } from '../source/tree.js';
import { didYouMean } from '../suggest.js';
import type { Json } from '../value.js';
import { BUILTIN_SCHEMAS } from './builtins.js';
import type { Catalog, Reconciler } from './catalog.js';
import {
  CATALOG_FIELDS,
  CATALOG_FORMAT,
  CONTRACT_FIELDS,
  ERROR_CODE_FIELDS,
  RECONCILER_FIELDS,
  VERSIONED_NAME_FIELDS,
} from './fields.js';
import { checkSchema } from './schema-rules.js';

export type CatalogResult =
  | { readonly ok: true; readonly catalog: Catalog }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Parses a catalog and adds the built-in schemas. Never throws; reports all errors at once. */
export function parseCatalog(text: string, file = 'catalog.json'): CatalogResult {
  const reporter = new Reporter();
  const tree = readJson(text, reporter);
  const catalog = tree === null ? undefined : readCatalog(tree, reporter);
  if (catalog !== undefined && reporter.errorCount === 0) return { ok: true, catalog };
  return { ok: false, diagnostics: reporter.diagnostics(text, file) };
}

const START: Span = { start: 0, end: 1 };

/** The catalog of a tree; with errors reported it is incomplete. */
export function readCatalog(tree: Tree, reporter: Reporter): Catalog | undefined {
  if (tree.kind !== 'map') {
    if (tree.kind !== 'broken')
      reporter.error('GR1103', tree.span, `a catalog is an object; this is ${describeTree(tree)}`);
    return undefined;
  }
  const fields = new Fields(tree, CATALOG_FIELDS, { what: 'a catalog', anchor: START }, reporter);
  const format = fields.string('format');
  if (format !== undefined && format.text !== CATALOG_FORMAT) {
    reporter.error(
      'GR1108',
      format.span,
      `the format "${shorten(format.text)}" is unknown`,
      `write "${CATALOG_FORMAT}"`,
    );
  }
  const schemas = readSchemas(fields, reporter);
  const known: Catalog = { schemas: { ...schemas.all }, contracts: [], reconcilers: [] };
  const context = createContext(known, reporter);
  const contracts = readContracts(fields, context);
  const reconcilers = readReconcilers(fields, context);
  const named = { activities: declaredNames(fields, 'activities'), reconcilers: declaredNames(fields, 'reconcilers') };
  checkLinks(contracts, reconcilers, named, reporter);
  return {
    schemas: schemas.all,
    contracts: contracts.map((entry) => entry.contract),
    reconcilers: reconcilers.map((entry) => entry.reconciler),
  };
}

/** Refused schemas stay among the names, so that their users are not refused as well. */
function readSchemas(fields: Fields, reporter: Reporter): { readonly all: Readonly<Record<string, Json>> } {
  const schemas = new Map<string, Json>();
  for (const { key, keySpan, value } of fields.map('schemas')?.map.members.values() ?? []) {
    if (parseVersionedName(key) === null) {
      reporter.error('GR1106', keySpan, `"${shorten(key)}" is not a schema name; write name/vN, as in "order/v1"`);
      continue;
    }
    schemas.set(key, toJson(value));
    const builtin = Object.hasOwn(BUILTIN_SCHEMAS, key) ? BUILTIN_SCHEMAS[key] : undefined;
    if (builtin === undefined) checkSchema(value, keySpan, reporter);
    else if (isWhole(value) && canonicalize(builtin) !== canonicalize(toJson(value))) {
      const message = `"${key}" is built in as ${canonicalize(builtin)} and cannot be declared differently`;
      reporter.error('GR1606', keySpan, message, 'choose another name');
    }
  }
  return { all: { ...Object.fromEntries(schemas), ...BUILTIN_SCHEMAS } };
}

// ------------------------------------------------------------------------------------------------------ contracts

interface ReadContract {
  readonly contract: Contract;
  /** Where its reconciler is named. */
  readonly reconcilerSpan: Span;
}

function readContracts(fields: Fields, context: CompileContext): readonly ReadContract[] {
  const contracts = new Map<string, ReadContract>();
  for (const tree of fields.list('activities') ?? []) {
    const read = readContract(tree, context);
    if (read === undefined) continue;
    const name = versionedName(read.contract.name, read.contract.version);
    if (contracts.has(name)) context.reporter.error('GR1607', nameSpan(tree), `the activity ${name} is declared twice`);
    else contracts.set(name, read);
  }
  return [...contracts.values()];
}

function readContract(tree: Tree, context: CompileContext): ReadContract | undefined {
  const { reporter } = context;
  if (tree.kind !== 'map') {
    if (tree.kind !== 'broken')
      reporter.error('GR1103', tree.span, `a contract is an object; this is ${describeTree(tree)}`);
    return undefined;
  }
  const fields = new Fields(tree, CONTRACT_FIELDS, { what: 'a contract', anchor: nameSpan(tree) }, reporter);
  fields.string('description');
  const name = fields.name('name');
  const version = fields.integer('version', 1, Number.MAX_SAFE_INTEGER);
  const inputSchema = readSchema(fields, 'input_schema', context);
  const outputSchema = readSchema(fields, 'output_schema', context);
  const execution = fields.choice('execution', ['async', 'blocking'] as const);
  const effects = fields.choice('effects', ['pure', 'external'] as const);
  const recovery = fields.choice('recovery', ['RetrySafe', 'Manual'] as const);
  const errorCodes = readErrorCodes(fields);
  const hasReconciler = fields.has('reconciler') && !isNull(fields.tree('reconciler'));
  const reconciler = hasReconciler ? readActivityRef(fields, 'reconciler') : null;
  if (name === undefined || version === undefined || inputSchema === undefined || outputSchema === undefined)
    return undefined;
  if (execution === undefined || effects === undefined || recovery === undefined || reconciler === undefined)
    return undefined;
  return {
    contract: { name, version, inputSchema, outputSchema, execution, effects, recovery, errorCodes, reconciler },
    reconcilerSpan: fields.tree('reconciler')?.span ?? nameSpan(tree),
  };
}

function isNull(tree: Tree | undefined): boolean {
  return tree?.kind === 'scalar' && tree.value === null;
}

function readSchema(fields: Fields, field: string, context: CompileContext): SchemaRef | undefined {
  const tree = fields.tree(field);
  return tree === undefined ? undefined : readSchemaRef(tree, context);
}

function readErrorCodes(fields: Fields): Contract['errorCodes'] {
  const codes = new Map<string, boolean>();
  for (const tree of fields.list('error_codes') ?? []) {
    if (tree.kind === 'broken') continue;
    if (tree.kind !== 'map') {
      const message = `each of "error_codes" is {code, retryable}; this is ${describeTree(tree)}`;
      fields.reporter.error('GR1103', tree.span, message);
      continue;
    }
    const place = { what: 'an error code', anchor: tree.span };
    const entry = new Fields(tree, ERROR_CODE_FIELDS, place, fields.reporter);
    const code = entry.name('code');
    const retryable = entry.tree('retryable');
    if (retryable !== undefined && !(retryable.kind === 'scalar' && typeof retryable.value === 'boolean')) {
      fields.reporter.error(
        'GR1103',
        retryable.span,
        `"retryable" is true or false; this is ${describeTree(retryable)}`,
      );
    }
    if (code === undefined) continue;
    if (codes.has(code))
      fields.reporter.error('GR1111', entry.tree('code')?.span ?? tree.span, `the code "${code}" is listed twice`);
    codes.set(code, retryable?.kind === 'scalar' && retryable.value === true);
  }
  return [...codes].map(([code, retryable]) => ({ code, retryable }));
}

function readActivityRef(owner: Fields, field: string): ActivityRef | undefined {
  const found = owner.map(field);
  if (found === undefined) return undefined;
  const place = { what: `"${field}"`, anchor: found.keySpan };
  const fields = new Fields(found.map, VERSIONED_NAME_FIELDS, place, owner.reporter);
  const name = fields.name('name');
  const version = fields.integer('version', 1, Number.MAX_SAFE_INTEGER);
  return name === undefined || version === undefined ? undefined : { name, version };
}

// ---------------------------------------------------------------------------------------------------- reconcilers

interface ReadReconciler {
  readonly reconciler: Reconciler;
  readonly forwardSpan: Span;
}

function readReconcilers(fields: Fields, context: CompileContext): readonly ReadReconciler[] {
  const { reporter } = context;
  const reconcilers = new Map<string, ReadReconciler>();
  for (const tree of fields.list('reconcilers') ?? []) {
    if (tree.kind !== 'map') {
      if (tree.kind !== 'broken')
        reporter.error('GR1103', tree.span, `a reconciler is an object; this is ${describeTree(tree)}`);
      continue;
    }
    const entry = new Fields(tree, RECONCILER_FIELDS, { what: 'a reconciler', anchor: nameSpan(tree) }, reporter);
    entry.string('description');
    const name = entry.name('name');
    const version = entry.integer('version', 1, Number.MAX_SAFE_INTEGER);
    const forwardActivity = readActivityRef(entry, 'forward_activity');
    if (name === undefined || version === undefined || forwardActivity === undefined) continue;
    const key = versionedName(name, version);
    if (reconcilers.has(key)) reporter.error('GR1607', nameSpan(tree), `the reconciler ${key} is declared twice`);
    const forwardSpan = entry.tree('forward_activity')?.span ?? tree.span;
    reconcilers.set(key, { reconciler: { name, version, forwardActivity }, forwardSpan });
  }
  return [...reconcilers.values()];
}

interface DeclaredNames {
  readonly activities: ReadonlySet<string>;
  readonly reconcilers: ReadonlySet<string>;
}

/** The names a list declares, of faulty entries too: what refers to those is not at fault itself. */
function declaredNames(fields: Fields, field: 'activities' | 'reconcilers'): ReadonlySet<string> {
  const list = fields.get(field)?.value;
  const names = new Set<string>();
  for (const tree of list?.kind === 'list' ? list.items : []) {
    const entry = isWhole(tree) ? toJson(tree) : null;
    const [name, version] = isObject(entry) ? [entry['name'], entry['version']] : [];
    if (typeof name === 'string' && typeof version === 'number') names.add(versionedName(name, version));
  }
  return names;
}

function checkLinks(
  contracts: readonly ReadContract[],
  reconcilers: readonly ReadReconciler[],
  named: DeclaredNames,
  reporter: Reporter,
): void {
  for (const { contract, reconcilerSpan } of contracts) {
    if (contract.reconciler === null) continue;
    const name = versionedName(contract.reconciler.name, contract.reconciler.version);
    if (named.reconcilers.has(name)) continue;
    reporter.error(
      'GR1608',
      reconcilerSpan,
      `the catalog has no reconciler ${name}`,
      didYouMean(name, named.reconcilers),
    );
  }
  for (const { reconciler, forwardSpan } of reconcilers) {
    const name = versionedName(reconciler.forwardActivity.name, reconciler.forwardActivity.version);
    if (named.activities.has(name)) continue;
    reporter.error('GR1608', forwardSpan, `the catalog has no activity ${name}`, didYouMean(name, named.activities));
  }
}

/** The name of an entry stands for the entry: its own span may be many lines. */
function nameSpan(tree: Tree): Span {
  return (tree.kind === 'map' ? tree.members.get('name')?.value.span : undefined) ?? tree.span;
}
