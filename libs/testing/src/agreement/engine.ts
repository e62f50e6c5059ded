/** The engine as the trials use it: the real domain, or one that was broken to see whether the oracle notices. */
import {
  agenda,
  checkpointReferences,
  decodeCheckpoint,
  encodeCheckpoint,
  evolve,
  execute,
  reconstruct,
} from '@graphrun/domain';

export const ENGINE = {
  agenda,
  checkpointReferences,
  decodeCheckpoint,
  encodeCheckpoint,
  evolve,
  execute,
  reconstruct,
} as const;

export type Engine = typeof ENGINE;
