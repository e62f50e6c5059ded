/**
 * Every number of the rules book in one place (spec 06). `LIMITS` bound what one run, definition or message may be;
 * `POLICIES` are defaults and ranges. What affects meaning is captured in a definition or at admission, so changing a
 * number here never changes a run that exists.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const KIB = 1_024;
const MIB = 1_024 * KIB;

/** Refused with `ResourceExhausted` or `InvalidArgument`, naming the limit and its value. */
export const LIMITS = {
  /** Size of a YAML document. */
  yamlBytes: 256 * KIB,
  /** Size of the named regions of a document once each stands in the place of every use, roughly. */
  expandedBytes: 512 * KIB,
  /** Size of one value, as canonical JSON. */
  payloadBytes: 256 * KIB,
  /** Size of one JSON Schema, as canonical JSON. */
  schemaBytes: 256 * KIB,
  /** Size of a definition in normal form, as canonical JSON. */
  definitionBytes: 256 * KIB,
  nodesPerDefinition: 512,
  /** Regions inside regions; the root is 1. */
  regionNesting: 8,
  /** Depth of a value; a scalar has depth 0. */
  depth: 32,
  conditionOperators: 256,
  loopIterations: 1_000,
  foreachItems: 1_000,
  parallelBranches: 16,
  tupleItems: 16,
  foreachConcurrency: 32,
  activeLeavesPerRun: 32,
  activeLeavesPerWorker: 128,
  activationsPerRun: 10_000,
  scopesPerRun: 10_000,
  /** Retained event bytes of one run; ordinary work stops here. */
  historyBytes: 64 * MIB,
  /** Room beyond `historyBytes` that only settlement and compensation use. */
  historyReserveBytes: 1 * MIB,
  bufferedSignalsPerRun: 1_000,
  bufferedSignalsPerAddress: 100,
  bufferedSignalBytesPerRun: 8 * MIB,
  startKeyBytes: 128,
  /** A command as it travels in the log. */
  envelopeBytes: 896 * KIB,
  signalKeyBytes: 256,
  errorMessageBytes: 1 * KIB,
  searchAttributeBytes: 256,
  searchAttributes: 16,
  rememberedSignalsPerWorkflow: 10_000,
  claimBatch: 16,
  /** Length of names and node keys, in ASCII characters. */
  nameChars: 64,
  activeRunsPerCluster: 1_000_000,
  unappliedCommandsPerPartition: 4_096,
  unappliedBytesPerPartition: 64 * MIB,
  /** Transitions a run makes by itself in one commit. */
  progressTransitions: 32,
  blockingThreadsPerWorker: 16,
} as const;

/** Defaults and the ranges that a definition may choose from. */
export const POLICIES = {
  forwardTimeoutMs: 5 * MINUTE_MS,
  compensationTimeoutMs: 5 * MINUTE_MS,
  attemptTimeoutMinMs: 1 * SECOND_MS,
  attemptTimeoutMaxMs: 24 * HOUR_MS,
  reconciliationTimeoutMs: 30 * SECOND_MS,
  reconciliationTimeoutMinMs: 1 * SECOND_MS,
  reconciliationTimeoutMaxMs: 5 * MINUTE_MS,
  runTimeoutMaxMs: 365 * DAY_MS,
  waitMaxMs: 365 * DAY_MS,
  cancellationGraceMs: 5 * SECOND_MS,
  drainMs: 30 * SECOND_MS,
  forwardBudget: 5,
  compensationBudget: 10,
  budgetMin: 1,
  budgetMax: 10,
  /** Attempts an operator may add at once. */
  budgetExtension: 10,
  backoffInitialMs: 1 * SECOND_MS,
  backoffMultiplier: 2,
  backoffMultiplierMin: 1,
  backoffMultiplierMax: 10,
  forwardBackoffCapMs: 60 * SECOND_MS,
  compensationBackoffCapMs: 5 * MINUTE_MS,
  /** Upper end of both `initial` and `max` of a backoff. */
  backoffMaxMs: 1 * HOUR_MS,
  reconciliationProbes: 3,
  reconciliationIntervalMs: 30 * SECOND_MS,
  terminalHistoryMs: 30 * DAY_MS,
  /** Terminal summaries and the tombstones of start keys. */
  tombstoneMs: 90 * DAY_MS,
  resultRetentionMs: 24 * HOUR_MS,
  /** From issue on; a command that is applied later is refused as expired. */
  commandLifetimeMs: 12 * HOUR_MS,
  unreservedSignalMs: 7 * DAY_MS,
  rememberedSignalMs: 7 * DAY_MS,
  checkpointEvents: 256,
  sessionLeaseMs: 30 * SECOND_MS,
  claimLeaseMs: 30 * SECOND_MS,
  renewEveryMs: 5 * SECOND_MS,
  /** A worker stops starting work this long before its lease ends. */
  stopDispatchBeforeLeaseEndMs: 5 * SECOND_MS,
  partitionLeaseMs: 10 * SECOND_MS,
  partitionRenewMs: 3 * SECOND_MS,
  apiDeadlineMs: 5 * SECOND_MS,
  clientRetryMs: 5 * MINUTE_MS,
  clientRetryInitialMs: 250,
  clientRetryCapMs: 5 * SECOND_MS,
  foreachConcurrency: 8,
} as const;
