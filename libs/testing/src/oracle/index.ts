export { differences } from './compare.js';
export { engineFailure, Unpredictable, type Failure } from './failure.js';
export type {
  Fact,
  Observation,
  SeenActivity,
  SeenContainer,
  SeenEnd,
  SeenOutcome,
  SeenOwed,
  SeenScope,
  SeenStep,
  SeenSummary,
  SeenWait,
} from './observation.js';
export { predict } from './predict.js';
export type { Captured, Course, Outcome, Prediction, Step } from './prediction.js';
export { scopeId } from './scope.js';
export { answerId, leavesUnknown, type BufferedSignal, type Call, type Ending, type Script } from './script.js';
