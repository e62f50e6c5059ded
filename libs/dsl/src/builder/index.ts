/** Workflows in TypeScript: the same documents and the same compiler as YAML, with types (spec 01 "Typed builder"). */
export { workflow } from './workflow.js';
export type { BodyStep, InputStep, OutputStep, SearchAttributes, Workflow, WorkflowOptions } from './workflow.js';
export { BuildError } from './build-error.js';
export * from './catalog.js';
export { activityReference, arrayOf, builtin, schema, tupleOf } from './witness.js';
export type { ActivityReference, AnySchema, IdentityOf, Schema, SchemaIdentity, ValueOf } from './witness.js';
export { literal } from './bound.js';
export type { Bound, Expression, Located } from './bound.js';
export type { Input, Scalar } from './input.js';
export { all, any, eq, exists, ge, gt, le, lt, ne, not } from './condition.js';
export type { Condition } from './condition.js';
export { signal } from './signal.js';
export type { Signal } from './signal.js';
export { reusable } from './reusable.js';
export type { Around, Needs, ReusableRegion } from './reusable.js';
export type { Body, Branch, Described, Duration, Forward, Item, Loop, Retry } from './options.js';
export type {
  Continuation,
  Done,
  Ended,
  ErrorRoute,
  Failure,
  Joined,
  Mode,
  Output,
  OutputNotCertain,
  Path,
  RegionPath,
  Tail,
} from './path.js';
