/** `progress` continues a run that had more to do than one commit may hold. */
import type { Decision } from '../commands.js';
import type { Recorder } from '../recorder.js';
import { ACCEPTED, stale } from './answers.js';

export function progress(recorder: Recorder): Decision {
  return recorder.run.progressDue ? ACCEPTED : stale('nothing is left to continue');
}
