/**
 * A document as the compiler sees it: JSON with positions. YAML and JSON are read into the same tree, so there is one
 * set of checks, and every complaint can point at the text it is about.
 */
import type { Json } from '../value.js';

/** Offsets into the source in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface TreeBase {
  /** Where a complaint about the value as a whole belongs: on its own line, never on one that begins later. */
  readonly span: Span;
}

export interface ScalarTree extends TreeBase {
  readonly kind: 'scalar';
  readonly value: null | boolean | number | string;
}

export interface Member {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: Tree;
}

export interface MapTree extends TreeBase {
  readonly kind: 'map';
  readonly members: ReadonlyMap<string, Member>;
}

export interface ListTree extends TreeBase {
  readonly kind: 'list';
  readonly items: readonly Tree[];
}

/** A value that has been complained about already; later checks pass over it. */
export interface BrokenTree extends TreeBase {
  readonly kind: 'broken';
}

export type Tree = ScalarTree | MapTree | ListTree | BrokenTree;

/** The plain value of a tree. Broken places become null: a document that has any is refused anyway. */
export function toJson(tree: Tree): Json {
  switch (tree.kind) {
    case 'scalar':
      return tree.value;
    case 'list':
      return tree.items.map(toJson);
    case 'map':
      // `fromEntries` defines own members, also for the key `__proto__`.
      return Object.fromEntries([...tree.members.values()].map((member) => [member.key, toJson(member.value)]));
    case 'broken':
      return null;
  }
}

/** True when nothing in the tree has been complained about by the reader. */
export function isWhole(tree: Tree): boolean {
  switch (tree.kind) {
    case 'scalar':
      return true;
    case 'list':
      return tree.items.every(isWhole);
    case 'map':
      return [...tree.members.values()].every((member) => isWhole(member.value));
    case 'broken':
      return false;
  }
}

/** A tree for a value that has no text; all its positions are `span`. */
export function fromJson(value: Json, span: Span): Tree {
  if (value === null || typeof value !== 'object') return { kind: 'scalar', value, span };
  if (Array.isArray(value)) {
    return { kind: 'list', items: value.map((item: Json) => fromJson(item, span)), span };
  }
  const members = Object.entries(value as Record<string, Json>).map(([key, member]): [string, Member] => [
    key,
    { key, keySpan: span, value: fromJson(member, span) },
  ]);
  return { kind: 'map', members: new Map(members), span };
}

/** What a tree is, in words for a message. */
export function describeTree(tree: Tree): string {
  switch (tree.kind) {
    case 'map':
      return 'a map';
    case 'list':
      return 'a list';
    case 'broken':
      return 'nothing usable';
    case 'scalar':
      if (tree.value === null) return 'null';
      if (typeof tree.value === 'string') return 'a string';
      return typeof tree.value === 'number' ? 'a number' : 'a boolean';
  }
}

/** Deepest nesting of maps and lists that a source may have: no sound document comes near it. */
export const SOURCE_DEPTH = 256;
