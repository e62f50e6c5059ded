/**
 * Whether opening a failed run again can come to anything: with its own definition, where some failures only happen again, or
 * with another version, which must have all that the run stands on and has accepted (spec 02 "reopen").
 */
import type { Node, Program } from '@graphrun/dsl';
import { versionedName } from '@graphrun/dsl';
import { at } from '../failures.js';
import { pathOf } from '../path.js';
import { nodeKeyAt } from '../position.js';
import { findNode, findRegion, nodeAt, nodePointer } from '../program-index.js';
import type { Container, Run, Scope } from '../state.js';
import { nodeOf } from '../status.js';
import { bodiesIn, closedTree, type ClosedScope } from './closed-tree.js';

/** Why the run would only fail in the same way, or null. What an error route has taken is behind it and does not count. */
export function deterministicFailure(run: Run): string | null {
  for (const scope of run.scopes.values()) {
    if (scope.status.kind !== 'failed' || scope.next === null) continue;
    const node = nodeAt(run.program, nodePointer(scope.region, scope.next));
    if (node.kind !== 'fail') continue;
    const where = pathOf(run, scope, scope.next);
    return `run ${run.id} was failed by its definition, at ${where} (${node.error.code}), and would be again; give another version`;
  }
  for (const container of run.containers.values()) {
    if (!isAtItsLimit(run, container)) continue;
    const where = pathOf(run, run.scopes.get(container.scope) ?? null, container.node);
    return `run ${run.id} failed at ${where} with LoopLimitExceeded, and would again; give another version`;
  }
  return null;
}

/** The loop itself has failed: an iteration that did would still be there. */
function isAtItsLimit(run: Run, container: Container): boolean {
  if (container.status.kind !== 'failed' || container.work.kind !== 'loop') return false;
  return container.status.failure.code === 'LoopLimitExceeded' && bodiesIn(run, container).length === 0;
}

/** What another version does not have, or has otherwise. Empty when it fits. */
export function misfits(run: Run, program: Program): readonly string[] {
  const issue = program.validate(program.definition.root.inputSchema, run.input.value);
  const input = issue === null ? [] : [`the input of the run${at(issue)} does not fit: ${issue.message}`];
  return [...input, ...closedTree(run).scopes.flatMap((closed) => scopeMisfits(run, program, closed))];
}

function scopeMisfits(run: Run, program: Program, { scope, position }: ClosedScope): readonly string[] {
  const region = findRegion(program, scope.region);
  // The container around it says so already.
  if (region === undefined) return [];
  const passed = new Set([...scope.outputs.keys(), ...scope.errors.keys()]);
  if (position.kind !== 'node') passed.add(nodeKeyAt(position));
  const found = [...passed].flatMap((key) => nodeMisfit(run, program, scope, key) ?? []);
  if (position.kind === 'node') found.push(...entryMisfit(run, program, scope, position.key));
  if (position.kind === 'container') found.push(...bodyMisfits(run, program, position.container));
  return found;
}

/** A node that was entered must be the same there: its kind, and which activity it is. */
function nodeMisfit(run: Run, program: Program, scope: Scope, key: string): string | null {
  const pointer = nodePointer(scope.region, key);
  const before = nodeAt(run.program, pointer);
  const after = findNode(program, pointer);
  const where = pathOf(run, scope, key);
  if (after === undefined) return `it has no ${where}`;
  if (before.kind !== after.kind) return `${where} is a ${after.kind}, not a ${before.kind}`;
  if (before.kind !== 'activity' || after.kind !== 'activity') return null;
  const [was, is] = [before, after].map(({ activity }) => versionedName(activity.name, activity.version));
  return was === is ? null : `${where} is the activity ${is}, not ${was}`;
}

/** A node that is entered next may be anything, but for what would only fail again. */
function entryMisfit(run: Run, program: Program, scope: Scope, key: string): readonly string[] {
  const where = pathOf(run, scope, key);
  const node = findNode(program, nodePointer(scope.region, key));
  if (node === undefined) return [`it has no ${where}`];
  const failsAgain = node.kind === 'fail' && scope.status.kind === 'failed';
  return failsAgain ? [`${where} would fail the run again`] : [];
}

/** Bodies that are open go on in bodies of the same place and name. */
function bodyMisfits(run: Run, program: Program, container: Container): readonly string[] {
  const before = nodeOf(run, container);
  const after = findNode(program, container.pointer);
  if (after?.kind !== before.kind) return [];
  const missing = namesOf(before, container).filter((name, slot) => namesOf(after, container)[slot] !== name);
  const scope = run.scopes.get(container.scope) ?? null;
  const where = pathOf(run, scope, container.node);
  if (missing.length > 0) return missing.map((name) => `${where} has no ${name} in its place`);
  return namesOf(before, container).length === namesOf(after, container).length ? [] : [`${where} has other branches`];
}

/** Bodies that a container has begun, or will: the chosen case, all branches. */
function namesOf(node: Node, { work }: Container): readonly string[] {
  if (node.kind === 'parallel') return node.branches.map(({ name }) => name);
  if (node.kind !== 'choose' || work.kind !== 'choose' || work.chosen === null) return [];
  const name = node.cases[work.chosen]?.name;
  return name === undefined ? [] : [name];
}
