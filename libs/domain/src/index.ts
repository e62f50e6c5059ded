/** The run aggregate: commands in, events out, state by folding events. Pure: no clock, no dice, no I/O. */
export * from './ids.js';
export * from './events.js';
export * from './commands.js';
export * from './state.js';
export {
  isSettled,
  isTerminal,
  RUN_TERMINAL,
  stopOf,
  contractOf,
  activityNodeOf,
  assignmentOf,
  closedClaims,
  type Assignment,
  type TerminalStatus,
} from './status.js';
export { CheckpointError, HistoryError, UnknownEventError } from './errors.js';
export { ENGINE_ERROR_CODES, type EngineErrorCode } from './failures.js';
export { executionObstacle, unexecutableParts, type UnexecutablePart } from './executable.js';
export { execute, type Execution } from './execute.js';
export type { RecordedEvent } from './recorder.js';
export { evolve, reconstruct } from './evolve.js';
export type { ProgramSource } from './program-source.js';
export { readEvent, readableVersions } from './read-event.js';
export { checkpointDigest, checkpointReferences, encodeCheckpoint } from './checkpoint/encode.js';
export { decodeCheckpoint } from './checkpoint/decode.js';
export { agenda, type Agenda, type ClaimedLeaf, type DueTimer, type ReadyLeaf } from './agenda.js';
export {
  explain,
  REASON_CODES,
  type ExplainFacts,
  type HeartbeatFact,
  type Heartbeats,
  type Reason,
  type ReasonCode,
  type WorkerCount,
  type WorkKind,
} from './explain.js';
export { pathOf } from './path.js';
export {
  describeRun,
  type ActivityView,
  type ContainerView,
  type ObligationView,
  type ReasonView,
  type RunView,
  type ScopeRole,
  type ScopeView,
  type WaitView,
} from './run-view.js';
export { describeEvent, type EventView } from './event-view.js';
