/**
 * Signals. Deduplication comes first (spec 02 "Signals"): what was accepted once in a workflow, under one name and event id,
 * gets the first receipt again for 7 days, whatever has become of its run, and other content under that id is a
 * conflict. What was refused has no identity: it may be corrected and sent again.
 */
import { canonicalize, POLICIES } from '@graphrun/dsl';
import type { CommandResult, SignalRequest } from '@graphrun/protocol';
import { requestDigest } from '@graphrun/protocol';
import type { SignalIdentityKey, SignalIdentityRow } from '@graphrun/store';
import { carryOut } from './carry-out.js';
import { sentSignalText } from './preparation.js';
import type { Turn } from './turn.js';

export function decideSignal(turn: Turn, request: SignalRequest): CommandResult {
  const digest = requestDigest(canonicalize([request.key, request.payload]));
  const there = acceptedBefore(turn, request);
  if (there !== null) return there.digest === digest ? firstReceipt(there) : conflict(request);
  const result = carryOut(turn, request);
  if (result.ok) remember(turn, request, digest, result);
  return result;
}

function acceptedBefore(turn: Turn, request: SignalRequest): SignalIdentityRow | null {
  const { signal, event, run } = request;
  const { shared, prepared, now } = turn;
  const workflowId = shared.residency.get(run)?.run.workflowId;
  const recent =
    workflowId === undefined ? undefined : shared.recentSignals.get(signalKeyText({ workflowId, signal, event }));
  const there = recent ?? prepared.signals.get(sentSignalText(request));
  return there === undefined || there.at + POLICIES.rememberedSignalMs <= now ? null : there;
}

function remember(
  turn: Turn,
  { signal, event }: SignalRequest,
  digest: string,
  { run, workflowId, version }: CommandResult & { ok: true },
): void {
  const row: SignalIdentityRow = { workflowId, signal, event, digest, run, version, at: turn.now };
  turn.batch.signals.push(row);
  turn.shared.recentSignals.set(signalKeyText(row), { ...row, partition: turn.partition.id });
}

function signalKeyText({ workflowId, signal, event }: SignalIdentityKey): string {
  return `${workflowId}/${signal}/${event}`;
}

function firstReceipt({ run, workflowId, version }: SignalIdentityRow): CommandResult {
  return { ok: true, run, workflowId, version };
}

function conflict({ signal, event }: SignalRequest): CommandResult {
  return {
    ok: false,
    code: 'AlreadyExists',
    message: `event ${event} of signal "${signal}" was accepted with another key or payload; a new signal needs a fresh event id`,
  };
}
