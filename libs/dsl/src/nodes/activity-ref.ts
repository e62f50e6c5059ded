/** `activity: {name, version}`: an activity of the catalog, exactly by name and version. */
import { contractIndex } from '../catalog/catalog.js';
import type { CompileContext } from '../context.js';
import { Fields, required, type FieldTable } from '../fields.js';
import type { ActivityRef, Contract } from '../ir.js';
import { versionedName } from '../names.js';
import { didYouMean } from '../suggest.js';
import { SYNTAX } from '../syntax.js';

export const ACTIVITY_REF_FIELDS = {
  name: required(SYNTAX.name, 'Name of the activity in the catalog.'),
  version: required(SYNTAX.version, 'Its version, exactly.'),
} as const satisfies FieldTable;

/** A reference and the contract it means; both undefined after reporting. */
export interface FoundActivity {
  readonly ref: ActivityRef | undefined;
  readonly contract: Contract | undefined;
}

/** Reads the field `activity` of a node or of a compensation. */
export function readActivity(owner: Fields, context: CompileContext): FoundActivity {
  const ref = readActivityRef(owner);
  return { ref, contract: ref === undefined ? undefined : findContract(ref, owner, context) };
}

function readActivityRef(owner: Fields): ActivityRef | undefined {
  const found = owner.map('activity');
  if (found === undefined) return undefined;
  const place = { what: 'an activity reference', anchor: found.keySpan };
  const fields = new Fields(found.map, ACTIVITY_REF_FIELDS, place, owner.reporter);
  const name = fields.name('name');
  const version = fields.integer('version', 1, Number.MAX_SAFE_INTEGER);
  return name === undefined || version === undefined ? undefined : { name, version };
}

function findContract(ref: ActivityRef, fields: Fields, context: CompileContext): Contract | undefined {
  const contract = contractIndex(context.catalog).get(versionedName(ref.name, ref.version));
  if (contract !== undefined) return contract;
  const span = fields.tree('activity')?.span ?? fields.anchor;
  const message = `the catalog has no activity "${ref.name}" in version ${ref.version}`;
  context.reporter.error('GR1501', span, message, () => suggestActivity(ref, context));
  return undefined;
}

function suggestActivity(ref: ActivityRef, context: CompileContext): string | null {
  const { contracts } = context.catalog;
  const versions = contracts.filter(({ name }) => name === ref.name).map(({ version }) => version);
  if (versions.length === 1) return `its only version is ${versions.join()}`;
  if (versions.length > 0) return `its versions are ${versions.toSorted((a, b) => a - b).join(', ')}`;
  return didYouMean(ref.name, new Set(contracts.map(({ name }) => name)));
}
