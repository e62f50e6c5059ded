/**
 * An artifact made ready to execute: schemas compiled once, contracts and nodes found by name. A Program is
 * immutable and shared by all runs of its digest.
 */
import type { ActivityRef, Artifact, Contract, Definition, SchemaRef } from './ir.js';
import type { Json } from './value.js';

/** Where a value breaks its schema: a JSON pointer and a sentence. */
export interface SchemaIssue {
  readonly pointer: string;
  readonly message: string;
}

export interface Program {
  readonly digest: string;
  readonly artifact: Artifact;
  readonly definition: Definition;
  /** The contract of an activity the definition uses. Throws when it does not use it: that is a compiler bug. */
  contract(ref: ActivityRef): Contract;
  /** SHA-256 over the contract and the schemas it names: what worker and engine must agree on. */
  contractDigest(ref: ActivityRef): string;
  /** First thing that is wrong with `value` as a `ref`, or null. */
  validate(ref: SchemaRef, value: Json): SchemaIssue | null;
}
