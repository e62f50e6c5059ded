/**
 * Activities grouped as their names say: `inventory.reserve` is the member `reserve` of `inventory`. The highest version
 * has the plain name, older ones are `reserve_v1`. Where `inventory.reserve` is an activity and `inventory.reserve.all`
 * another, the activity keeps the name and the group is `reserve_`.
 */
import type { Contract } from '../ir.js';
import { Identifiers, memberName, variableName } from './identifiers.js';
import { byHighestVersion } from './schema-names.js';

export interface ActivityGroup {
  /** Activities and groups by identifier, in the order of the identifiers. */
  readonly members: readonly (readonly [identifier: string, member: Contract | ActivityGroup])[];
}

export function isGroup(member: Contract | ActivityGroup): member is ActivityGroup {
  return 'members' in member;
}

/** The tree of all activities. `identifiers` hands out the names of its top level, which are variables of the module. */
export function activityTree(contracts: readonly Contract[], identifiers: Identifiers): ActivityGroup {
  const entries = byHighestVersion(contracts).map((contract) => ({ contract, path: pathOf(contract.name) }));
  return grouped(entries, 0, identifiers);
}

interface Entry {
  readonly contract: Contract;
  /** The parts of its name between dots; at least one. */
  readonly path: readonly string[];
}

function pathOf(name: string): readonly string[] {
  const parts = name.split('.').filter((part) => part !== '');
  return parts.length === 0 ? [name] : parts;
}

/** The group of entries that agree in the first `depth` parts of their names. */
function grouped(entries: readonly Entry[], depth: number, identifiers: Identifiers): ActivityGroup {
  const spell = depth === 0 ? variableName : memberName;
  const leaves = entries.filter((entry) => entry.path.length === depth + 1);
  const members: (readonly [string, Contract | ActivityGroup])[] = [];
  const isPlain = (index: number): boolean => leaves[index - 1]?.contract.name !== leaves[index]?.contract.name;
  // Plain names first, so that adding an old version or a group never renames an activity.
  for (const [index, { contract, path }] of leaves.entries()) {
    if (isPlain(index)) members.push([identifiers.claim(spell(path[depth] ?? '')), contract]);
  }
  for (const [index, { contract, path }] of leaves.entries()) {
    if (!isPlain(index))
      members.push([identifiers.claim(`${spell(path[depth] ?? '')}_v${contract.version}`), contract]);
  }
  for (const [part, inner] of groupsOf(entries, depth)) {
    const wanted = spell(part);
    const identifier = identifiers.claim(identifiers.has(wanted) ? `${wanted}_` : wanted);
    members.push([identifier, grouped(inner, depth + 1, new Identifiers())]);
  }
  return { members: members.toSorted(([a], [b]) => (a < b ? -1 : 1)) };
}

/** Entries with longer names, by the part at `depth`. */
function groupsOf(entries: readonly Entry[], depth: number): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const part = entry.path[depth];
    if (part === undefined || entry.path.length <= depth + 1) continue;
    const group = groups.get(part);
    if (group === undefined) groups.set(part, [entry]);
    else group.push(entry);
  }
  return groups;
}
