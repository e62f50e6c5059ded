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
export type {
  Captured,
  ContainerKind,
  Course,
  CourseEnd,
  Ended,
  Outcome,
  Prediction,
  Step,
  WaitEnd,
} from './prediction.js';
export { scopeId } from './scope.js';
export {
  answerId,
  DECLINED,
  lateId,
  leavesUnknown,
  type Address,
  type BufferedSignal,
  type Call,
  type Ending,
  type Intervention,
  type Loss,
  type LossKind,
  type Script,
} from './script.js';
