/** `progress` continues a run that had more to do than one commit may hold. */
import { isProgressDue } from '../advance.js';
import type { Decision } from '../commands.js';
import type { Recorder } from '../recorder.js';
import { ACCEPTED, stale } from './answers.js';

export function progress(recorder: Recorder): Decision {
  return isProgressDue(recorder.run) ? ACCEPTED : stale('nothing is left to continue');
}
