/** Commands of clients that address a run: signals, cancel, and what operators do. */
import type { RunRequest } from '@graphrun/protocol';
import { carryOut } from './carry-out.js';
import { answer, answerRepeat, digestOfRequest } from './client-result.js';
import { decideSignal } from './decide-signal.js';
import type { Turn } from './turn.js';

export function decideRun(turn: Turn, request: RunRequest): void {
  const digest = digestOfRequest(request);
  if (answerRepeat(turn, request, digest)) return;
  const result = request.kind === 'signal' ? decideSignal(turn, request) : carryOut(turn, request);
  answer(turn, request, digest, result);
}
